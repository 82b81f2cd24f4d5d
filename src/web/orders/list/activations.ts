import type * as z from "zod/mini";
import { can, type OrderState } from "../../../contract/order-states.ts";
import type { Activation } from "../../../contract/orders.ts";

/** What the server says, and two states of our own while it has not said anything yet (spec B §3). */
export type ItemState = "received" | "pending" | "canceled" | "unknown" | "wait" | "processing";

/** One row of the activations list. */
export interface Item {
  key: string;
  /** Undefined while the order is on its way. */
  id: string | undefined;
  site: string;
  email: string;
  state: ItemState;
  code: string | undefined;
  link: string | undefined;
  value: string | undefined;
  /** Dollars. */
  price: number | undefined;
  /** Unix seconds; undefined while the order is on its way. */
  expiresAt: number | undefined;
  /** Milliseconds since 1970 at which the server took a local item. */
  acceptedAt?: number;
}

type Wire = z.output<typeof Activation>;

const states = new Map<unknown, ItemState>([
  [1, "received"],
  [0, "pending"],
  [-1, "canceled"],
]);

/** The list as the server sent it; what carries the word `cancel` is dropped (spec B §3). */
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
      price: wire.price,
      expiresAt: wire.expires_at,
    }));
}

const settleMilliseconds = 3000;

/**
 * The rows to show: orders that the list does not know yet on top, the ones being canceled left out. An accepted order
 * that a list fetched well after it does not hold any more was closed meanwhile.
 */
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

/** Of more rows than these only the ones in sight are laid out. */
export const longList = 20;

/** Is a letter still awaited? Then the list is asked for again (spec B §4). */
export function isWaiting(item: Item): boolean {
  return item.state !== "received" && item.state !== "canceled";
}

interface WaitingList {
  data: readonly Wire[];
  waiting?: number | undefined;
}

/** How many letters the server says are awaited; of its page alone where it does not say. */
export const waitingOf = (list: WaitingList | undefined): number =>
  list?.waiting ?? itemsOf(list?.data ?? []).filter(isWaiting).length;

/** The same, with what this page knows ahead of the list: orders on their way there, and those being canceled. */
export function waitingIn(
  list: WaitingList | undefined,
  { shown, listed }: { shown: readonly Item[]; listed: readonly Item[] },
): number {
  const known = (items: readonly Item[]) => items.filter(isWaiting).length;
  return Math.max(0, waitingOf(list) + known(shown) - known(listed));
}

/** Green for a letter, red for a canceled order, blue for everything else (spec B §4). */
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

/** May this be done to the row now? */
export function mayAct(act: Parameters<typeof can>[0], item: Item): boolean {
  const state = orderStates[item.state];
  return item.id !== undefined && state !== undefined && can(act, state);
}

/** What of a letter is wanted most: the value of the buyer's own pattern, else the code that was found. */
export function answerIn(found: {
  value?: string | undefined;
  code?: string | undefined;
}): string | undefined {
  return found.value || found.code || undefined;
}

/** A link out of a letter may be followed only when it leads to the web. */
export function webLink(link: string | undefined): string | undefined {
  return link !== undefined && /^https?:\/\//i.test(link) && URL.canParse(link) ? link : undefined;
}

/** The rows that waited and are gone because their time is over: nothing came, and the money is back. */
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

/** The rows that have their letter now and, as far as this page knows, waited for it before. */
export function receivedSince(waited: ReadonlySet<string>, now: readonly Item[]): Item[] {
  return now.filter((item) => item.state === "received" && item.id !== undefined && waited.has(item.id));
}
