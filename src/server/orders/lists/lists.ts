import { setTimeout as pause } from "node:timers/promises";
import { historyLettersMax, pageSize } from "../../../contract/limits.ts";
import type { OrderState } from "../../../contract/order-states.ts";
import type { Db, Sql } from "../../platform/db/db.ts";
import { idsOf } from "../../platform/ids.ts";
import type { Usd } from "../../platform/money.ts";
import {
  callFillTerms,
  selectFound,
  selectListed,
  selectNumbered,
  selectOwn,
  selectRange,
  type Find,
} from "./lists.sql.ts";
import { selectBuyer, type OrderLetter, type OrderRow, type OrderFields } from "../orders.sql.ts";

export interface Filters {
  readonly state?: OrderState | undefined;
  /** 0: a site or a mail domain that is none. */
  readonly siteId?: number | undefined;
  readonly domainId?: number | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
}

export interface ListAsk extends Filters {
  readonly size?: number | undefined;
  readonly search?: string | undefined;
  /** A search finds orders of these sites alone: what is in the letters of others is not to be found out. */
  readonly onlySites?: ReadonlySet<number> | undefined;
}

interface ListPage {
  readonly userId: bigint;
  readonly isListed: boolean;
  readonly page: number;
  readonly ask: ListAsk;
}

const filePage = 1_000;
const fillSize = 1_000;

/** One page of a list. `total` only with a search or filters: otherwise counters tell it. */
export async function listed(
  db: Sql,
  { userId, isListed, page, ask }: ListPage,
): Promise<{ rows: OrderRow[]; total?: number; isCut: boolean }> {
  const { size = pageSize } = ask;
  const letters = isListed ? 1 : historyLettersMax;
  const find = findOf(ask);
  if (!find) return { rows: await selectListed(db, { userId, isListed, page, size, letters }), isCut: false };
  const { numbers, total, isCut } = await selectFound(db, { userId, isListed, page, size }, find);
  const rows = numbers.length === 0 ? [] : await selectNumbered(db, userId, numbers, letters);
  return { rows, total, isCut };
}

const shownIds = /\b[0-9]{11}\b/g;

/** A search with the told ids of the account's own orders as the database has them. Eleven digits may be a code, too. */
export async function withOwnIds(db: Db, userId: bigint, search: string): Promise<string> {
  const idOf = (shown: string) => idsOf(db).read(BigInt(shown));
  const mayBeIds = search.match(shownIds) ?? [];
  if (mayBeIds.length === 0) return search;
  const own = new Set(await selectOwn(db, userId, mayBeIds.map(idOf)));
  return search.replace(shownIds, (id) => (own.has(idOf(id)) ? String(idOf(id)) : id));
}

const wordsMax = 6;

/** Undefined when nothing narrows the list. */
function findOf({ search = "", onlySites, ...filters }: ListAsk): Find | undefined {
  const given = search.trim().toLowerCase().split(/\s+/u).filter(Boolean).slice(0, wordsMax);
  const { state, siteId, domainId, since, until } = filters;
  const isNarrowed = [state, siteId, domainId, since, until].some((filter) => filter !== undefined);
  if (given.length === 0 && !isNarrowed) return undefined;
  const address = given.find((word) => word.includes("@"));
  return {
    words: given.map((word) => word.replace(/@.*$/su, "").replace(/^#/u, "")).filter(Boolean),
    mail: address?.replace(/^.*@/su, ""),
    onlySites: given.length > 0 ? onlySites : undefined,
    state,
    siteId,
    domainId,
    since,
    until,
  };
}

export async function* every(
  db: Sql,
  userId: bigint,
  filters: Filters,
): AsyncGenerator<Order[], void, undefined> {
  const newest = (await selectBuyer(db, userId))?.ordersCount ?? 0;
  for (let last = newest; last > 0; last -= filePage) {
    const rows = await selectRange(db, userId, { first: last - filePage + 1, last }, filters);
    if (rows.length > 0) yield groupLetters(rows);
  }
}

/** For a job: notes what older orders are found by; uses half of one processor at most. */
export async function fillTerms(db: Db, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    const start = performance.now();
    if ((await callFillTerms(db, fillSize)).filled === 0) return;
    await pause(performance.now() - start);
  }
}

export type Order = Omit<OrderFields, "price"> & {
  price: Usd;
  letters: OrderLetter[];
  /** Whether the buyer may complain about the letter, or the state of the complaint; only of a single order. */
  notFromSite?: NonNullable<OrderRow["notFromSite"]>;
  /** How many letters it has; only of a single order. */
  messages?: number | undefined;
};

export function groupLetters(rows: readonly OrderRow[]): Order[] {
  const orders = new Map<bigint, Order>();
  for (const row of rows) {
    const {
      orderId,
      siteId,
      site,
      email,
      status,
      price,
      createdAt,
      expiresAt,
      regex,
      note,
      notFromSite,
      messages,
      ...letter
    } = row;
    const known = {
      orderId,
      siteId,
      site,
      email,
      status,
      price: price as Usd,
      createdAt,
      expiresAt,
      regex,
      note,
    };
    const order = orders.get(orderId) ?? {
      ...known,
      letters: [],
      messages,
      ...(notFromSite && { notFromSite }),
    };
    orders.set(orderId, order);
    if (letter.letterId !== null) order.letters.push(letter);
  }
  return [...orders.values()];
}
