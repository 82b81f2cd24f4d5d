// Partners and investors ask for what they earned; the operator pays it from a wallet of their own (docs/decisions/118).
import { least } from "../platform/bigints.ts";
import type { Invariant } from "../../contract/office/audit.ts";
import { pageSize } from "../../contract/limits.ts";
import { secondsAfter } from "../platform/clock.ts";
import { attempt, type Db, type Sql, type Tx } from "../platform/db/db.ts";
import type { From } from "../platform/http/place.ts";
import { showUsd, type Usd, usdFromUnits } from "../platform/money.ts";
import type { Seal } from "../platform/seal.ts";
import * as ledger from "../ledger/ledger.ts";
import { nameCoins, type Payouts } from "../payments/payments.ts";
import { tellOwner } from "../users/users.ts";
import { cancelIn } from "./withdrawals.end.ts";
import {
  lookAtSent,
  type NotPaid,
  type NotRefused,
  pay,
  type Paid,
  refuse,
  type Refusing,
} from "./withdrawals.office.ts";
import * as rows from "./withdrawals.sql.ts";

export type { WithdrawalRow } from "./withdrawals.sql.ts";
export { cancelWaiting } from "./withdrawals.end.ts";

/** The least of one, the most of one, and the most of an account in 24 hours. */
export interface WithdrawalLimits {
  readonly least: Usd;
  readonly one: Usd;
  readonly day: Usd;
}

export interface Asked {
  readonly userId: bigint;
  readonly way: rows.WithdrawalRow["book"];
  readonly amount: Usd;
  readonly wallet: string;
  readonly address: string;
  /** Repeated under the same key it is one withdrawal. */
  readonly key?: string | undefined;
  /** From where, for the mail to the owner. */
  readonly from?: From | undefined;
}

export type NotAsked =
  | "no withdrawals"
  | "wallet"
  | "address"
  | "own address"
  | "no rate"
  | "too small"
  | "too large"
  | "more than due"
  | "key used";

/** What can be asked for now. */
export interface Terms {
  readonly least: Usd;
  readonly most: Usd;
  readonly leftToday: Usd;
  readonly wallets: readonly { readonly id: string; readonly rate: Usd }[];
}

export interface Withdrawals {
  /** Holds the sum and tells the owner by mail. "too small", "too large": the terms say how much may be asked for. */
  ask(asked: Asked, at: Date): Promise<rows.WithdrawalRow | NotAsked>;
  /** Cancels one that was not sent. */
  cancel(
    asked: { userId: bigint; id: bigint },
    at: Date,
  ): Promise<rows.WithdrawalRow | "no withdrawal" | "withdrawal decided">;
  list(userId: bigint, page: number): Promise<{ withdrawals: rows.WithdrawalRow[]; pages: number }>;
  /** Undefined where the shop takes no requests. */
  terms(userId: bigint, at: Date): Promise<Terms | undefined>;
  pay(paying: Parameters<typeof pay>[1], at: Date): Promise<Paid | NotPaid>;
  refuse(refusing: Refusing, at: Date): Promise<rows.WithdrawalRow | NotRefused>;
  /** Looks again at transactions that were not final. */
  lookAtSent(at: Date, signal: AbortSignal): Promise<void>;
  standing(): Promise<{ waiting: number; sent: number; oldest: Date | null }>;
}

export interface Parts {
  readonly db: Db;
  readonly sealOf: () => Promise<Seal>;
  readonly payouts: Payouts;
}

/** `isOffered`: new ones are taken; those that wait are paid, refused and canceled in any case. */
export function openWithdrawals(
  parts: Parts & { readonly isOffered: boolean; readonly limits: WithdrawalLimits },
): Withdrawals {
  const { db, isOffered, limits, payouts } = parts;
  return {
    ask: async (asked, at) => (isOffered ? ask(parts, limits, asked, at) : "no withdrawals"),
    cancel: ({ userId, id }, at) =>
      attempt(db, async (tx) => {
        const row = await rows.lockWithdrawal(tx, id);
        if (row?.userId !== userId) return "no withdrawal";
        if (row.state === "canceled") return row;
        return row.state === "waiting" ? cancelIn(tx, row, at) : "withdrawal decided";
      }),
    list: async (userId, page) => {
      const [listed, { count }] = await Promise.all([
        rows.selectPage(db, userId, { skip: (page - 1) * pageSize, size: pageSize }),
        rows.countOwn(db, userId),
      ]);
      return { withdrawals: listed, pages: Math.ceil(count / pageSize) };
    },
    terms: async (userId, at) => {
      if (!isOffered) return undefined;
      const [offers, leftToday] = await Promise.all([payouts.offers(), leftOf(db, limits, userId, at)]);
      const most = least(leftToday, limits.one);
      const wallets = offers.map(({ currency, rate }) => ({ id: currency.id, rate }));
      return { least: limits.least, most, leftToday, wallets };
    },
    pay: (paying, at) => pay(parts, paying, at),
    refuse: (refusing, at) => refuse(parts, refusing, at),
    lookAtSent: (at, signal) => lookAtSent(parts, at, signal),
    standing: () => rows.selectStanding(db),
  };
}

/** Checks that the ledger holds what withdrawals say. */
export const audit = (sql: Sql): Promise<Invariant[]> => rows.selectInvariants(sql);

const daySeconds = 24 * 60 * 60;

async function leftOf(sql: Sql, { day }: WithdrawalLimits, userId: bigint, at: Date): Promise<Usd> {
  const { sum } = await rows.sumAsked(sql, userId, secondsAfter(at, -daySeconds));
  return usdFromUnits(sum < day ? day - sum : 0n);
}

async function ask(
  { db, sealOf, payouts }: Parts,
  limits: WithdrawalLimits,
  asked: Asked,
  at: Date,
): Promise<rows.WithdrawalRow | NotAsked> {
  const { amount, wallet, address, userId, key } = asked;
  const known = key === undefined ? undefined : await rows.selectByKey(db, userId, key);
  if (known) return isSame(known, asked) ? known : "key used";
  if (amount < limits.least) return "too small";
  if (amount > limits.one) return "too large";
  const payee = await payouts.payee(wallet, address);
  if (typeof payee === "string") return payee;
  const quote = await payouts.quote(payee.currency.id, amount);
  if (quote === "no rate") return quote;
  const seal = await sealOf();
  return attempt(db, async (tx) => {
    // Of two at once the second counts the first, and finds its key.
    await rows.lockAsker(tx, userId);
    const first = key === undefined ? undefined : await rows.selectByKey(tx, userId, key);
    if (first) return isSame(first, asked) ? first : "key used";
    if (amount > (await leftOf(tx, limits, userId, at))) return "too large";
    return hold(tx, seal, { ...asked, ...payee, ...quote }, at);
  });
}

type Held = Asked & Exclude<Awaited<ReturnType<Payouts["payee"]>>, string> & { units: bigint; rate: Usd };

async function hold(tx: Tx, seal: Seal, held: Held, at: Date): Promise<rows.WithdrawalRow | "more than due"> {
  const { userId, way: book, amount, currency, from, address } = held;
  const row = await rows.insertWithdrawal(tx, {
    ...held,
    book,
    currency: currency.id,
    chain: currency.chain,
    key: held.key ?? null,
    at,
  });
  const moved = await ledger.holdWithdrawal(tx, { id: row.id, userId, book, amount });
  if (moved === "no balance") return "more than due";
  const about = `${nameCoins(row.units, row.currency)}, ${address}`;
  const happened = { userId, kind: "withdrawal-asked", amount: showUsd(amount), about, from } as const;
  await tellOwner(tx, seal, happened, at);
  return row;
}

const isSame = (row: rows.WithdrawalRow, { way, amount, wallet, address }: Asked) =>
  row.book === way && row.amount === amount && row.currency === wallet && row.address === address;
