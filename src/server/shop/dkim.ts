import { recordOf } from "../mailer/mailer.ts";
import { type Act, list, refused, ok } from "./answer.ts";
import type { Nouns } from "./nouns.ts";

export function addDkimCommands({ noun, verb }: Nouns): void {
  const dkim = noun("dkim", "the signature of our own mail");
  verb(dkim, "record", "shows the DNS record of the key that signs our mail", () => record);
}

// A TXT record consists of strings of at most 255 bytes (RFC 1035 §3.3.14); resolvers join them.
const stringLengthMax = 255;

const record: Act = async ({ config }) => {
  if (!config.dkim) return refused("Our mail is not signed: DKIM_KEY is not set.");
  const { name, value } = recordOf(config.dkim);
  const strings = (value.match(new RegExp(`.{1,${stringLengthMax}}`, "g")) ?? []).map((part) => `"${part}"`);
  const zone = `${name}. IN TXT ( ${strings.join(" ")} )`;
  return ok(
    { name, type: "TXT", value, zone },
    `${list({ name, type: "TXT", value })}\n\nThe same for a zone file:\n${zone}`,
  );
};
