import type * as z from "zod/mini";
import { can, type OrderState } from "../../../contract/order-states.ts";
import type { Activation } from "../../../contract/orders.ts";

/** The server's states, and two local ones before its first answer (spec B §3). */
export type ItemState = "received" | "pending" | "canceled" | "unknown" | "wait" | "processing";

export interface Item {
  key: string;
  /** Undefined while the order is sent. */
  id: string | undefined;
  site: string;
  email: string;
  state: ItemState;
  code: string | undefined;
  link: string | undefined;
  value: string | undefined;
  /** Of the newest letter. */
  subject?: string | undefined;
  /** The buyer's own words. */
  note?: string | undefined;
  /** Dollars. */
  price: number | undefined;
  /** Unix seconds; undefined while the order is sent. */
  expiresAt: number | undefined;
  /** When its letter came, else when it was ordered; unix seconds. */
  at?: number | undefined;
  /** When the server accepted a local item, in milliseconds since 1970. */
  acceptedAt?: number;
}

type Wire = z.output<typeof Activation>;

const states = new Map<unknown, ItemState>([
  [1, "received"],
  [0, "pending"],
  [-1, "canceled"],
]);

/** The rows of an answer; drops those with the word `cancel` (spec B §3). */
export function itemsOf(data: readonly Wire[]): Item[] {
  return data
    .filter((wire) => String(wire.status) !== "cancel")
    .map((wire) => ({
      key: wire.activation_id,
      id: wire.activation_id,
      site: wire.from,
      email: wire.email,
      state: states.get(wire.status) ?? "unknown",
      code: wire.code,
      link: wire.link,
      value: wire.value,
      subject: wire.subject,
      note: wire.note,
      price: wire.price,
      expiresAt: wire.expires_at,
      at: wire.received_at ?? wire.created_at,
    }));
}

const settleMilliseconds = 3000;

/** The rows to show: local orders first, no canceled ones. Drops an accepted order that a clearly later list lacks (closed). */
export function merge(
  local: readonly Item[],
  listed: readonly Item[],
  listedAt: number,
  canceling: ReadonlySet<string>,
): Item[] {
  const known = new Set(listed.map((item) => item.id));
  const ours = local.filter(
    (item) =>
      item.acceptedAt === undefined ||
      (!known.has(item.id) && item.acceptedAt + settleMilliseconds > listedAt),
  );
  return [...ours, ...listed].filter((item) => item.id === undefined || !canceling.has(item.id));
}

export const longList = 20;

/** Whether a letter is awaited, and the list polled (spec B §4). */
export function isWaiting(item: Item): boolean {
  return item.state !== "received" && item.state !== "canceled";
}

interface WaitingList {
  data: readonly Wire[];
  waiting?: number | undefined;
}

/** The server's count of awaited letters; without one, that of the page. */
export const waitingOf = (list: WaitingList | undefined): number =>
  list?.waiting ?? itemsOf(list?.data ?? []).filter(isWaiting).length;

/** The same, with local orders and cancels that the list lacks. */
export function waitingIn(
  list: WaitingList | undefined,
  { shown, listed }: { shown: readonly Item[]; listed: readonly Item[] },
): number {
  const known = (items: readonly Item[]) => items.filter(isWaiting).length;
  return Math.max(0, waitingOf(list) + known(shown) - known(listed));
}

/** Green for a letter, red for a canceled order, else blue (spec B §4). */
export function toneOf(state: ItemState): "good" | "bad" | "accent" {
  if (state === "received") return "good";
  return state === "canceled" ? "bad" : "accent";
}

const orderStates: Record<ItemState, OrderState | undefined> = {
  received: "received",
  pending: "pending",
  processing: "pending",
  canceled: "canceled",
  unknown: undefined,
  wait: undefined,
};

export function mayAct(act: Parameters<typeof can>[0], item: Item): boolean {
  const state = orderStates[item.state];
  return item.id !== undefined && state !== undefined && can(act, state);
}

/** The value of the buyer's own pattern, else the found code. */
export function answerIn(found: {
  value?: string | undefined;
  code?: string | undefined;
}): string | undefined {
  return found.value || found.code || undefined;
}

/** The link if it is http or https, else undefined. */
export function webLink(link: string | undefined): string | undefined {
  return link !== undefined && /^https?:\/\//i.test(link) && URL.canParse(link) ? link : undefined;
}

/** Rows that waited and vanished after their time: refunded without a letter. */
export function expiredSince(before: readonly Item[], now: readonly Item[], unixSeconds: number): Item[] {
  const there = new Set(now.map((item) => item.id));
  return before.filter(
    (item) =>
      isWaiting(item) &&
      item.id !== undefined &&
      !there.has(item.id) &&
      item.expiresAt !== undefined &&
      item.expiresAt <= unixSeconds,
  );
}

/** Rows with a letter that waited for it before. */
export function receivedSince(waited: ReadonlySet<string>, now: readonly Item[]): Item[] {
  return now.filter((item) => item.state === "received" && item.id !== undefined && waited.has(item.id));
}

/** The rows with a letter above and below a row. */
export function neighboursOf(items: readonly Item[], item: Item): { previous?: Item; next?: Item } {
  const opening = items.filter((one) => mayAct("read", one));
  const at = opening.findIndex(({ key }) => key === item.key);
  const [previous, next] = at === -1 ? [] : [opening[at - 1], opening[at + 1]];
  return { ...(previous && { previous }), ...(next && { next }) };
}
