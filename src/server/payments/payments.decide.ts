import { currencyIds } from "../../contract/currencies.ts";
import type { CurrencyId } from "../../contract/currencies.ts";
import * as journal from "../journal/journal.ts";
import { attempt } from "../platform/db/db.ts";
import { showUsd, type Usd } from "../platform/money.ts";
import { creditable, priceDecided, type State } from "./payments.state.ts";
import { paymentOf, carryOut, seenOf, tellStep, type Watch } from "./payments.crediting.ts";
import { setDecided } from "./payments.decide.sql.ts";
import * as rows from "./payments.sql.ts";

/** `credit` gives what is confirmed, as a late transfer at the present rate or `atLock`; `reject` gives nothing. */
export interface Decision {
  readonly does: "credit" | "reject";
  readonly atLock?: boolean;
  readonly reason: string;
  readonly by: string;
}

// Ended without a credit: an operator may still credit what came.
const uncredited: readonly State[] = ["expired", "expired_partial", "rejected"];

/** "no review": no decision is due. "nothing confirmed": there is nothing to credit. "no rate": there is no present rate. */
export type NotDecided = "no payment" | "no review" | "nothing confirmed" | "no rate";

/** The buyer's word on a payment that is short. The next pass verifies once more and credits. */
export async function askForCredit(
  { db, clock, log }: Watch,
  { userId, id }: { userId: bigint; id: bigint },
): Promise<"asked" | "no payment" | "nothing to credit"> {
  const outcome = await attempt(db, async (tx) => {
    const payment = await rows.lockPayment(tx, id);
    if (payment?.userId !== userId) return "no payment";
    if (payment.creditAsked) return { isNew: false };
    const now = clock();
    const transfers = await rows.selectTransfers(tx, id);
    const credit = creditable(paymentOf(payment), transfers.map(seenOf), now);
    if (credit === undefined) return "nothing to credit";
    await rows.setCreditAsked(tx, id, now);
    await rows.insertEvent(tx, {
      paymentId: id,
      at: now,
      what: "credit asked",
      detail: { sum: showUsd(credit) },
    });
    await tellStep(tx, { ...payment, state: "confirming" });
    return { isNew: true };
  });
  if (typeof outcome === "string") return outcome;
  if (outcome.isNew) log.info({ payment: String(id) }, "a buyer asked for the credit of what came");
  return "asked";
}

/** Marks that the buyer will not pay, or will. A payment to which something came, or whose time is up, stays as it is. */
export async function drop(
  { db, clock }: Watch,
  { userId, id, undo }: { userId: bigint; id: bigint; undo: boolean },
): Promise<"done" | "no payment" | "payment closed"> {
  return attempt(db, async (tx) => {
    const payment = await rows.lockPayment(tx, id);
    if (payment?.userId !== userId) return "no payment";
    const now = clock();
    const { state, received, expiresAt } = payment;
    if (state !== "awaiting" || received > 0n || expiresAt <= now) return "payment closed";
    if (payment.isDropped === !undo) return { isNew: false };
    await rows.setDropped(tx, id, undo ? null : now);
    const what = undo ? "taken up again" : "dropped";
    await rows.insertEvent(tx, { paymentId: id, at: now, what, detail: {} });
    return { isNew: true };
  }).then((outcome) => (typeof outcome === "string" ? outcome : "done"));
}

/** Carries out a decision: credit, state, history and journal in one transaction. */
export async function decide(
  watch: Watch,
  id: bigint,
  { does, atLock = false, reason, by }: Decision,
): Promise<"decided" | NotDecided> {
  const { db, clock, rates, log } = watch;
  // Read before the lock, because it may wait for the database.
  const present = new Map<string, Usd | undefined>();
  for (const currency of currencyIds)
    present.set(currency, (await rates.rateOf(currency as CurrencyId))?.usd);
  const outcome = await attempt(db, async (tx) => {
    const payment = await rows.lockPayment(tx, id);
    if (!payment) return "no payment";
    const takes = does === "credit";
    if (payment.state !== "review" && !(takes && uncredited.includes(payment.state))) return "no review";
    const now = clock();
    await setDecided(tx, id, now, takes);
    await rows.noteNews(tx, [id], now);
    const transfers = await rows.selectTransfers(tx, id);
    const credits = takes
      ? priceDecided(paymentOf(payment), transfers.map(seenOf), { rateOf: (one) => present.get(one), atLock })
      : [];
    if (credits === "no rate") return credits;
    if (takes && credits.length === 0 && payment.credited === 0n) return "nothing confirmed";
    // What was credited before stays so, whatever is refused of what came later.
    const state = takes || payment.credited > 0n ? "credited" : "rejected";
    const next = { state, credits, dueAt: null } as const;
    const credit = await carryOut(tx, watch, { payment, transfers, next });
    const detail = { does, by, reason, credited: showUsd(credit), ...(atLock ? { atLock } : {}) };
    await rows.insertEvent(tx, { paymentId: id, at: now, what: "decided", detail });
    const [before, after] = [{ state: payment.state }, { state, credited: showUsd(credit) }];
    await journal.note(tx, { by, did: "payments decide", about: `payment ${id}`, before, after, reason });
    return { state, credit };
  });
  if (typeof outcome === "string") return outcome;
  const { state, credit } = outcome;
  log.info({ payment: String(id), by, credited: showUsd(credit) }, `a payment was decided: ${state}`);
  return "decided";
}
