import { type FormEvent, type ReactNode, useId, useState } from "react";
import { noteLengthMax } from "../../../contract/limits.ts";
import type { Refused } from "../../api.ts";
import { useOfficeText } from "../../language.tsx";
import { Button } from "../../ui/button/Button.tsx";
import { Dialog } from "../../ui/dialog/Dialog.tsx";
import { TextField } from "../../ui/form/Input.tsx";
import { Notice } from "../../ui/feedback/Notice.tsx";
import { toast } from "../../ui/feedback/toast.ts";
import { formText } from "../formText.ts";
import { officeRefusalText } from "../officeRefusalText.ts";
import { useReload } from "../table/useTable.ts";
import styles from "./Actions.module.css";
import { useBusy } from "../../useBusy.ts";

interface ActionDialogProps<Data> {
  title: string;
  says: ReactNode;
  action?: string;
  isDangerous?: boolean;
  reason?: keyof typeof reasons;
  send: (form: FormData, reason: string) => Promise<{ ok: true; data: Data } | Refused<string>>;
  done: (data: Data) => string;
  /** A warning about the result: the dialog stays until the administrator closes it. */
  warns?: (data: Data) => string | undefined;
  onClose: () => void;
  children?: ReactNode;
}

const reasons = {
  kept: { name: "reason", hint: "office.reason.kept" },
  read: { name: "reason", hint: "office.reason.read" },
  note: { name: "note", hint: "office.reason.read" },
} as const;

/** The server accepts decisions of programs without a note; the page requires one. */
const noNote: Refused<"note"> = { ok: false, value: "note", more: {} };

export function ActionDialog<Data>(props: ActionDialogProps<Data>) {
  const { title, says, action = title, isDangerous, reason, onClose, children } = props;
  const t = useOfficeText();
  const form = useId();
  const { isBusy, refused, missing, warning, reload, submit } = useSend(props);
  if (warning !== undefined) {
    const close = () => void reload().then(onClose);
    return <Warning title={title} text={warning} onClose={close} />;
  }
  const footer = (
    <>
      <Button tone="secondary" data-autofocus={children || reason ? undefined : true} onClick={onClose}>
        {t("ui.cancel")}
      </Button>
      <Button type="submit" form={form} tone={isDangerous ? "danger" : "primary"} busy={isBusy}>
        {action}
      </Button>
    </>
  );
  return (
    <Dialog title={title} onClose={onClose} footer={footer}>
      <form noValidate id={form} className={styles.form} onSubmit={(event) => void submit(event)}>
        <p className={styles.says}>{says}</p>
        {/* Above the fields: the end of a long dialog is out of sight. */}
        {missing !== undefined && <Notice tone="bad">{t("office.refusal.field", { name: missing })}</Notice>}
        {children}
        {reason && <ReasonField {...reasons[reason]} />}
        {refused && <Notice tone="bad">{officeRefusalText(t, refused)}</Notice>}
      </form>
    </Dialog>
  );
}

function useSend<Data>({ reason, send, done, warns, onClose }: ActionDialogProps<Data>) {
  const reload = useReload();
  const [isBusy, whileBusy] = useBusy();
  const [refused, setRefused] = useState<Refused<string>>();
  const [missing, setMissing] = useState<string>();
  const [warning, setWarning] = useState<string>();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    // The browser's own message may be in another language than the page.
    const wrong = fieldsOf(event.currentTarget).find((field) => !field.checkValidity());
    setMissing(wrong?.labels?.[0]?.textContent);
    if (wrong) {
      setRefused(undefined);
      wrong.focus();
      return;
    }
    setRefused(undefined);
    const data = new FormData(event.currentTarget);
    await whileBusy(() => act(data));
  };
  const act = async (data: FormData) => {
    const why = reason ? formText(data, reasons[reason].name) : "";
    const answer = reason === "note" && why === "" ? noNote : await send(data, why);
    if (!answer.ok) return setRefused(answer);
    const warningText = warns?.(answer.data);
    // The reload may remove the row and its dialog.
    if (warningText === undefined) await reload();
    toast("good", done(answer.data));
    if (warningText === undefined) onClose();
    else setWarning(warningText);
  };
  return { isBusy, refused, missing, warning, reload, submit };
}

function Warning({ title, text, onClose }: { title: string; text: string; onClose: () => void }) {
  const t = useOfficeText();
  const close = (
    <Button data-autofocus onClick={onClose}>
      {t("ui.close")}
    </Button>
  );
  return (
    <Dialog title={title} onClose={onClose} footer={close}>
      <Notice tone="warn">{text}</Notice>
    </Dialog>
  );
}

const fieldsOf = (form: HTMLFormElement) =>
  [...form.elements].filter(
    (element) =>
      element instanceof HTMLInputElement ||
      element instanceof HTMLSelectElement ||
      element instanceof HTMLTextAreaElement,
  );

/** The reason; kept for good. */
function ReasonField({ name, hint }: (typeof reasons)[keyof typeof reasons]) {
  const t = useOfficeText();
  return (
    <TextField
      required
      data-autofocus
      name={name}
      label={t("office.reason")}
      hint={t(hint)}
      maxLength={noteLengthMax}
      autoComplete="off"
    />
  );
}
