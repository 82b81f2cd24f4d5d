import { type FormEvent, type ReactNode, useId, useState } from "react";
import { noteLengthMax } from "../../../contract/limits.ts";
import type { Refused } from "../../api.ts";
import { useOfficeText } from "../../language.tsx";
import { Button } from "../../ui/button/Button.tsx";
import { Dialog } from "../../ui/dialog/Dialog.tsx";
import { TextField } from "../../ui/form/Input.tsx";
import { Notice } from "../../ui/feedback/Notice.tsx";
import { toast } from "../../ui/feedback/toast.ts";
import { officeRefusalText } from "../officeRefusalText.ts";
import { useReload } from "../table/useTable.ts";
import styles from "./Actions.module.css";

interface ActionDialogProps<Data> {
  title: string;
  /** What will be so afterwards, in a sentence. */
  says: ReactNode;
  /** The word on the button that does it. */
  action: string;
  /** It takes something away from somebody. */
  isDangerous?: boolean;
  send: (form: FormData) => Promise<{ ok: true; data: Data } | Refused<string>>;
  /** What has been done, for the toast. */
  done: (data: Data) => string;
  /** What he must know of what has been done: the dialog stays until he closes it. */
  warns?: (data: Data) => string | undefined;
  onClose: () => void;
  /** What must be filled in. */
  children?: ReactNode;
}

/** Says what an act will do, asks for what it needs, does it, and shows the tables as they are then. */
export function ActionDialog<Data>(props: ActionDialogProps<Data>) {
  const { title, says, action, isDangerous, send, done, warns, onClose, children } = props;
  const t = useOfficeText();
  const form = useId();
  const reload = useReload();
  const [isBusy, setBusy] = useState(false);
  const [refused, setRefused] = useState<Refused<string>>();
  const [missing, setMissing] = useState<string>();
  const [warning, setWarning] = useState<string>();
  const act = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    // The browser would say it in its own language, which need not be that of the page.
    const wrong = fieldsOf(event.currentTarget).find((field) => !field.checkValidity());
    setMissing(wrong?.labels?.[0]?.textContent);
    if (wrong) {
      setRefused(undefined);
      wrong.focus();
      return;
    }
    setBusy(true);
    setRefused(undefined);
    const answer = await send(new FormData(event.currentTarget));
    if (answer.ok) {
      const told = warns?.(answer.data);
      // The row whose act it is may be gone with the reload, and the dialog with it.
      if (told === undefined) await reload();
      toast("good", done(answer.data));
      if (told === undefined) onClose();
      else setWarning(told);
      return;
    }
    setBusy(false);
    setRefused(answer);
  };
  if (warning !== undefined) {
    const close = () => void reload().then(onClose);
    return <Warning title={title} text={warning} onClose={close} />;
  }
  const footer = (
    <>
      <Button tone="secondary" data-autofocus={children ? undefined : true} onClick={onClose}>
        {t("ui.cancel")}
      </Button>
      <Button type="submit" form={form} tone={isDangerous ? "danger" : "primary"} busy={isBusy}>
        {action}
      </Button>
    </>
  );
  return (
    <Dialog title={title} onClose={onClose} footer={footer}>
      <form noValidate id={form} className={styles.form} onSubmit={(event) => void act(event)}>
        <p className={styles.says}>{says}</p>
        {/* Before the fields: the first that is empty is mostly the first, and a long dialog ends out of sight. */}
        {missing !== undefined && <Notice tone="bad">{t("office.refusal.field", { name: missing })}</Notice>}
        {children}
        {refused && <Notice tone="bad">{officeRefusalText(t, refused)}</Notice>}
      </form>
    </Dialog>
  );
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

/** What is filled in, in the order in which it stands. */
const fieldsOf = (form: HTMLFormElement) =>
  [...form.elements].filter(
    (element) =>
      element instanceof HTMLInputElement ||
      element instanceof HTMLSelectElement ||
      element instanceof HTMLTextAreaElement,
  );

/** Calls about earnings take no reason from programs too; whoever decides by hand gives one, and blanks are none. */
export const noReason: Refused<"note"> = { ok: false, value: "note", more: {} };

/** Why it is done: kept for good. */
export function ReasonField({ name, hint }: { name: "reason" | "note"; hint: string }) {
  const t = useOfficeText();
  return (
    <TextField
      required
      data-autofocus
      name={name}
      label={t("office.reason")}
      hint={hint}
      maxLength={noteLengthMax}
      autoComplete="off"
    />
  );
}
