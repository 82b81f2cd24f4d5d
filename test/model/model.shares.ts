// Shares and complaints in the model.
import { get, move, pay, type Model, type ModelOrder } from "./model.ts";

function endShare(model: Model, order: ModelOrder, state: "released" | "refused" | "refunded"): void {
  const { share } = order;
  if (share?.state !== "held") return;
  const { books, earned } = get(model.users, share.investorId);
  books["investor.held"] -= share.amount;
  if (state === "released") {
    books.investor += share.amount;
    earned.investor.sum += share.amount;
    earned.investor.count += 1;
  } else model.shop.revenue += share.amount;
  for (const part of order.waiting) {
    get(model.users, part.userId).books[`${part.book}.held`] -= part.amount;
    if (state === "refunded") model.shop.revenue += part.amount;
    else pay(model, order.userId, part);
  }
  order.waiting = [];
  if (state === "refunded") {
    model.shop.revenue -= order.price;
    move(model, order.userId, order.price);
  }
  share.state = state;
  share.isDue = false;
  if (state === "refunded") share.complaint = "refunded";
  else if (share.complaint === "review") share.complaint = "rejected";
}

export function prove(model: Model, letterId: bigint): void {
  for (const order of model.orders) {
    if (order.share?.state !== "held" || !order.letterIds.includes(letterId) || isOff(model, order)) continue;
    endShare(model, order, "released");
    order.share.isProved = true;
  }
}

export function complain(model: Model, userId: bigint, order: ModelOrder): string {
  if (order.userId !== userId) return "no activation";
  if (order.status === "pending") return "wait message";
  if (order.status !== "received") return "activation canceled";
  const { share } = order;
  if (share?.complaint) return "already complained";
  if (share?.isProved) return "letter proved";
  if (share?.state !== "held") return "not complainable";
  const theirs = model.orders.filter((each) => each.userId === userId);
  const complaints = theirs.filter((each) => each.share?.complaint).length;
  const received = theirs.filter((each) => each.status === "received").length;
  if (complaints < 3 || complaints * 10 < received) {
    endShare(model, order, "refunded");
    return "refunded";
  }
  share.complaint = "review";
  share.isDue = false;
  return "under review";
}

export function decideComplaint(model: Model, order: ModelOrder, state: "refunded" | "rejected"): boolean {
  const { share } = order;
  if (share?.complaint !== "review") return false;
  if (state === "refunded") endShare(model, order, "refunded");
  else Object.assign(share, { complaint: "rejected", isDue: !isOff(model, order) });
  return true;
}

export function decideShares(
  model: Model,
  batchId: number,
  siteId: number,
  state: "released" | "refused",
): bigint | undefined {
  const pair = `${batchId} ${siteId}`;
  const held = heldOf(model).filter((order) => pairOf(order) === pair);
  if (held.length === 0 && !(state === "released" && model.refused.has(pair))) return undefined;
  if (state === "refused") model.refused.add(pair);
  else model.refused.delete(pair);
  for (const order of held)
    endShare(model, order, state === "refused" && order.share?.complaint === "review" ? "refunded" : state);
  return held.reduce((sum, { share }) => sum + (share?.amount ?? 0n), 0n);
}

/** Three days pass. No site has enough data for a release by comparison. */
export function settleShares(model: Model): void {
  for (const order of heldOf(model)) {
    if (order.share?.isDue !== true) continue;
    if (model.refused.has(pairOf(order))) endShare(model, order, "refused");
    else order.share.isDue = false;
  }
}

/** Takes a batch off sale, or puts it back. What it holds waits for the operator meanwhile, and is decided anew afterwards. */
export function withdraw(model: Model, batchId: number, isWithdrawn: boolean): void {
  const batch = get(model.batches, batchId);
  if (batch.isWithdrawn === isWithdrawn) return;
  batch.isWithdrawn = isWithdrawn;
  for (const { mailbox, share } of heldOf(model))
    if (mailbox.batchId === batchId && share?.complaint !== "review") share!.isDue = !isWithdrawn;
}

const isOff = (model: Model, { mailbox }: ModelOrder) => get(model.batches, mailbox.batchId).isWithdrawn;
const heldOf = (model: Model) => model.orders.filter(({ share }) => share?.state === "held");
const pairOf = ({ mailbox, siteId }: ModelOrder) => `${mailbox.batchId} ${siteId}`;
