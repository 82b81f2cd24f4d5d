import { now } from "../platform/clock.ts";
import { showUsd } from "../platform/money.ts";
import { paymentsOf, type RateView } from "../payments/payments.ts";
import { type Act, ok, showTime, table } from "./answer.ts";
import type { Nouns } from "./nouns.ts";

const whys: Readonly<Record<NonNullable<RateView["why"]>, string>> = {
  few: "fewer than two sources gave it in the last two minutes",
  disagree: "the sources do not agree within 1.5 %",
  jump: "it is more than 10 % off what it was minutes ago",
  held: 'it has jumped: "rates release" accepts it',
  depeg: "it is more than 2 % off a dollar",
};

export function addRateCommands({ noun, verb }: Nouns): void {
  const rates = noun("rates", "exchange rates and their sources");
  verb(rates, "list", "shows the rate of each coin, and the state of its sources", () => listRates());
}

function listRates(): Act {
  return async (context) => {
    const { rates, sources } = await paymentsOf(context).rates.list();
    const coins = table(
      rates,
      [
        { title: "coin", of: ({ coin }) => coin },
        { title: "dollars", of: ({ usd }) => (usd === undefined ? "-" : showUsd(usd)), right: true },
        { title: "sources", of: quotesOf },
        { title: "", of: whyOf },
      ],
      "No coin is accepted.",
    );
    const sourceRows = table(
      sources,
      [
        { title: "source", of: ({ name }) => name },
        { title: "answered", of: ({ answeredAt }) => (answeredAt ? showTime(answeredAt) : "never") },
        { title: "rests until", of: ({ restsUntil }) => (restsUntil ? showTime(restsUntil) : "") },
        { title: "last trouble", of: ({ trouble }) => trouble ?? "" },
      ],
      "Rates are fixed in the settings.",
    );
    const shown = (usd: bigint | undefined) => (usd === undefined ? null : showUsd(usd));
    const json = rates.map(({ held, quotes, usd, ...rest }) => ({
      ...rest,
      usd: shown(usd),
      held: held ? { since: held.since, from: shown(held.from), to: shown(held.to) } : null,
      quotes: quotes.map(({ usd: each, quotedAt: toldAt, ...quote }) => ({
        ...quote,
        usd: shown(each),
        toldAt,
      })),
    }));
    return ok({ rates: json, sources }, `${coins}\n\n${sourceRows}`);
  };
}

function quotesOf({ quotes }: RateView): string {
  const at = now().getTime();
  return quotes
    .map(({ source, usd, quotedAt, use }) => {
      const seconds = Math.max(0, Math.round((at - quotedAt.getTime()) / 1000));
      return `${source} ${usd === undefined ? "-" : showUsd(usd)} (${seconds} s${use === "off" ? ", outvoted" : ""})`;
    })
    .join(", ");
}

function whyOf({ why, held }: RateView): string {
  if (why === undefined) return "";
  return held
    ? `${whys[why]}: ${showUsd(held.from)} → ${showUsd(held.to)} at ${showTime(held.since)}`
    : whys[why];
}
