import type { AppKey, OfficeKey, PublicKey, Translator } from "../../i18n/t.ts";
import type { Refused } from "../api.ts";
import { refusalText } from "../refusalText.ts";

const keys: Record<string, OfficeKey> = {
  table: "office.refusal.request",
  sort: "office.refusal.request",
  search: "office.refusal.request",
  filters: "office.refusal.filters",
};

/** The sentence for a refusal of a call of the back office. */
export function refusalWords(
  t: Translator<PublicKey | AppKey | OfficeKey>,
  refused: Refused<string>,
): string {
  const key = keys[refused.value];
  return key === undefined ? refusalText(t, refused) : t(key);
}
