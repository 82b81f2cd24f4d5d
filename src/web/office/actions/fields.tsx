import type { ComponentProps } from "react";
import type { ActName, Acts } from "../../../contract/office/acts.ts";
import type { Asked, Form } from "../../../contract/endpoint.ts";
import type { OfficeKey } from "../../../i18n/t.ts";
import { useOfficeText } from "../../language.tsx";
import { TextField, verbatim } from "../../ui/form/Input.tsx";
import { SelectField } from "../../ui/form/Select.tsx";
import type { ActField } from "./actForms.ts";

export interface FieldText {
  label: OfficeKey;
  hint?: OfficeKey;
  placeholder?: string;
  /** The text of a choice. */
  choice?: (value: string) => OfficeKey;
  /** The choices that are offered, if not all. */
  choices?: readonly string[];
  /** None is chosen at first: the first of them would be done by mistake. */
  choosesNone?: true;
  /** Written for people. */
  isProse?: true;
  /** The page wants it where the call does not. */
  isNeeded?: true;
}

type NamesOf<Values> = {
  [Name in keyof Values]: Exclude<Values[Name], undefined> extends bigint | boolean ? never : Name;
}[keyof Values];
/** Of each act; ids and yes or no are what the row says. */
type ParameterName = { [Name in ActName]: NamesOf<Asked<Acts[Name]>> }[ActName];
/** What the row or the dialog itself says, too. */
type Fixed = "batch" | "book" | "ca" | "coin" | "decision" | "key" | "role" | "verdict" | "way";

/** How a dialog asks for each parameter; a new one without a text does not compile. */
export const fieldTexts: Record<Exclude<ParameterName, Fixed>, FieldText> = {
  name: { label: "office.domain.name", placeholder: "mail.example.com" },
  domain: { label: "office.domain.name" },
  price: { label: "office.domain.price.of" },
  prices: { label: "office.prices.which", hint: "office.prices.which.hint", placeholder: "hosted" },
  how: { label: "office.prices.how", choice: (how) => `office.prices.how.${how as "to"}` },
  from: { label: "office.prices.from", hint: "office.prices.from.hint" },
  kind: { label: "office.column.kind", choice: (kind) => `office.kind.${kind as "own" | "hosted"}` },
  count: { label: "office.stock.count" },
  imap: { label: "office.column.imap", placeholder: "imap.example.com:993" },
  tls: { label: "office.column.tls", choice: (way) => `office.choice.${way as "starttls"}` },
  connections: { label: "office.column.connections" },
  logins: { label: "office.column.logins" },
  site: { label: "office.column.site", placeholder: "site.example.com" },
  domains: {
    label: "office.column.senders",
    hint: "office.senders.hint",
    placeholder: "mail.example.com",
  },
  amount: { label: "office.payout.amount" },
  percent: { label: "office.share.percent", hint: "office.share.hint" },
  reason: { label: "office.reason", hint: "office.reason.kept", isProse: true },
  queue: {
    label: "office.column.queue",
    choice: (queue) => `office.choice.${queue as "mail"}`,
    choosesNone: true,
  },
  target: { label: "office.column.target", placeholder: "program.example.com" },
  answer: { label: "office.column.answer", isProse: true },
  transaction: { label: "office.withdrawal.hash" },
  note: { label: "office.reason", hint: "office.reason.read", isProse: true, isNeeded: true },
};

/** What the call takes of what was typed. */
export const askedOf = (form: Form, typed: string): string => {
  if (form.kind === "dollars") return typed.replace("−", "-");
  return form.kind === "time" && typed !== "" ? String(Date.parse(`${typed}Z`) / 1000) : typed;
};

interface ActInputProps {
  field: ActField;
  text: FieldText;
  start: string | undefined;
  error: string | undefined;
}

/** The input of a parameter, by its form. */
export function ActInput({ field: { name, form, optional }, text, start, error }: ActInputProps) {
  const t = useOfficeText();
  const required = !optional || text.isNeeded === true;
  const label = form.kind === "time" ? t("office.utc", { name: t(text.label) }) : t(text.label);
  const max = "max" in form ? form.max : 0;
  const shared = {
    name,
    required,
    label: required ? label : t("office.optional", { name: label }),
    error,
    hint: text.hint && t(text.hint, { max }),
    defaultValue: start,
    "data-autofocus": true,
  };
  if (form.kind === "choice") {
    const choices = (text.choices ?? form.of).map((value) => ({
      value,
      label: text.choice ? t(text.choice(value)) : value,
    }));
    const none = { value: "", label: t("office.choose") };
    return <SelectField {...shared} choices={text.choosesNone ? [none, ...choices] : choices} />;
  }
  if (text.isProse) return <TextField {...shared} maxLength={max} autoComplete="off" />;
  return <TextField {...shared} {...verbatim} {...typed(form)} placeholder={text.placeholder} />;
}

function typed(form: Form): ComponentProps<"input"> {
  switch (form.kind) {
    case "time":
      return { type: "datetime-local" };
    case "whole":
      return { type: "number", inputMode: "numeric", min: form.min, max: form.max };
    case "dollars":
    case "number":
      return { inputMode: "decimal", maxLength: 20, pattern: "[\\-−+]?([0-9]+\\.?[0-9]*|\\.[0-9]+)" };
    default:
      return {};
  }
}
