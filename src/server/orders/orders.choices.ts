import { anySite } from "../catalog/catalog.ts";
import { saveChoice } from "../letters/letters.ts";
import { attempt, type Db } from "../platform/db/db.ts";
import { lockDelivery, saveChosen, type ChosenLetter } from "./orders.sql.ts";
import { selectLife } from "./timeline/timeline.sql.ts";

interface Choosing {
  readonly userId: bigint;
  readonly orderId: bigint;
  /** The newest without it. */
  readonly letterId: bigint | undefined;
  readonly code: string;
  readonly at: Date;
}

type ChooseRefused = "no activation" | "activation canceled" | "no letter" | "no candidate";

/** Notes which candidate of a letter is its code for its buyer, and for later letters of the site what the like of it is. */
export function choose(
  db: Db,
  { userId, orderId, letterId, code, at }: Choosing,
): Promise<ChosenLetter | ChooseRefused> {
  return attempt(db, async (tx) => {
    const life = await selectLife(tx, { userId, orderId });
    if (!life) return "no activation";
    if (life.status === "canceled" || life.status === "expired") return "activation canceled";
    const letter = await lockDelivery(tx, { userId, orderId }, letterId);
    if (!letter) return "no letter";
    const place = letter.codeCandidates?.findIndex(({ value }) => value === code) ?? -1;
    const candidate = letter.codeCandidates?.[place];
    // A sure code has no candidates: choosing it changes nothing.
    if (!candidate) return letter.code === code ? letter : "no candidate";
    await saveChosen(tx, { userId, orderId, letterId: letter.letterId }, place + 1);
    // Of an order for any sender nobody knows whose letters are like this one.
    if (letter.site !== anySite) {
      const { siteId } = letter;
      await saveChoice(tx, { siteId, userId, pattern: candidate.pattern, at });
    }
    return { ...letter, chosen: place + 1 };
  });
}
