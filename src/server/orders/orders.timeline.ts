// What happened to an order, for its buyer: where his money is, which letters came, and what they lacked. What is told of a
// letter that was not given to him is little on purpose: it may be somebody else's.
import { attempt, type Db } from "../platform/db/db.ts";
import type { Usd } from "../platform/money.ts";
import { hideCodes, prepare } from "../letters/letters.ts";
import { deliver } from "./orders.ts";
import { type Given, selectGiven } from "./orders.sql.ts";
import {
  isReleasable,
  selectLife,
  selectMoney,
  selectSeen,
  type Life,
  type Money,
  type OrderOf,
  type Seen,
} from "./orders.timeline.sql.ts";

/** One thing that happened to an order. */
export type Step =
  | { at: Date; step: "ordered" | "charged" | "refunded"; amount: Usd }
  | { at: Date; step: "canceled" | "expired" }
  | { at: Date; step: "released"; letterId: bigint }
  | { at: Date; step: "letter"; missed: Seen["missed"]; isReleasable: boolean; letter?: About | undefined };

/** What is told of a letter that is the buyer's, or may become it. */
interface About {
  readonly letterId: bigint;
  readonly sender: string;
  readonly subject: string;
}

const lettersMax = 200;

/** The life of an order, step by step, the oldest first; undefined when there is none of that id of this user. */
export async function timelineOf(db: Db, order: OrderOf): Promise<Step[] | undefined> {
  const life = await selectLife(db, order);
  if (!life) return undefined;
  const [money, seen] = await Promise.all([selectMoney(db, order), selectSeen(db, order, lettersMax)]);
  return [
    { at: life.createdAt, step: "ordered" as const, amount: life.price as Usd },
    ...seen.flatMap((letter) => stepsOfLetter(letter, isLiving(life))),
    ...closing(life),
    ...money.map(({ at, step, amount }: Money) => ({ at, step, amount: amount as Usd })),
  ].toSorted((one, other) => one.at.getTime() - other.at.getTime() || placeOf(one) - placeOf(other));
}

type ReleaseRefused = "no activation" | "activation canceled" | "no letter";

/**
 * Gives a letter of the site that missed only the subject word or the pattern to the order of this user that it came for, while
 * the order lives. The first letter of an order earns its price, whoever gives it; done again it answers the same and earns nothing.
 */
export function release(db: Db, order: OrderOf, letterId: bigint): Promise<Given | ReleaseRefused> {
  return attempt(db, async (tx) => {
    const life = await selectLife(tx, order);
    if (!life) return "no activation";
    const before = await selectGiven(tx, order.orderId, letterId);
    if (before) return before;
    if (!isLiving(life)) return life.status === "received" ? "no letter" : "activation canceled";
    if (!(await isReleasable(tx, order, letterId))) return "no letter";
    const prepared = await prepare(tx, letterId, life.regex);
    // Asked again now that nobody else can give it away: of two buyers whose orders it missed the first one has it.
    if (!prepared || !(await isReleasable(tx, order, letterId))) return "no letter";
    await deliver(tx, [{ letterId, orderId: order.orderId, value: prepared.value }]);
    return (await selectGiven(tx, order.orderId, letterId)) ?? "activation canceled";
  });
}

const isLiving = ({ status, isOver }: Life) => !isOver && (status === "pending" || status === "received");

const places: Step["step"][] = [
  "ordered",
  "letter",
  "released",
  "charged",
  "canceled",
  "expired",
  "refunded",
];

/** What happens in one transaction has one time: then it is told in the order of its sense. */
const placeOf = ({ step }: Step) => places.indexOf(step);

function stepsOfLetter(
  { arrivedAt, deliveredAt, missed, letterId, sender, subject }: Seen,
  isOrderLiving: boolean,
): Step[] {
  // Many a site writes its code into the subject. Told of a letter that is not paid for, it would be had for nothing: by an order
  // that asks for another subject, a look here, and a refund.
  const about = deliveredAt === null ? hideCodes(subject ?? "") : (subject ?? "");
  const letter = letterId === null ? undefined : { letterId, sender: sender ?? "", subject: about };
  // A letter of another domain, given after all, came from what has become a domain of the site: then it fits.
  const lacks = deliveredAt !== null && missed === "sender" ? null : missed;
  const isRescuable = letter !== undefined && deliveredAt === null && isOrderLiving;
  const came: Step = { at: arrivedAt, step: "letter", missed: lacks, isReleasable: isRescuable, letter };
  if (lacks === null || deliveredAt === null || letterId === null) return [came];
  return [came, { at: deliveredAt, step: "released", letterId }];
}

function closing({ status, closedAt }: Life): Step[] {
  if (closedAt === null || (status !== "canceled" && status !== "expired")) return [];
  return [{ at: closedAt, step: status }];
}
