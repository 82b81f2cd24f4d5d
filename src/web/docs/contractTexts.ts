import { endpoints, parameterName } from "../../contract/api.ts";
import { eventNames } from "../../contract/event-names.ts";
import { type DocumentedName, examples } from "../../contract/examples.ts";
import { type Refusal, refusals } from "../../contract/refusals.ts";
import type { ContractKey, Joined } from "../../i18n/t.ts";
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

/** What it says of the refusals that pages show: their English texts, where i18n/app/en.json has no words of its own. */
export const refusalTexts = (): Record<`refusal.${Joined<Refusal>}`, string> =>
  Object.fromEntries(
    Object.entries(refusalKeys).flatMap(([value, key]) =>
      value in refusals ? [[key, refusals[value as Refusal]]] : [],
    ),
  ) as Record<`refusal.${Joined<Refusal>}`, string>;
