// A second look at the money: what stands at each address by its chain, against the transfers that the watcher recorded. Its calls are
// its own, so what the watcher missed, for whatever reason, is found here.
import type { CurrencyId } from "../../../contract/currencies.ts";
import { secondsAfter } from "../../platform/clock.ts";
import { attempt } from "../../platform/db/db.ts";
import { usd } from "../../platform/money.ts";
import type { Network } from "../networks/network.ts";
import { secondsOf } from "../payments.finality.ts";
import { carryOut, keepTransfers, noteNews, type Watch } from "../payments.crediting.ts";
import * as payments from "../payments.sql.ts";
import { isDust, showCoins, worth } from "../payments.terms.ts";
import * as rows from "./reconcile.sql.ts";

export interface Compared {
  /** How many balances were asked. */
  readonly asked: number;
  /** Payments that must stay open: their addresses hold more than their transfers explain. */
  readonly open: ReadonlySet<bigint>;
  /** Payments to which transfers were found that had not been recorded. */
  readonly found: ReadonlySet<bigint>;
}

type Payment = payments.PaymentRow;

/** Whether a chain has balances of its own to compare: not the sandbox, nor a program that keeps the record itself. */
export const isReconciled = (network: Network): boolean =>
  network.balances !== undefined && !network.isSandbox && network.isElsewhere !== true;

/** Compares the addresses of payments in every currency of a chain, looked at before at `seenAt`. Throws NodeTrouble when the nodes fail. */
export async function compare(
  watch: Watch,
  network: Network,
  those: readonly Payment[],
  signal: AbortSignal,
  seenAt?: Date | null,
): Promise<Compared> {
  const [open, found] = [new Set<bigint>(), new Set<bigint>()];
  let asked = 0;
  for (const currency of network.currencies) {
    const some = isReconciled(network) ? those : those.filter((payment) => payment.currency === currency);
    const addresses = some.map(({ canonical }) => canonical);
    const balances = some.length > 0 ? await network.balances?.(currency, addresses, signal) : undefined;
    if (!balances) continue;
    asked += balances.length;
    const looks = await looksOf(watch, network, currency, { those: some, balances, seenAt });
    const explained = looks.filter(({ rise }) => isDust(rise, currency));
    const now = watch.clock();
    const changed = explained.flatMap((look) => settledOf(look, now) ?? []);
    if (changed.length > 0) await rows.putStood(watch.db, network.name, now, changed);
    for (const look of looks) {
      if (isDust(look.rise, currency)) continue;
      const { news, isOpen } = await follow(watch, network, look, signal);
      for (const id of news) found.add(id);
      if (isOpen) open.add(look.payment.id);
    }
  }
  return { asked, open, found };
}

interface Look {
  readonly payment: Payment;
  readonly currency: CurrencyId;
  readonly balance: bigint;
  readonly recorded: rows.Recorded;
  readonly stood: rows.Stood;
  /** More than the recorded transfers and the base explain. */
  readonly rise: bigint;
  readonly isKnown: boolean;
}

// A balance may be asked of a node that lags a little behind the one which showed a transfer as final.
const settledSeconds = 10 * 60;

async function looksOf(
  { db, clock }: Watch,
  { name }: Network,
  currency: CurrencyId,
  found: { those: readonly Payment[]; balances: readonly bigint[]; seenAt: Date | null | undefined },
): Promise<Look[]> {
  const { those, balances, seenAt = null } = found;
  const ids = those.map(({ id }) => id);
  const find = <Row extends { paymentId: bigint; currency: string }>(found: readonly Row[]) =>
    new Map(found.filter((row) => row.currency === currency).map((row) => [row.paymentId, row]));
  // After the balances: what was recorded meanwhile explains a rise, and no rise is made up.
  const recorded = find(await rows.selectRecorded(db, name, ids, secondsAfter(clock(), -settledSeconds)));
  const stood = find(await rows.selectStood(db, name, ids));
  return those.map((payment, place) => {
    const { id: paymentId } = payment;
    const theirs = recorded.get(paymentId) ?? nothingRecorded(paymentId, currency);
    const known = stood.get(paymentId);
    // It was in that round for certain only if it had ended by then.
    const explainedAt = seenAt !== null && seenAt > payment.expiresAt ? seenAt : null;
    const nothing = { balance: 0n, base: 0n, unexplained: 0n, since: null, explainedAt };
    const before = known ?? { paymentId, currency, ...nothing };
    const balance = balances[place] ?? 0n;
    const rise = balance - theirs.amount - before.base;
    return {
      payment,
      currency,
      balance,
      recorded: theirs,
      stood: before,
      rise,
      isKnown: known !== undefined,
    };
  });
}

const nothingRecorded = (paymentId: bigint, currency: string): rows.Recorded => ({
  paymentId,
  currency,
  amount: 0n,
  settled: 0n,
  isDoubted: false,
});

/** The row of an address where nothing is to be explained; undefined where nothing has changed. A fall is a sweep: the new base. */
function settledOf({ balance, recorded, stood, isKnown }: Look, now: Date): rows.Stood | undefined {
  const beyond = balance - recorded.settled;
  const base = !recorded.isDoubted && beyond < stood.base ? beyond : stood.base;
  if (!isKnown && balance === 0n && base === 0n) return undefined;
  return { ...stood, balance, base, unexplained: 0n, since: null, explainedAt: now };
}

const dollar = usd("1");

/** Looks for the transfers of a rise. `isOpen`: they are looked for once more, and the payment must not end before. */
async function follow(
  watch: Watch,
  network: Network,
  look: Look,
  signal: AbortSignal,
): Promise<{ news: readonly bigint[]; isOpen: boolean }> {
  const { db, clock, log, rates } = watch;
  const { payment, currency, balance, stood } = look;
  const { canonical, createdAt, id } = payment;
  const found = (await network.search?.(canonical, stood.explainedAt ?? createdAt, signal)) ?? [];
  const news = found.length > 0 ? await keepTransfers(watch, network, found) : [];
  const [recorded] = (await rows.selectRecorded(db, network.name, [id], clock())).filter(
    (row) => row.currency === currency,
  );
  const rise = balance - (recorded?.amount ?? 0n) - stood.base;
  const now = clock();
  const save = (row: Partial<rows.Stood>) =>
    rows.putStood(db, network.name, now, [{ ...stood, balance, unexplained: 0n, since: null, ...row }]);
  const explained = { explainedAt: now };
  const detail = {
    payment: String(id),
    chain: network.name,
    amount: showCoins(rise, currency),
    of: currency,
  };
  if (isDust(rise, currency)) {
    await save(explained);
    if (news.length > 0)
      log.warn(
        { payment: String(id), chain: network.name },
        "a transfer was found by the balance of its address",
      );
    return { news, isOpen: false };
  }
  const rate = await rates.rateOf(currency);
  if (rate && worth(rise, rate.usd, currency) < dollar) {
    await save({ base: stood.base + rise, ...explained });
    return { news, isOpen: false };
  }
  const since = stood.since ?? now;
  if (now < secondsAfter(since, patienceOf(network))) {
    await save({ unexplained: rise, since });
    if (stood.since === null) {
      await payments.insertEvent(db, { paymentId: id, at: now, what: "unseen", detail: {} });
      log.warn(detail, "an address has more than its transfers explain; it is looked at again");
    }
    return { news, isOpen: true };
  }
  if (await putUnderReview(watch, network, { ...look, stood: { ...stood, since } }))
    log.error(detail, "an address has more than its transfers explain; its payment is under review");
  return { news, isOpen: false };
}

/** Until a transfer that a contract made is deep enough to be read, and one look more. */
const patienceOf = (network: Network) => (secondsOf(network, usd("0")) ?? 0) + 60;

async function putUnderReview(
  { db, clock, seal }: Watch,
  { name: chain }: Network,
  { payment: { id }, currency, balance, stood }: Look,
): Promise<boolean> {
  return attempt(db, async (tx) => {
    const payment = await payments.lockPayment(tx, id);
    if (!payment) return false;
    const now = clock();
    // Another process may have recorded it meanwhile.
    const recorded = await rows.selectRecorded(tx, chain, [id], now);
    const theirs = recorded.find((row) => row.currency === currency)?.amount ?? 0n;
    const amount = balance - theirs - stood.base;
    await rows.putStood(tx, chain, now, [
      { ...stood, balance, unexplained: 0n, since: null, explainedAt: now },
    ]);
    if (isDust(amount, currency)) return false;
    await rows.insertRise(tx, { payment, chain, currency, amount, at: stood.since ?? now });
    await noteNews(tx, [id], now);
    const next = { state: "review", credits: [], dueAt: null } as const;
    await carryOut(tx, { clock, seal }, { payment, transfers: [], next });
    const detail = { why: "unseen", amount: showCoins(amount, currency), of: currency };
    await payments.insertEvent(tx, { paymentId: id, at: now, what: "review", detail });
    return true;
  });
}
