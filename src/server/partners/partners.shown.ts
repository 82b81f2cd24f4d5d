import type { z } from "zod/mini";
import type { ReferralEarnings, SoftEarnings } from "../../contract/partners.ts";
import { showUsd } from "../platform/money.ts";
import type { Earnings } from "../ledger/ledger.ts";

/** How a partner stands. */
export interface Standing {
  /** The word that his link shows; undefined until he chose one. */
  readonly word: { readonly word: string; readonly chosenAt: Date } | undefined;
  /** How many have registered under his words. */
  readonly referred: number;
  readonly referrals: Earnings;
  readonly soft: Earnings;
}

/** How a partner stands, on the wire. */
export interface Shown {
  readonly referrals: z.output<typeof ReferralEarnings>;
  readonly soft: z.output<typeof SoftEarnings>;
}

/** Writes how a partner stands as the wire has it (spec O §3). */
export function show(
  userId: bigint,
  { word, referred, referrals, soft }: Standing,
  linkOf: (word: string) => string,
): Shown {
  return {
    referrals: {
      link: word ? linkOf(word.word) : null,
      word: word?.word ?? null,
      ...amounts(referrals),
      date: word ? word.chosenAt.toISOString().slice(0, 10) : null,
      count: referred,
    },
    soft: { id: String(userId), ...amounts(soft), count: soft.count },
  };
}

function amounts({ earned, payed, payedDay, balance, held }: Earnings) {
  return {
    earned: showUsd(earned),
    payed: showUsd(payed),
    payed_date: payedDay ?? null,
    to_withdraw: showUsd(balance),
    held: showUsd(held),
  };
}
