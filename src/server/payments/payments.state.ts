// Computes the state of a payment from what its chain shows. Pure: no clock, no database.
import { least } from "../platform/bigints.ts";
import type { CurrencyId } from "../../contract/currencies.ts";
import { type PaymentStateName, paymentStates } from "../../contract/payments.ts";
import { secondsAfter } from "../platform/clock.ts";
import { type Usd, usd } from "../platform/money.ts";
import { currencyOf, graceSeconds, worth } from "./payments.terms.ts";

export type State = PaymentStateName;

/** The status on the wire (spec B §4): 0 pending, 1 confirmed, -1 rejected. */
export const wireStatus: Readonly<Record<State, -1 | 0 | 1>> = {
  awaiting: 0,
  underpaid: 0,
  confirming: 0,
  review: 0,
  credited: 1,
  expired: -1,
  expired_partial: -1,
  rejected: -1,
};

/** States in which a payment is not decided. */
export const openStates = paymentStates.filter((state) => wireStatus[state] === 0);

/** The asked sum, and the state of the payment when it was last read. */
export interface Payment {
  readonly usd: Usd;
  readonly currency: CurrencyId;
  /** Smallest units. */
  readonly due: bigint;
  readonly expiresAt: Date;
  readonly state: State;
  /** The buyer wants the credit of what came, though it is less. */
  readonly creditAsked?: boolean | undefined;
  /** Its address was emptied, and then more came from who had not paid before: perhaps the emptied money. */
  readonly cameBack?: boolean;
}

export interface Seen {
  readonly key: string;
  readonly currency: string;
  readonly amount: bigint;
  readonly cameAt: Date;
  readonly alive: boolean;
  readonly confirmed: boolean;
  /** The chain reported another amount since. */
  readonly disputed: boolean;
  readonly decided: boolean;
  readonly credited: Usd | null;
  /** At the present rate, of another coin than was asked; undefined without one. */
  readonly worth?: Usd | undefined;
  /** Known by a balance and not by a transfer. */
  readonly byBalance?: boolean;
}

export interface NextState {
  readonly state: State;
  /** Each transfer is credited by itself. */
  readonly credits: readonly { readonly key: string; readonly usd: Usd }[];
  /** When time alone will change the state; null when only the chain can. */
  readonly dueAt: Date | null;
  readonly why?: "other coin" | "no rate" | "vanished" | "amount" | "rejected" | "unseen" | "surplus";
}

/** Exchanges deduct their fee from the sum: with half a percent less a payment is complete. What came is credited, and no more. */
export function enough(due: bigint): bigint {
  return due - due / 200n;
}

/** What is credited of a payment that is short, once its buyer asks for it; undefined when there is nothing to ask for. */
export function creditable(payment: Payment, seen: readonly Seen[], now: Date): Usd | undefined {
  if (payment.state !== "underpaid" || !seen.every((transfer) => transfer.confirmed || !transfer.alive))
    return undefined;
  const next = nextState({ ...payment, creditAsked: true }, seen, undefined, now);
  return next.state === "credited" ? (sum(next.credits.map((credit) => credit.usd)) as Usd) : undefined;
}

// A locked rate is a free option on a falling price: it holds up to 102 % of the asked sum.
const honoured = (due: bigint) => (due * 102n) / 100n;

// Sweeping a coin costs a fee, so less than a dollar waits for more.
const dust = usd("1");

/** The earlier of the block's time and our first sight: downtime of the shop makes no payment late. */
export function cameAtOf({ firstSeen, blockAt }: { firstSeen: Date; blockAt: Date | null }): Date {
  return blockAt && blockAt < firstSeen ? blockAt : firstSeen;
}

export function isLate(payment: Pick<Payment, "expiresAt">, cameAt: Date): boolean {
  return cameAt > secondsAfter(payment.expiresAt, graceSeconds);
}

export function nextState(
  payment: Payment,
  seen: readonly Seen[],
  rate: Usd | undefined,
  now: Date,
): NextState {
  const stays: NextState = { state: payment.state, credits: [], dueAt: null };
  const open = seen.filter((transfer) => !transfer.decided);
  // Money that comes after the decision needs another decision.
  if (payment.state === "rejected")
    return open.some((transfer) => transfer.alive && transfer.confirmed) ? forReview("rejected") : stays;
  const alive = seen.filter((transfer) => transfer.alive);
  const counts = alive.filter((transfer) => !transfer.decided || transfer.credited !== null);
  const ours = counts.filter((transfer) => transfer.currency === payment.currency);
  const inTime = ours.filter((transfer) => !isLate(payment, transfer.cameAt));
  const trouble = troubleOf(payment, seen, ours);
  const isUnderReview = payment.state === "review";
  if (trouble !== undefined) return isUnderReview ? stays : forReview(trouble);

  const credits = price(payment, ours, rate);
  const isWorthwhile = credits !== "no rate" && sum(credits.map((credit) => credit.usd)) >= dust;
  const isCredited = ours.some((transfer) => transfer.credited !== null);
  const confirmed = total(inTime.filter(isConfirmed));
  const takesLess = payment.creditAsked === true && confirmed > 0n && isWorthwhile;
  const isWhole = isCredited || takesLess || confirmed >= enough(payment.due);
  // Another coin waits for the operator, and the right sum does not wait for it.
  const stopping = open.filter((transfer) => transfer.alive && transfer.currency !== payment.currency);
  if (isWaiting(payment, stopping)) {
    const isRefused = seen.some((transfer) => transfer.decided && transfer.credited === null);
    const beside = isWhole && !isRefused && credits !== "no rate" && isWorthwhile ? credits : [];
    return isUnderReview && beside.length === 0 ? stays : { ...forReview("other coin"), credits: beside };
  }
  if (isUnderReview) return stays;

  const credited = () => (credits === "no rate" ? forReview("no rate") : creditedBy(credits));
  const closed = payment.state === "credited" || payment.state.startsWith("expired");
  if (closed && credits !== "no rate" && !isWorthwhile) return stays;
  if (closed || isWhole) return credited();
  const isUnderWay = payment.creditAsked === true && !inTime.every(isConfirmed);
  if (isUnderWay || total(inTime) >= enough(payment.due))
    return { state: "confirming", credits: [], dueAt: null };
  if (ours.length === 0) return unpaid(payment, now);
  return underpaid(payment, ours, now) ?? (credits !== "no rate" && !isWorthwhile ? tooLittle : credited());
}

/** What only an operator can decide about, whatever else came. */
function troubleOf(payment: Payment, seen: readonly Seen[], ours: readonly Seen[]): NextState["why"] {
  const open = seen.filter((transfer) => !transfer.decided);
  // A program never takes a credit back: the operator decides.
  if (open.some((transfer) => !transfer.alive && transfer.credited)) return "vanished";
  const undecided = open.filter((transfer) => transfer.alive);
  if (undecided.some((transfer) => transfer.disputed)) return "amount";
  // It may be the transfer that was credited by balance.
  if (
    seen.some(({ alive, byBalance, credited }) => alive && byBalance && credited !== null) &&
    undecided.some(({ confirmed, credited }) => confirmed && credited === null)
  )
    return "unseen";
  // Rather money that went out of the address and came back than a payment: nobody pays a sum more than twice.
  const more = ours.filter((transfer) => transfer.confirmed && transfer.credited === null);
  const isCredited = ours.some((transfer) => transfer.credited !== null);
  const isDoubtful = payment.cameBack === true ? more.length > 0 : total(more) > payment.due;
  return isCredited && isDoubtful ? "surplus" : undefined;
}

/** Whether other coins are worth a look. To empty a credited address its owner sends the fee there, in the chain's own coin. */
function isWaiting({ state }: Payment, others: readonly Seen[]): boolean {
  const final = others.filter(isConfirmed);
  return final.some(({ currency, worth: one }) => {
    const same = final.filter((transfer) => transfer.currency === currency);
    const isFee = state === "credited" && currencyOf(currency)?.contract === undefined;
    const worths = isFee ? [one] : same.map((transfer) => transfer.worth);
    return worths.some((each) => each === undefined) || sum(worths.map((each) => each ?? 0n)) >= dust;
  });
}

/** Prices confirmed transfers as an operator decided: the asked coin by `nextState` or all at the lock, others by `rateOf`. */
export function priceDecided(
  payment: Payment,
  seen: readonly Seen[],
  { rateOf, atLock }: { rateOf: (currency: string) => Usd | undefined; atLock: boolean },
): NextState["credits"] | "no rate" {
  const alive = seen.filter((transfer) => transfer.alive && transfer.confirmed);
  const credits: { key: string; usd: Usd }[] = [];
  const ours = alive.filter((transfer) => transfer.currency === payment.currency);
  for (const { key, currency, amount, credited } of alive) {
    if (credited !== null || (currency === payment.currency && !atLock)) continue;
    const rate = rateOf(currency);
    if (currency === payment.currency)
      credits.push({ key, usd: ((payment.usd * amount) / payment.due) as Usd });
    else if (rate === undefined) return "no rate";
    else credits.push({ key, usd: worth(amount, rate, currency as CurrencyId) });
  }
  if (atLock) return credits;
  const priced = price(payment, ours, rateOf(payment.currency));
  return priced === "no rate" ? priced : [...credits, ...priced];
}

const tooLittle: NextState = { state: "expired_partial", credits: [], dueAt: null };

const isConfirmed = (transfer: Seen) => transfer.confirmed;

function unpaid(payment: Payment, now: Date): NextState {
  if (now < payment.expiresAt) return { state: "awaiting", credits: [], dueAt: payment.expiresAt };
  return { state: "expired", credits: [], dueAt: null };
}

/** Undefined once its time is over and nothing more is under way: then what came counts. The price of the rest holds on. */
function underpaid({ expiresAt }: Payment, ours: readonly Seen[], now: Date): NextState | undefined {
  if (now < expiresAt) return { state: "underpaid", credits: [], dueAt: expiresAt };
  return ours.every(isConfirmed) ? undefined : { state: "underpaid", credits: [], dueAt: null };
}

function creditedBy(credits: NextState["credits"]): NextState {
  return { state: "credited", credits, dueAt: null };
}

function forReview(why: NonNullable<NextState["why"]>): NextState {
  return { state: "review", credits: [], dueAt: null, why };
}

/** Prices confirmed transfers. Credited ones come first, so that a paid price stays. "no rate": the present one is missing. */
function price(
  payment: Payment,
  ours: readonly Seen[],
  rate: Usd | undefined,
): NextState["credits"] | "no rate" {
  const ordered = ours.filter(isConfirmed).toSorted(byCreditThenTime);
  const credits: { key: string; usd: Usd }[] = [];
  let before = 0n;
  for (const transfer of ordered) {
    const locked = least(transfer.amount, roomAtLock(payment, before, transfer.cameAt));
    const excess = transfer.amount - locked;
    if (transfer.credited === null) {
      if (excess > 0n && rate === undefined) return "no rate";
      const atLock = lockedWorth(payment, before + locked) - lockedWorth(payment, before);
      credits.push({ key: transfer.key, usd: (atLock + worthOfExcess(payment, excess, rate)) as Usd });
    }
    before += locked;
  }
  return credits;
}

/** How much more is priced at the lock. */
function roomAtLock(payment: Payment, before: bigint, cameAt: Date): bigint {
  const end = isLate(payment, cameAt) ? 0n : honoured(payment.due);
  return end > before ? end - before : 0n;
}

/** Units at the locked rate, rounded down. */
const lockedWorth = (payment: Payment, units: bigint) => (payment.usd * units) / payment.due;

function worthOfExcess(payment: Payment, units: bigint, rate: Usd | undefined): bigint {
  if (units === 0n || rate === undefined) return 0n;
  return least((payment.usd * units) / payment.due, worth(units, rate, payment.currency));
}

function byCreditThenTime(one: Seen, other: Seen): number {
  const credited = Number(one.credited === null) - Number(other.credited === null);
  return credited || one.cameAt.getTime() - other.cameAt.getTime() || (one.key < other.key ? -1 : 1);
}

const total = (transfers: readonly Seen[]) => sum(transfers.map((transfer) => transfer.amount));
const sum = (amounts: readonly bigint[]) => amounts.reduce((all, amount) => all + amount, 0n);
