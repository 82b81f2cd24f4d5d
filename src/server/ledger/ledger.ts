// Accounts and transfers (db/migrations/0001_ledger.sql). db/functions write the transfers of orders.
import type { z } from "zod/mini";
import { statementSize } from "../../contract/limits.ts";
import type { EarningsDay } from "../../contract/partners.ts";
import { seenBy } from "../events/events.ts";
import type { Db, Sql, Tx } from "../platform/db/db.ts";
import { everything, readFrom } from "../platform/db/replica.ts";
import { showUsd, type Usd } from "../platform/money.ts";
import {
  type AskedBook,
  type Book,
  type Gateway,
  gatewayAccounts,
  type HeldBook,
  shopAccounts,
} from "./ledger.books.ts";
import {
  moveMoney,
  openAccount,
  selectAccount,
  selectDays,
  selectMoved,
  selectDebits,
  selectPeriod,
  selectStatement,
  selectSums,
  type Day,
  type Line,
  type Sums,
} from "./ledger.sql.ts";

export type { Book, Gateway, HeldBook } from "./ledger.books.ts";

/** `repeat`: the key was used before for the same kind; nothing moved now. */
export type Moved = "ok" | "repeat";

/** `amount` is negative when money left the account; `balance` is the one after it. */
export type StatementLine = Omit<Line, "amount" | "balance" | "fits" | "isLast"> & {
  amount: Usd;
  balance: Usd;
};

/** What came and left in a period: opening + credit − debit = closing. */
export type StatementPeriod = { opening: Usd; credit: Usd; debit: Usd; closing: Usd };

/** `period`: on the first page, where one was asked for. */
export type Statement = {
  lines: StatementLine[];
  period: StatementPeriod | undefined;
  next: StatementCursor | undefined;
};

/** The next page begins with lines older than `id`, before which the balance was `balance`. */
export type StatementCursor = { id: bigint; balance: Usd };

export type AccountDay = Omit<Day, "credit" | "debit"> & { credit: Usd; debit: Usd };

/** Totals of a partner's book; payedDay as YYYY-MM-DD in UTC. */
export type Earnings = Omit<Sums, "earned" | "payed" | "payedDay" | "held" | "waiting"> & {
  earned: Usd;
  payed: Usd;
  payedDay: string | undefined;
  balance: Usd;
  /** Held until a proof or the operator; in none of the others. */
  held: Usd;
  /** Asked for and not paid yet; in `earned` alone. */
  waiting: Usd;
};

/** Opens the balance of a new user; idempotent. The other books open with their first money. */
export async function open(sql: Sql, userId: bigint): Promise<void> {
  await openAccount(sql, userId, "balance");
}

/** Zero for a book that was never opened. */
export async function balance(sql: Sql, userId: bigint, book: Book = "balance"): Promise<Usd> {
  const account = await selectAccount(sql, userId, book);
  return (account?.balance ?? 0n) as Usd;
}

/** Credits a confirmed payment once for each key, which names the chain, transaction and output. */
export async function credit(
  sql: Sql,
  top: { userId: bigint; amount: Usd; gateway: Gateway; idempotencyKey: string },
): Promise<Moved> {
  return granted(
    await move(sql, {
      from: gatewayAccounts[top.gateway],
      to: await accountOf(sql, top.userId, "balance"),
      kind: "topup",
      ...top,
    }),
  );
}

/** Gives a user a bonus of the shop, once for each key. */
export async function give(
  sql: Sql,
  bonus: { userId: bigint; amount: Usd; reason: string; idempotencyKey: string },
): Promise<Moved> {
  return granted(
    await move(sql, {
      from: shopAccounts.bonuses,
      to: await accountOf(sql, bonus.userId, "balance"),
      kind: "bonus",
      ...bonus,
    }),
  );
}

/**
 * Changes a book up or down (negative amount), once for each key, never below zero: what was paid out of earnings is gone.
 * "key used": for another change.
 */
export async function adjust(
  sql: Sql,
  change: { userId: bigint; book?: Book | undefined; amount: Usd; reason: string; idempotencyKey: string },
): Promise<Moved | "no balance" | "key used"> {
  const theirs = await accountOf(sql, change.userId, change.book ?? "balance");
  const amount: bigint = change.amount;
  const isUp = amount > 0n;
  return moveByHand(sql, {
    from: isUp ? shopAccounts.adjustments : theirs,
    to: isUp ? theirs : shopAccounts.adjustments,
    kind: "adjust",
    reason: change.reason,
    idempotencyKey: change.idempotencyKey,
    amount: (isUp ? amount : -amount) as Usd,
    // No letter was received for it.
    count: 0,
  });
}

/** Records a payout made outside of the shop, once for each key, never more than there is. "key used": the key names another payout. */
export async function payOut(
  sql: Sql,
  payout: { userId: bigint; book: Book; amount: Usd; reason?: string; idempotencyKey: string },
): Promise<Moved | "no balance" | "key used"> {
  return moveByHand(sql, {
    from: await accountOf(sql, payout.userId, payout.book),
    to: shopAccounts.payouts,
    kind: "payout",
    ...payout,
  });
}

interface Withdrawal {
  readonly id: bigint;
  readonly userId: bigint;
  readonly book: Exclude<Book, "balance">;
  readonly amount: Usd;
}

/** Holds what is to be withdrawn, until `endWithdrawal`. Never more than there is. */
export async function holdWithdrawal(
  tx: Tx,
  { id, userId, book, amount }: Withdrawal,
): Promise<"ok" | "no balance"> {
  const moved = await move(tx, {
    from: await accountOf(tx, userId, book),
    to: await accountOf(tx, userId, `${book}.asked`),
    kind: "withdraw",
    amount,
    idempotencyKey: `withdrawal ${id}`,
    count: 0,
  });
  if (moved === "repeat") throw new Error(`the withdrawal ${id} is held already`);
  return moved;
}

/** Ends it in favour of the "owner", to whom it was paid outside of the shop, or of the "book" that it came from. */
export async function endWithdrawal(
  tx: Tx,
  { id, userId, book, amount, to, reason }: Withdrawal & { to: "owner" | "book"; reason?: string },
): Promise<void> {
  const from = await accountOf(tx, userId, `${book}.asked`);
  const moved = await move(tx, {
    ...(to === "owner"
      ? { from, to: shopAccounts.payouts, kind: "payout", idempotencyKey: `withdrawal ${id}` }
      : {
          from,
          to: await accountOf(tx, userId, book),
          kind: "withdraw",
          idempotencyKey: `withdrawal ${id} back`,
        }),
    amount,
    ...(reason !== undefined && { reason }),
    count: 0,
  });
  if (moved !== "ok") throw new Error(`the withdrawal ${id} did not end: ${moved}`);
}

/** Ends held earnings, once for each key, in favour of the "partner" (of so many orders) or the "shop". Never more than is held. */
export async function endHold(
  sql: Sql,
  hold: {
    userId: bigint;
    book: "referrals" | "soft";
    amount: Usd;
    count: number;
    to: "partner" | "shop";
    idempotencyKey: string;
  },
): Promise<Moved | "no balance"> {
  const { userId, book, amount, idempotencyKey } = hold;
  const from = await accountOf(sql, userId, `${book}.held`);
  if (hold.to === "shop")
    return move(sql, { from, to: shopAccounts.revenue, kind: "forfeit", amount, idempotencyKey, count: 0 });
  const to = await accountOf(sql, userId, book);
  return move(sql, { from, to, kind: "release", amount, idempotencyKey, count: hold.count });
}

/** Makes all of a book the shop's, when its owner closes the account. */
export async function giveUp(tx: Tx, userId: bigint, book: Book): Promise<void> {
  const account = await selectAccount(tx, userId, book);
  if (!account || account.balance === 0n) return;
  const moved = await move(tx, {
    from: account.id,
    to: shopAccounts.revenue,
    kind: "forfeit",
    amount: account.balance as Usd,
    idempotencyKey: `closed ${userId} ${book}`,
    reason: "The owner closed the account and gave this up.",
    count: 0,
  });
  if (moved !== "ok") throw new Error(`the ${book} of user ${userId} was not given up: ${moved}`);
}

/**
 * `size` movements, the newest first, older than `before`. The cursor carries the running balance, so no page costs more than the first; the
 * first of a period reads all that is newer than its beginning. Of some kinds a page may have less lines and still a next one: each looks at
 * the next 10,000 movements.
 */
export async function statement(sql: Sql, userId: bigint, ask: StatementAsk = {}): Promise<Statement> {
  const { book = "balance", before, since, until, kinds, size = statementSize } = ask;
  const isPeriod = (since ?? until) !== undefined && before === undefined;
  const period = isPeriod ? await selectPeriod(sql, userId, book, { since, until }) : undefined;
  const start = before ?? (period && { id: period.end, balance: period.closing as Usd });
  const rows = await selectStatement(sql, userId, book, {
    before: start ?? null,
    since,
    until,
    kinds,
    size: size + 1,
    reach: kinds ? kindsReach : size + 1,
  });
  const shown = rows.slice(0, size);
  const last = rows.length > size ? shown.at(-1) : rows.find(({ isLast }) => isLast);
  return {
    lines: (shown as (StatementLine & (typeof rows)[number])[]).filter(({ fits }) => fits),
    period: isPeriod ? periodOf(period) : undefined,
    next: last && { id: last.id, balance: (last.balance - last.amount) as Usd },
  };
}

const kindsReach = 10_000;

/** A book that was never opened has nothing. */
function periodOf(period: Awaited<ReturnType<typeof selectPeriod>>): StatementPeriod {
  const { closing, credit, debit } = period ?? { closing: 0n, credit: 0n, debit: 0n };
  return {
    opening: (closing - credit + debit) as Usd,
    credit: credit as Usd,
    debit: debit as Usd,
    closing: closing as Usd,
  };
}

export interface StatementAsk {
  readonly book?: Book | undefined;
  readonly before?: StatementCursor | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
  readonly kinds?: readonly Line["kind"][] | undefined;
  readonly size?: number;
}

/** The same on a replica, where there is one. */
export function readStatement(db: Db, userId: bigint, ask: StatementAsk): Promise<Statement> {
  const read = (sql: Sql) => statement(sql, userId, ask);
  // Earnings change without a new revision.
  const { book = "balance" } = ask;
  return book === "balance"
    ? readFrom(db, seenBy(userId), read, () => read(db))
    : readFrom(db, everything, read, () => read(db));
}

/** All movements that are asked for, the newest first, in pages. Holds no connection between pages; leaves out newer movements. */
export async function* statementPages(
  db: Db,
  userId: bigint,
  ask: StatementAsk,
): AsyncGenerator<StatementLine[], void, undefined> {
  let before: StatementCursor | undefined;
  do {
    const { lines, next } = await readStatement(db, userId, { ...ask, before });
    yield lines;
    before = next;
  } while (before);
}

export async function toppedUp(sql: Sql): Promise<Record<Gateway, Usd>> {
  const gateways = Object.keys(gatewayAccounts) as Gateway[];
  const sums = await selectDebits(sql, Object.values(gatewayAccounts));
  const of = (gateway: Gateway) =>
    (sums.find(({ accountId }) => accountId === gatewayAccounts[gateway])?.debit ?? 0n) as Usd;
  return Object.fromEntries(gateways.map((gateway) => [gateway, of(gateway)])) as Record<Gateway, Usd>;
}

export async function earnings(sql: Sql, userId: bigint, book: Exclude<Book, "balance">): Promise<Earnings> {
  const sums = await selectSums(sql, userId, { book, held: `${book}.held`, asked: `${book}.asked` });
  return {
    earned: sums.earned as Usd,
    payed: sums.payed as Usd,
    payedDay: sums.payedDay ?? undefined,
    balance: (sums.earned - sums.payed - sums.waiting) as Usd,
    held: sums.held as Usd,
    waiting: sums.waiting as Usd,
    count: sums.count,
  };
}

/** Days as callers read them. */
export const daysOnWire = (days: readonly AccountDay[]): z.output<typeof EarningsDay>[] =>
  days.map(({ day, credit, count }) => ({ date: day, earned: showUsd(credit), count }));

/** Earnings by UTC day since `from`, the oldest first; without days without money. Days with a payout alone have no credit. */
export async function earnedByDay(
  sql: Sql,
  userId: bigint,
  book: Exclude<Book, "balance">,
  from: Date,
): Promise<AccountDay[]> {
  const account = await selectAccount(sql, userId, book);
  if (!account) return [];
  return (await selectDays(sql, account.id, from)) as AccountDay[];
}

type Move = {
  from: bigint;
  to: bigint;
  amount: Usd;
  kind: string;
  idempotencyKey: string;
  reason?: string;
  count?: number;
};

async function move(sql: Sql, { from, to, amount, kind, idempotencyKey, reason, count = 1 }: Move) {
  if (amount <= 0n) throw new Error("an amount to move must be above zero");
  if (idempotencyKey === "") throw new Error("a movement needs a key that names it");
  const row = await moveMoney(sql, {
    debit: from,
    credit: to,
    amount,
    kind,
    key: idempotencyKey,
    reason: reason ?? null,
    count,
  });
  return row.moved;
}

/** A key by a person may repeat by mistake: then the second movement must be refused. */
async function moveByHand(sql: Sql, wanted: Move): Promise<Moved | "no balance" | "key used"> {
  const moved = await move(sql, wanted);
  if (moved !== "repeat") return moved;
  const { from, to, amount, kind, idempotencyKey } = wanted;
  const before = await selectMoved(sql, kind, idempotencyKey);
  return before.debit === from && before.credit === to && before.amount === amount ? moved : "key used";
}

async function accountOf(sql: Sql, userId: bigint, book: Book | HeldBook | AskedBook): Promise<bigint> {
  const account = await selectAccount(sql, userId, book);
  if (account) return account.id;
  await openAccount(sql, userId, book);
  const opened = await selectAccount(sql, userId, book);
  if (!opened) throw new Error(`the account of user ${userId} was not opened`);
  return opened.id;
}

function granted(moved: Moved | "no balance"): Moved {
  if (moved === "no balance") throw new Error("an account of the shop has no balance to lack");
  return moved;
}
