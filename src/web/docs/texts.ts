import type { Form } from "../../contract/endpoint.ts";
import { eventNames } from "../../contract/event-names.ts";
import { type DocsKey, joined, type Translator } from "../../i18n/t.ts";
import type { DocumentedName } from "../../contract/examples.ts";
import { again, type DocumentedRefusal } from "./calls.ts";

// The catalogues translate the English texts of the contract.

export const callText = (name: DocumentedName): DocsKey => `docs.call.${name}` as const;

/** What people call it. */
export const callName = (name: DocumentedName): DocsKey => `docs.name.${name}` as const;

/** More about a call than its summary. */
export const notes: Partial<Record<DocumentedName, DocsKey>> = {
  aggregators: "docs.lists",
  getMessage: "docs.preview",
  orderEmail: "docs.several",
  quantity: "docs.stats",
  timeline: "docs.timeline",
  releaseLetter: "docs.release",
  notFromSite: "docs.notFromSite",
};

export const refusalMeaning = (value: DocumentedRefusal): DocsKey => `docs.refusal.${joined(value)}`;

/** What a refusal means, with the names that its sentence lists. */
export const meaningText = (t: Translator<DocsKey>, value: DocumentedRefusal): string =>
  t(refusalMeaning(value), { events: eventNames.join(", ") });

export const againText = (value: DocumentedRefusal): DocsKey => `docs.again.${again[value]}` as const;

export function formText(t: Translator<DocsKey>, form: Form): string {
  if (form.kind !== "dollars") return t(`docs.form.${form.kind}`, { ...form, of: "" });
  const { min, max, decimals } = form;
  return min === undefined
    ? t("docs.form.dollars", { decimals })
    : t("docs.form.dollarsWithin", { min, max, decimals });
}

/** The anchor of a refusal on the page of errors. */
export const errorId = (value: DocumentedRefusal): string => `error-${value.replaceAll(/\W/g, "-")}`;
