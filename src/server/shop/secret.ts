import * as journal from "../journal/journal.ts";
import { resolveSecret } from "../platform/config/config.ts";
import { attempt } from "../platform/db/db.ts";
import { acceptKey, isOwnKey } from "../platform/secret-key.ts";
import { createSeal } from "../platform/seal.ts";
import { type Act, operator, refused, ok } from "./answer.ts";
import type { Nouns } from "./nouns.ts";

export function addSecretCommands({ noun, verb }: Nouns): void {
  const secret = noun("secret", "the key that seals tokens and passwords");
  const about =
    "takes the SECRET_KEY of the settings, though the database was sealed with another: for when that one is lost";
  verb(secret, "accept", about, () => accept);
}

const accept: Act = async ({ db, config }) => {
  const seal = createSeal(resolveSecret(config));
  if (await isOwnKey(db, seal))
    return refused("The database has this SECRET_KEY already: nothing is to be done.");
  await attempt(db, async (tx) => {
    await acceptKey(tx, seal);
    await journal.note(tx, { by: operator, did: "secret accept", about: "SECRET_KEY" });
  });
  return ok(
    { accepted: true },
    "The shop starts with this SECRET_KEY from now on. What the lost one sealed cannot be read any more: programs need new tokens, " +
      "webhooks new secrets, hosted mailboxes their passwords (stock import). People log in with their password as before.",
  );
};
