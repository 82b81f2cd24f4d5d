// A payment that is asked for: a place among the open ones, then an address of its own.
import type { Currency, CurrencyId } from "../../contract/currencies.ts";
import * as clocks from "../platform/clock.ts";
import { attempt, type Db } from "../platform/db/db.ts";
import type { Log } from "../platform/log.ts";
import { showUsd, type Usd } from "../platform/money.ts";
import { type AddressIndexes, unpaidRun } from "./addresses/indexes.ts";
import type { Network } from "./networks/network.ts";
import { NodeTrouble } from "./networks/nodes/nodes.ts";
import * as places from "./payments.own.sql.ts";
import * as rows from "./payments.sql.ts";
import { currencyOf, dueFor, sandboxLockSeconds, showCoins, terms } from "./payments.terms.ts";
import type { Rates } from "./rates/rates.ts";

// Each payment uses up an address for ever, so an account gets a limited number: fewer while it never paid.
const awaitingMax = 50;
const strangerMax = 5;

// After a start the chains say which addresses were used.
const buyerPatienceSeconds = 20;

export type Created = { id: bigint } | "wallet" | "amount" | "no rate" | "limit";

interface NewPayment {
  readonly userId: bigint;
  readonly currency: string;
  readonly usd: Usd;
}

interface Parts {
  readonly db: Db;
  readonly networks: readonly Network[];
  readonly rates: Rates;
  readonly indexes: AddressIndexes;
  /** Of a currency, in dollars. */
  readonly leastOf: (id: string) => Usd;
  /** Replaces the lifetime of every payment; undefined: by coin. */
  readonly ttlSeconds?: number | undefined;
  readonly log: Log;
  readonly clock: () => Date;
}

/** Asks for a payment at a locked rate (spec B §7). "limit": too many unpaid payments. */
export async function create(parts: Parts, wanted: NewPayment): Promise<Created> {
  const { db, networks, rates, indexes, leastOf, clock } = parts;
  const currency = currencyOf(wanted.currency);
  const network = currency && networks.find((one) => one.currencies.includes(currency.id));
  if (!currency || !network || !(await indexes.isReady(network, buyerPatienceSeconds))) return "wallet";
  if (wanted.usd < leastOf(currency.id)) return "amount";
  const now = clock();
  const rate = await rates.rateOf(currency.id);
  if (!rate) return "no rate";
  const place = await takePlace(parts, wanted.userId, network, now);
  if (place === "limit") return "limit";
  const created = await createAt({ ...parts, network, currency, rate, now, placeId: place.id }, wanted).catch(
    async (fault: unknown) => {
      await places.leavePlace(db, place.id);
      throw fault;
    },
  );
  // A payment that is made has left its place with its row: counted twice for a moment, it would refuse the fifth.
  if (typeof created === "string") await places.leavePlace(db, place.id);
  return created;
}

/** Before the address: each is given once, so payments that are asked for at once must count each other. */
async function takePlace(
  { db, log }: Parts,
  userId: bigint,
  { isSandbox, family }: Network,
  now: Date,
): Promise<{ id: bigint } | "limit"> {
  return attempt(db, async (tx) => {
    await places.lockPlaces(tx, userId);
    const { taken, isStranger } = await places.selectPlaces(tx, userId, now);
    // The sandbox uses up no address of a wallet.
    const isLimited = isStranger && !isSandbox;
    if (taken >= (isLimited ? strangerMax : awaitingMax)) return "limit";
    if (isLimited && (await places.isUnpaidRun(tx, family, unpaidRun))) {
      log.warn({ family }, "the newest addresses are all unpaid: new ones go only to buyers who paid before");
      return "limit";
    }
    return places.takePlace(tx, userId);
  });
}

interface Placing extends Parts {
  readonly network: Network;
  readonly currency: Currency & { readonly id: CurrencyId };
  readonly rate: NonNullable<Awaited<ReturnType<Rates["rateOf"]>>>;
  readonly now: Date;
  readonly placeId: bigint;
}

async function createAt(
  { db, ttlSeconds, log, indexes, network, currency, rate, now, placeId }: Placing,
  wanted: NewPayment,
): Promise<Created> {
  // An index that is taken and not used leaves a gap, which is better than an address issued twice.
  const place = await indexes.take(network, currency.id, wanted.usd).catch((fault: unknown) => {
    if (!(fault instanceof NodeTrouble)) throw fault;
    log.warn({ currency: currency.id, why: fault.message }, "no address could be had: nothing was sold");
    return undefined;
  });
  if (!place) return "wallet";
  const lockSeconds = network.isSandbox ? sandboxLockSeconds : terms[currency.id].lockSeconds;
  const payment = {
    ...wanted,
    ...place,
    placeId,
    chain: network.name,
    due: dueFor(wanted.usd, rate.usd, currency),
    rate: rate.usd,
    rateSource: rate.source,
    family: network.family,
    createdAt: now,
    expiresAt: clocks.secondsAfter(now, ttlSeconds ?? lockSeconds),
  };
  const detail = {
    due: showCoins(payment.due, currency.id),
    currency: currency.id,
    dollars: showUsd(wanted.usd),
    rate: showUsd(rate.usd),
    source: rate.source,
  };
  const id = await insertOnce(db, network, payment, detail);
  if (id === undefined) {
    const where = { chain: network.name, address: payment.address };
    log.error(where, "an address was given that another payment has had: nothing was sold");
    return "wallet";
  }
  log.info(
    { payment: String(id), user: String(wanted.userId), currency: currency.id },
    "a payment was wanted for",
  );
  return { id };
}

/** Undefined: another payment has had the address. Ours differ by their numbers; another program may give one twice at once. */
async function insertOnce(
  db: Db,
  { isElsewhere }: Network,
  payment: Parameters<typeof rows.insertPayment>[1],
  detail: Record<string, string>,
): Promise<bigint | undefined> {
  if (!isElsewhere) return (await rows.insertPayment(db, payment, detail))?.id;
  return attempt(db, async (tx) => {
    await rows.lockAddress(tx, payment.address);
    return (await rows.insertPayment(tx, payment, detail))?.id;
  });
}
