// Shows little of a letter that is not delivered: it may be another buyer's.
import { timelineLettersMax } from "../../../contract/limits.ts";
import { attempt, type Db } from "../../platform/db/db.ts";
import type { Usd } from "../../platform/money.ts";
import { hideCodes, prepare } from "../../letters/letters.ts";
import { callNoteTerms } from "../lists/lists.sql.ts";
import { isCanceledByShop } from "../orders.admin.ts";
import { deliver } from "../orders.ts";
import { type DeliveredLetter, selectDelivered } from "../orders.sql.ts";
import {
  isReleasable,
  selectLife,
  selectMoney,
  selectOfAddress,
  selectSeen,
  selectWhole,
  type Life,
  type Money,
  type OrderOf,
  type Reader,
  type Seen,
} from "./timeline.sql.ts";

export type Step =
  | { at: Date; step: "ordered" | "charged" | "refunded"; amount: Usd }
  | { at: Date; step: "canceled" | "expired"; byShop?: true }
  | { at: Date; step: "released"; letterId: bigint }
  | { at: Date; step: "letter"; missed: Seen["missed"]; isReleasable: boolean; letter?: About | undefined };

interface About {
  readonly letterId: bigint;
  readonly sender: string;
  readonly subject: string;
}

/** Steps of an order, the oldest first; undefined when the user has none of that id. */
export async function timelineOf(
  db: Db,
  order: OrderOf,
  reader: Reader = "buyer",
): Promise<Step[] | undefined> {
  const life = await selectLife(db, order);
  if (!life) return undefined;
  const [money, seen, byShop] = await Promise.all([
    selectMoney(db, order),
    selectSeen(db, order, { size: timelineLettersMax, reader }),
    life.status === "canceled" && isCanceledByShop(db, order.orderId),
  ]);
  return [
    { at: life.createdAt, step: "ordered" as const, amount: life.price as Usd },
    ...seen.flatMap((letter) => stepsOfLetter(letter, { isOrderLiving: isLiving(life), reader })),
    ...closing(life, byShop),
    ...money.map(({ at, step, amount }: Money) => ({ at, step, amount: amount as Usd })),
  ].toSorted((one, other) => one.at.getTime() - other.at.getTime() || placeOf(one) - placeOf(other));
}

/** The timeline of any order as its buyer sees it, and of each letter that did not match who wrote it; for the operator alone. */
export async function wholeTimeline(db: Db, orderId: bigint) {
  const order = await selectWhole(db, orderId);
  if (!order) return undefined;
  const steps = await timelineOf(db, { userId: order.userId, orderId }, "operator");
  return steps && { ...order, steps };
}

/** Orders that an address was given to, the newest first; for the operator alone. */
export const ordersOfAddress = (db: Db, address: string, size: number): Promise<bigint[]> =>
  selectOfAddress(db, address.toLowerCase(), size);

type ReleaseRefused = "no activation" | "activation canceled" | "no letter";

/** Delivers a letter of the site that missed only the subject word or the pattern. A repeat answers the same and earns nothing. */
export function release(db: Db, order: OrderOf, letterId: bigint): Promise<DeliveredLetter | ReleaseRefused> {
  return attempt(db, async (tx) => {
    const life = await selectLife(tx, order);
    if (!life) return "no activation";
    const before = await selectDelivered(tx, order.orderId, letterId);
    if (before) return before;
    if (!isLiving(life)) return life.status === "received" ? "no letter" : "activation canceled";
    if (!(await isReleasable(tx, order, letterId))) return "no letter";
    const prepared = await prepare(tx, letterId, life.regex);
    // Checked again under the lock: of two buyers the first one gets it.
    if (!prepared || !(await isReleasable(tx, order, letterId))) return "no letter";
    await deliver(tx, [{ letterId, orderId: order.orderId, value: prepared.value }]);
    await callNoteTerms(tx, letterId);
    return (await selectDelivered(tx, order.orderId, letterId)) ?? "activation canceled";
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

/** Steps of one transaction have one time: sorts them by meaning. */
const placeOf = ({ step }: Step) => places.indexOf(step);

function stepsOfLetter(
  { arrivedAt, deliveredAt, missed, letterId, sender, subject }: Seen,
  { isOrderLiving, reader }: { isOrderLiving: boolean; reader: Reader },
): Step[] {
  // Hides codes of unpaid letters: an order with another subject word, this page and a refund would give the code for nothing.
  const isHidden = deliveredAt === null || reader === "operator";
  const about = isHidden ? hideCodes(subject ?? "") : (subject ?? "");
  const letter = letterId === null ? undefined : { letterId, sender: sender ?? "", subject: about };
  // Delivered after all: its domain has become one of the site.
  const lacks = deliveredAt !== null && missed === "sender" ? null : missed;
  const isRescuable = letter !== undefined && deliveredAt === null && isOrderLiving && reader === "buyer";
  const came: Step = { at: arrivedAt, step: "letter", missed: lacks, isReleasable: isRescuable, letter };
  if (lacks === null || deliveredAt === null || letterId === null) return [came];
  return [came, { at: deliveredAt, step: "released", letterId }];
}

function closing({ status, closedAt }: Life, byShop: boolean): Step[] {
  if (closedAt === null || (status !== "canceled" && status !== "expired")) return [];
  return [{ at: closedAt, step: status, ...(byShop && { byShop }) }];
}
