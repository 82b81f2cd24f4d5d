import * as journal from "../journal/journal.ts";
import { isOver, keyStanding, sayStanding } from "../keys.ts";
import { now } from "../platform/clock.ts";
import { attempt } from "../platform/db/db.ts";
import { acceptKey, anotherKey, isOwnKey, isWritten, sealOf } from "../platform/secret-key.ts";
import { type Act, operator, refused, ok } from "./answer.ts";
import type { Nouns } from "./nouns.ts";

export function addSecretCommands({ noun, verb }: Nouns): void {
  const secret = noun("secret", "the key that seals tokens and passwords");
  const about =
    "takes the SECRET_KEY of the settings, though the database was sealed with another: for when that one is lost";
  verb(secret, "accept", about, () => accept);
  verb(secret, "show", "shows how far a change from SECRET_KEY_OLD to SECRET_KEY is", () => show);
}

const show: Act = async ({ db, config }) => {
  const seal = sealOf(config);
  if ((await isOwnKey(db, seal)) === false) return refused(anotherKey);
  const standing = await keyStanding(db, seal);
  if (!standing) return ok({ changing: false }, "SECRET_KEY_OLD is not set: no key changes.");
  if (!(await isWritten(db, seal)))
    return ok(
      { changing: true, written: false, ...standing },
      "No process of the shop has started with these keys yet: it is written with SECRET_KEY_OLD still.",
    );
  const at = now();
  const lost =
    standing.lost === 0 ? "" : ` ${standing.lost} secrets neither key opens: an earlier one was lost.`;
  return ok(
    { changing: true, written: true, over: isOver(standing, at), ...standing },
    sayStanding(standing, at) + lost,
  );
};

const accept: Act = async ({ db, config }) => {
  const seal = sealOf(config);
  if (await isWritten(db, seal))
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
