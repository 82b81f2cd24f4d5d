import type { AppKey, OfficeKey, PublicKey, Translator } from "../../../i18n/t.ts";
import type { Refused } from "../../api.ts";
import { officeRefusalText } from "../officeRefusalText.ts";

const keys: Record<string, OfficeKey> = {
  "domain name": "setup.refusal.domainName",
  domain: "setup.refusal.domain",
  "public key": "setup.refusal.publicKey",
  "private key": "setup.refusal.privateKey",
  "first address": "setup.refusal.firstAddress",
};

export function setupRefusalText(
  t: Translator<PublicKey | AppKey | OfficeKey>,
  refused: Refused<string>,
): string {
  const key = keys[refused.value];
  return key === undefined ? officeRefusalText(t, refused) : t(key);
}
