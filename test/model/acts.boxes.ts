// Two logins of one box: whose a letter is, and which of them stays on sale.
import { createHash } from "node:crypto";
import { addressed } from "../../src/server/imap/imap.addressed.ts";
import { noteMarks, sellOne } from "../../src/server/imap/imap.same.ts";
import { createLog } from "../../src/server/platform/log.ts";
import type { ModelMailbox } from "./model.ts";
import type { World } from "./world.ts";

const log = createLog("silent");
const boxOf = ({ mailboxId, email }: ModelMailbox) => ({ mailboxId, hostId: 0, login: email });

/** Which of these get a letter to an address, when their logins open one box. */
export async function takersOf({ db }: World, logins: ModelMailbox[], address: string) {
  const asked = await Promise.all(logins.map((each) => addressed(db, [[address]], boxOf(each))));
  return logins.filter((_, place) => asked[place]?.isMeant);
}

/** The server shows the same name for both. */
export async function showOneBox(
  { db, unique }: World,
  one: ModelMailbox,
  other: ModelMailbox,
): Promise<void> {
  const mark = createHash("sha256").update(unique()).digest();
  for (const each of [one, other])
    await sellOne(
      { db, log },
      await noteMarks(db, boxOf(each), [{ folder: "INBOX", uidValidity: 1n, uid: 0, mark }]),
    );
  const [first, second] = one.mailboxId < other.mailboxId ? [one, other] : [other, one];
  if (!first.isDead) second.isDead ||= first !== second;
}
