import { auditShop, inspectLetter, postmasterLetters } from "../../contract/office/letters.ts";
import { rates } from "../../contract/office/rates.ts";
import { answer, type Route } from "../platform/http/answer.ts";
import { unixSeconds } from "../platform/clock.ts";
import {
  inspect,
  type InspectedLetter,
  listForPostmaster,
  type PostmasterLetter,
} from "../letters/letters.ts";
import type { Payments, RateView, SourceView } from "../payments/payments.ts";
import { showUsd, type Usd } from "../platform/money.ts";
import { auditShop as audit, type Books } from "./office.audit.ts";

const pageSize = 25;
const auditSeconds = 60;

export function lookRoutes(books: Books & { readonly payments: Pick<Payments, "rates"> }): Route[] {
  const { db, payments } = books;
  let isAuditing = false;
  return [
    answer(postmasterLetters, async ({ asked: { before } }) => {
      const found = await listForPostmaster(db, { before, size: pageSize + 1 });
      const page = found.slice(0, pageSize);
      const last = page.at(-1);
      return {
        data: page.map(about),
        ...(found.length > pageSize && last ? { next: String(last.id) } : {}),
      };
    }),

    answer(inspectLetter, async ({ asked: { id }, caller, refuse }) => {
      const letter = await inspect(db, id, `user ${caller.userId}`);
      return letter ? inspected(letter) : refuse("letter gone");
    }),

    answer(rates, async () => {
      const listed = await payments.rates.list();
      // Fixed rates are per currency, and several currencies are one coin.
      const coins = new Map(listed.rates.map((rate) => [rate.coin, rate]));
      return { data: [...coins.values()].map(rateReply), sources: listed.sources.map(sourceReply) };
    }),

    answer(auditShop, async ({ refuse }) => {
      // It joins whole tables, in memory: never two at a time.
      if (isAuditing) return refuse("audit under way");
      isAuditing = true;
      try {
        const found = await audit(books, { seconds: auditSeconds });
        if (found === "too long") return refuse("audit too long");
        const invariants = found.map(({ name, says, bad }) => ({
          name,
          says,
          holds: bad.length === 0,
          bad,
        }));
        return { holds: invariants.every(({ holds }) => holds), invariants };
      } finally {
        isAuditing = false;
      }
    }),
  ];
}

function about({ id, arrivedAt, sizeBytes, mailFrom, sender, subject }: PostmasterLetter) {
  return {
    id: String(id),
    arrived_at: unixSeconds(arrivedAt),
    bytes: sizeBytes,
    envelope: mailFrom,
    ...given("from", sender),
    ...given("subject", subject),
  };
}

function inspected(letter: InspectedLetter) {
  const { helo, remote, spf, dkim, dmarc, signers, headers, text } = letter;
  return {
    ...about(letter),
    helo,
    ...given("remote", remote),
    is: stateOf(letter),
    ...given("spf", spf),
    ...given("dkim", dkim),
    ...given("dmarc", dmarc),
    signers,
    ...given("headers", headers),
    ...given("text", text),
  };
}

function stateOf({
  isMatched,
  isGiven,
  isPostmasters,
}: InspectedLetter): "waiting" | "given" | "turned away" | "postmaster" {
  if (isPostmasters) return "postmaster";
  if (!isMatched) return "waiting";
  return isGiven ? "given" : "turned away";
}

function given<Name extends string>(name: Name, text: string | null | undefined): { [Key in Name]?: string } {
  return (text === null || text === undefined ? {} : { [name]: text }) as { [Key in Name]?: string };
}

const dollars = (units: bigint) => showUsd(units as Usd);

function rateReply({ coin, usd: price, why, held, quotes }: RateView) {
  return {
    coin,
    ...(price === undefined ? {} : { usd: showUsd(price) }),
    ...(why === undefined ? {} : { why }),
    ...(held && {
      held: { since: unixSeconds(held.since), from: dollars(held.from), to: dollars(held.to) },
    }),
    quotes: quotes.map(({ source, usd: price, quotedAt, use }) => ({
      source,
      ...(price === undefined ? {} : { usd: dollars(price) }),
      told_at: unixSeconds(quotedAt),
      use,
    })),
  };
}

function sourceReply({ name, answeredAt, restsUntil, trouble }: SourceView) {
  return {
    name,
    ...(answeredAt && { answered_at: unixSeconds(answeredAt) }),
    ...(restsUntil && { rests_until: unixSeconds(restsUntil) }),
    ...(trouble !== null && { trouble }),
  };
}
