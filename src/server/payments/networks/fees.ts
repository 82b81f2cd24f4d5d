// What a transfer costs its sender, in dollars: kept for a while, as every buyer who opens the top-up asks.
import { setTimeout as pause } from "node:timers/promises";
import type { CurrencyId } from "../../../contract/currencies.ts";
import { secondsAfter } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { Usd } from "../../platform/money.ts";
import { worth } from "../payments.terms.ts";
import type { Rates } from "../rates/rates.ts";
import type { Fee, Network } from "./network.ts";
import { NodeTrouble } from "./nodes/nodes.ts";

/** Undefined where the nodes do not tell, did not answer yet, or the coin has no rate. */
export type Fees = (network: Network, currency: CurrencyId) => Promise<Usd | undefined>;

const freshSeconds = 600;
// A node that fails is asked again soon, but not by every buyer.
const triedSeconds = 60;
const timeoutMilliseconds = 10_000;
const patienceMilliseconds = 1000;

export function openFees({ rates, log, clock }: { rates: Rates; log: Log; clock: () => Date }): Fees {
  const known = new Map<CurrencyId, { fee: Promise<Fee | undefined>; until: Date }>();
  const ask = async (network: Network, currency: CurrencyId): Promise<Fee | undefined> => {
    const signal = AbortSignal.timeout(timeoutMilliseconds);
    try {
      return await network.fee?.(currency, signal);
    } catch (fault) {
      if (!(fault instanceof NodeTrouble) && !signal.aborted)
        log.error({ err: fault, chain: network.name }, "the fee of a chain cannot be read");
      return undefined;
    }
  };
  const latest = (network: Network, currency: CurrencyId): Promise<Fee | undefined> => {
    const now = clock();
    const last = known.get(currency);
    if (last && now < last.until) return last.fee;
    const kept = { fee: ask(network, currency), until: secondsAfter(now, triedSeconds) };
    known.set(currency, kept);
    void kept.fee.then((fee) => {
      if (fee) kept.until = secondsAfter(now, freshSeconds);
    });
    return kept.fee;
  };
  return async (network, currency) => {
    if (!network.fee) return undefined;
    const fee = await Promise.race([latest(network, currency), pause(patienceMilliseconds, undefined)]);
    const rate = fee && (await rates.rateOf(fee.coin));
    return fee && rate && worth(fee.units, rate.usd, fee.coin);
  };
}
