import { endpoints, parameterName } from "../../contract/api.ts";
import { eventNames } from "../../contract/event-names.ts";
import { type DocumentedName, examples } from "../../contract/examples.ts";
import { type Refusal, refusals } from "../../contract/refusals.ts";
import { webhookFailures } from "../../contract/webhook-failures.ts";
import type { ContractAppKey, ContractKey } from "../../i18n/t.ts";
import { refusalKeys } from "../refusalText.ts";
import { again, type DocumentedRefusal } from "./calls.ts";
import { callText, refusalMeaning } from "./texts.ts";

/** What the contract says of calls, parameters and refusals: the English texts of the documentation, which other languages translate. */
export function contractTexts(): Record<ContractKey, string> {
  const names = Object.keys(examples) as DocumentedName[];
  const fields = names.flatMap((name) => Object.values(endpoints[name].ask));
  return Object.fromEntries([
    ...names.map((name) => [callText(name), endpoints[name].summary]),
    ...fields.map((field) => [`docs.parameter.${parameterName(field)}`, field.summary]),
    ...(Object.keys(again) as DocumentedRefusal[]).map((value) => [
      refusalMeaning(value),
      // Translations leave the names open.
      refusals[value].replace(eventNames.join(", "), "{events}"),
    ]),
  ]) as Record<ContractKey, string>;
}

/** What it says of refusals and failures that other pages show: their English texts, where i18n/app/en.json has no words of its own. */
export function appTexts(): Record<ContractAppKey, string> {
  const shown = Object.entries(refusalKeys).filter(([value]) => value in refusals);
  return Object.fromEntries([
    ...shown.map(([value, key]) => [key, refusals[value as Refusal]]),
    ...Object.entries(webhookFailures).map(([failure, text]) => [`webhook.failure.${failure}`, text]),
  ]) as Record<ContractAppKey, string>;
}
