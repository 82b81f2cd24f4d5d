import type { z } from "zod/mini";
import type { ReferralEarnings, SoftEarnings } from "../../contract/partners.ts";
import { showUsd } from "../platform/money.ts";
import type { Earnings } from "../ledger/ledger.ts";

export interface Standing {
  readonly word: { readonly word: string; readonly chosenAt: Date } | undefined;
  readonly referred: number;
  readonly referrals: Earnings;
  readonly soft: Earnings;
}

export interface Shown {
  readonly referrals: z.output<typeof ReferralEarnings>;
  readonly soft: z.output<typeof SoftEarnings>;
}

/** The standing of a partner on the wire (spec O §3). */
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
