import type { LucideIcon } from "lucide-react";
import { type ComponentType, type FormEvent, type ReactNode, useId, useState } from "react";
import { newKey } from "../../../client/key.ts";
import type { Calls } from "../../../client/wire.ts";
import type { ActName } from "../../../contract/office/acts.ts";
import type { Holes, OfficeKey } from "../../../i18n/t.ts";
import { api, type Answer, type Refused } from "../../api.ts";
import { exactPrice, percent } from "../../format.ts";
import { useLanguage, useOfficeText } from "../../language.tsx";
import { Button } from "../../ui/button/Button.tsx";
import { Dialog } from "../../ui/dialog/Dialog.tsx";
import { Notice } from "../../ui/feedback/Notice.tsx";
import { toast } from "../../ui/feedback/toast.ts";
import { useBusy } from "../../useBusy.ts";
import { formText } from "../formText.ts";
import { officeRefusalText } from "../officeRefusalText.ts";
import type { RowAction, RowDialogProps } from "../table/RowActions.tsx";
import { useReload } from "../table/useTable.ts";
import { type ActField, actForms } from "./actForms.ts";
import styles from "./Actions.module.css";
import { ActInput, askedOf, type FieldText, fieldTexts } from "./fields.tsx";

export interface Showing {
  money: (dollars: string | null) => string;
  percent: (part: number) => string;
  t: ReturnType<typeof useOfficeText>;
}

type Ask<Name extends ActName> = Calls[Name]["ask"];
type Typed = Readonly<Record<string, string>>;
type Field<Row, Name extends ActName = ActName> = Partial<FieldText> & {
  Input?: ComponentType<{ row: Row; error: string | undefined }> | "none";
  /** What stands below the input, by what is typed, and what the call would be asked. */
  Below?: ComponentType<{ row: Row; typed: string; asked: Partial<Ask<Name>> }>;
};

/** One thing that an administrator does, by an act of the contract. Parameters that the row does not say are asked for. */
interface Spec<Row, Name extends ActName> {
  act: Name;
  Icon: LucideIcon;
  fits?: (row: Row) => boolean;
  /** It takes something away. */
  isDangerous?: boolean;
  /** The parameters that the row says. */
  of?: (row: Row) => Partial<Ask<Name>>;
  /** What the inputs hold at first. */
  start?: (row: Row) => Partial<Record<keyof Ask<Name>, string | number | null | undefined>>;
  /** How an input differs from that of other acts. */
  fields?: Partial<Record<keyof Ask<Name>, Field<Row, Name>>>;
  /** What the texts say of the row. */
  holes?: (row: Row, show: Showing) => Holes;
  /** What the last text says of the answer. */
  result?: (reply: Calls[Name]["reply"], show: Showing) => Holes;
  /** A warning about the answer: the dialog stays until the administrator closes it. */
  warns?: (reply: Calls[Name]["reply"], show: Showing) => string | undefined;
  /** What is to be done next: its dialog opens in the place of this one. */
  next?: (reply: Calls[Name]["reply"], onClose: () => void) => ReactNode;
  /** The text of the button, if not the title. */
  button?: OfficeKey;
}

/** The title, and the texts whose keys begin with it, unless another is named. */
type Texts<Title extends OfficeKey> = {
  title: Title;
} & (`${Title}.says` extends OfficeKey ? { says?: OfficeKey } : { says: OfficeKey }) &
  (`${Title}.done` extends OfficeKey ? { done?: OfficeKey } : { done: OfficeKey });

type AnySpec<Row> = Spec<Row, ActName> & { title: OfficeKey; says?: OfficeKey; done?: OfficeKey };

/** Makes the actions of rows of one kind, each with its dialog. */
export function actsOn<Row>() {
  return <Name extends ActName, Title extends OfficeKey>(
    declared: Spec<Row, Name> & Texts<Title>,
  ): RowAction<Row> => {
    const spec = declared as unknown as AnySpec<Row>;
    const { title: label, act, Icon, fits, isDangerous = false } = spec;
    const Opened = (props: RowDialogProps<Row>) => <ActDialog {...props} spec={spec} />;
    return { label, act, Icon, isDangerous, Dialog: Opened, ...(fits && { fits }) };
  };
}

type ActDialogProps<Row> = RowDialogProps<Row> & { spec: AnySpec<Row> };

function ActDialog<Row>({ spec, row, onClose }: ActDialogProps<Row>) {
  const { title: titleKey, says = `${titleKey}.says` as OfficeKey, button, isDangerous } = spec;
  const show = useShowing();
  const { t } = show;
  const form = useId();
  const [typed, setTyped] = useState<Typed>({});
  const { isBusy, refused, wrong, mend, warning, next, reload, submit, fields } = useSend(
    { spec, row, onClose },
    show,
  );
  if (next) return next;
  const holes = spec.holes?.(row, show) ?? {};
  const title = t(titleKey, holes);
  if (warning !== undefined) {
    const close = () => void reload().then(onClose);
    return <Warning title={title} text={warning} onClose={close} />;
  }
  const start = (spec.start?.(row) ?? {}) as Readonly<Record<string, string | number | null | undefined>>;
  const startOf = (name: string) => String(start[name] ?? "");
  const footer = (
    <>
      <Button tone="secondary" data-autofocus={fields.length > 0 ? undefined : true} onClick={onClose}>
        {t("ui.cancel")}
      </Button>
      <Button type="submit" form={form} tone={isDangerous ? "danger" : "primary"} busy={isBusy}>
        {button ? t(button) : title}
      </Button>
    </>
  );
  return (
    <Dialog title={title} onClose={onClose} footer={footer}>
      <form
        noValidate
        id={form}
        className={styles.form}
        onChange={(event) => {
          setTyped(textsOf(event.currentTarget));
          mend((event.target as Element as HTMLInputElement).name);
        }}
        onSubmit={(event) => void submit(event)}
      >
        <p className={styles.says}>{t(says, holes)}</p>
        {fields.map((field) => (
          <Asked
            key={field.name}
            field={field}
            spec={spec}
            row={row}
            start={startOf(field.name)}
            typed={typed[field.name]}
            asked={{ ...spec.of?.(row), ...askedIn(fields, typed) }}
            isWrong={wrong.has(field.name)}
          />
        ))}
        {refused && <Notice tone="bad">{officeRefusalText(t, refused)}</Notice>}
      </form>
    </Dialog>
  );
}

const textsOf = (form: HTMLFormElement) => {
  const data = new FormData(form);
  return Object.fromEntries([...data.keys()].map((name) => [name, formText(data, name)]));
};

const askedIn = (fields: readonly ActField[], typed: Typed): Typed =>
  Object.fromEntries(fields.map(({ name, form }) => [name, askedOf(form, typed[name] ?? "")]));

/** The text of an input: that of the parameter, with what this act says in another way. */
const textOf = <Row,>({ name }: ActField, { fields = {} }: AnySpec<Row>): Field<Row> & FieldText => ({
  ...fieldTexts[name as keyof typeof fieldTexts],
  ...(fields as Record<string, Field<Row>>)[name],
});

interface AskedProps<Row> {
  field: ActField;
  spec: AnySpec<Row>;
  row: Row;
  start: string;
  typed: string | undefined;
  asked: Partial<Ask<ActName>>;
  isWrong: boolean;
}

function Asked<Row>({ field, spec, row, start, typed = start, asked, isWrong }: AskedProps<Row>) {
  const { Input, Below, ...text } = textOf(field, spec);
  const t = useOfficeText();
  const error = isWrong ? wrongText(t, field, text) : undefined;
  if (Input === "none") return null;
  if (Input) return <Input row={row} error={error} />;
  return (
    <>
      <ActInput field={field} text={text} start={start} error={error} />
      {Below && <Below row={row} typed={typed} asked={asked} />}
    </>
  );
}

function useShowing(): Showing {
  const t = useOfficeText();
  const language = useLanguage();
  return {
    t,
    money: (dollars) => exactPrice(language, dollars ?? "0"),
    percent: (part) => percent(language, part / 100),
  };
}

function useSend<Row>({ spec, row, onClose }: ActDialogProps<Row>, show: Showing) {
  const { t } = show;
  const { act, done = `${spec.title}.done` as OfficeKey } = spec;
  const reload = useReload();
  const [isBusy, whileBusy] = useBusy();
  const [refused, setRefused] = useState<Refused<string>>();
  const [wrong, setWrong] = useState<ReadonlySet<string>>(new Set());
  const [warning, setWarning] = useState<string>();
  const [next, setNext] = useState<ReactNode>();
  // One for each dialog: a retry after a lost answer is the same change.
  const [key] = useState(newKey);
  const known: Readonly<Record<string, unknown>> = { ...spec.of?.(row) };
  const fields = actForms[act].filter(({ name }) => name !== "key" && !(name in known));
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const form = event.currentTarget;
    setRefused(undefined);
    // The browser's own message may be in another language than the page.
    const found = inputsOf(form).filter(
      (input) => !input.checkValidity() || (input.required && input.value.trim() === ""),
    );
    setWrong(new Set(found.map(({ name }) => name)));
    if (found[0]) return found[0].focus();
    const data = new FormData(form);
    const answer = await whileBusy(() => send(data));
    if (!answer || answer.ok) return;
    const field = fields.find((each) => each.refusal === answer.value && form.elements.namedItem(each.name));
    if (!field) return setRefused(answer);
    setWrong(new Set([field.name]));
    inputsOf(form)
      .find(({ name }) => name === field.name)
      ?.focus();
  };
  const mend = (name: string) => setWrong((all) => new Set([...all].filter((field) => field !== name)));
  const send = async (data: FormData) => {
    const asked = askedIn(fields, Object.fromEntries(fields.map(({ name }) => [name, formText(data, name)])));
    const hasKey = actForms[act].some(({ name }) => name === "key");
    const ask = { ...known, ...asked, ...(hasKey && { key }) };
    const answer = await (api[act] as Send)(ask);
    if (!answer.ok) return answer;
    const warningText = spec.warns?.(answer.data, show);
    // The reload may remove the row and its dialog.
    if (warningText === undefined) await reload();
    toast("good", t(done, { ...spec.holes?.(row, show), ...spec.result?.(answer.data, show) }));
    const following = spec.next?.(answer.data, onClose);
    if (warningText !== undefined) setWarning(warningText);
    else if (following) setNext(following);
    else onClose();
    return answer;
  };
  return { isBusy, refused, wrong, mend, warning, next, reload, submit, fields };
}

/** What its refusal says, where that says more than that the request was not understood. */
function wrongText(t: Showing["t"], { refusal }: ActField, { label }: FieldText): string {
  const text = officeRefusalText(t, { ok: false, value: refusal, more: {} });
  return text === t("office.refusal.request") ? t("office.refusal.field", { name: t(label) }) : text;
}

type Send = (ask: object) => Promise<Answer<ActName>>;

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

const inputsOf = (form: HTMLFormElement) =>
  [...form.elements].filter(
    (element) =>
      element instanceof HTMLInputElement ||
      element instanceof HTMLSelectElement ||
      element instanceof HTMLTextAreaElement,
  );
