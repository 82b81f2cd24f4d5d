import type { Endpoints } from "../../contract/api.ts";
import type { Field, Form, RefusalOf } from "../../contract/endpoint.ts";
import * as fields from "../../contract/fields.ts";
import { BatchKey, RestrictedSites } from "../../contract/investors.ts";
import { Amount, Wallet } from "../../contract/payments.ts";
import { askAgain, type commonRefusals, type Refusal } from "../../contract/refusals.ts";
import type { SandboxSite } from "../../contract/sandbox.ts";
import type { AppKey, Translator } from "../../i18n/t.ts";
import type { DocumentedName } from "../../contract/examples.ts";

// The catalogues translate the English texts of the contract. A missing text does not compile; a test compares the English ones.

export const callText = (name: DocumentedName): AppKey => `docs.call.${name}` as const;

const named = { ...fields, Wallet, Amount, RestrictedSites, BatchKey };
type Named = typeof named;
type FieldName = { [Name in keyof Named]: Named[Name] extends Field ? Name : never }[keyof Named];
type ParameterKey = `docs.parameter.${Uncapitalize<FieldName>}`;

const parameterKeys = new Map<unknown, AppKey>(
  Object.entries(named).map(([name, field]): [unknown, AppKey] => [
    field,
    `docs.parameter.${name.charAt(0).toLowerCase()}${name.slice(1)}` as ParameterKey,
  ]),
);

/** The meaning of a parameter. Keyed by the contract's field: one name may mean several things. */
export function parameterText(field: Field): AppKey {
  const key = parameterKeys.get(field);
  if (key === undefined) throw new Error(`no text for a parameter: ${field.summary}`);
  return key;
}

export type DocumentedRefusal = RefusalOf<Endpoints[DocumentedName]> | (typeof commonRefusals)[number];

type Joined<Words extends string> = Words extends `${infer First} ${infer Rest}`
  ? `${First}${Capitalize<Joined<Rest>>}`
  : Words;

export function refusalMeaning(value: DocumentedRefusal): AppKey {
  const joined = value.replace(/ (\w)/g, (_, letter: string) => letter.toUpperCase());
  return `docs.refusal.${joined as Joined<DocumentedRefusal>}` as const;
}

export const againText = (value: Refusal): AppKey => `docs.again.${askAgain[value] ?? "never"}` as const;

export const sandboxTexts: Record<SandboxSite, AppKey> = {
  "sandbox-ok": "docs.sandbox.ok",
  "sandbox-delay-20": "docs.sandbox.delay",
  "sandbox-html-only": "docs.sandbox.html",
  "sandbox-wrong-subject": "docs.sandbox.wrongSubject",
  "sandbox-two-letters": "docs.sandbox.two",
  "sandbox-never": "docs.sandbox.never",
  "sandbox-no-emails": "docs.sandbox.noEmails",
};

export function formText(t: Translator<AppKey>, form: Form): string {
  if (form.kind !== "dollars") return t(`docs.form.${form.kind}`, { ...form, of: "" });
  const { min, max, decimals } = form;
  return min === undefined
    ? t("docs.form.dollars", { decimals })
    : t("docs.form.dollarsWithin", { min, max, decimals });
}
