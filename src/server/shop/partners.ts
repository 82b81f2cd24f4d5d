import { now } from "../platform/clock.ts";
import { showUsd, type Usd } from "../platform/money.ts";
import * as ledger from "../ledger/ledger.ts";
import { openPartners, type HeldRow, type PartnerRow, type Way } from "../partners/partners.ts";
import {
  type Act,
  type CommandContext,
  operator,
  refused,
  ok,
  showTime,
  table,
  withPages,
  withUser,
} from "./answer.ts";
import type { Nouns } from "./nouns.ts";
import { column, list as listTable } from "./shares.ts";
import { oneOf, type Paged, pageOption, readPrice, type Reasoned, reasonOption } from "./read.ts";

const ways = { referral: "referrals", soft: "soft", investor: "investor" } as const;

export function addPartnerCommands({ noun, verb }: Nouns): void {
  const partners = noun("partners", "partners and what they earn");
  verb(
    partners,
    "list",
    "shows partners, or investors, the largest amount due first",
    ({ page, investors }: Paged & { investors?: true }) => (investors ? listInvestors(page) : list(page)),
  )
    .option(...pageOption("twenty"))
    .option("--investors", "what investors earned and are owed, twenty-five on a page");
  const pays = verb(
    partners,
    "payout <email> <way> <usd>",
    "records what was paid to a partner or an investor outside of the shop; the way is referral, soft or investor",
    (email: string, word: keyof typeof ways, amount: string, options: { note?: string; key?: string }) =>
      payOut(email, ways[word], readPrice(amount), options),
  )
    .option("--note <text>", "how it was paid; the partner sees it in the statement")
    .option("--key <text>", "a name for this payout: repeated under the same name it is recorded once");
  oneOf(pays, 1, Object.keys(ways), "way to earn; the ways");
  verb(partners, "held", "shows held earnings, and why", ({ page }: Paged) => listHeld(page)).option(
    ...pageOption("twenty"),
  );
  const decides = (words: string, about: string, state: "released" | "refused") =>
    verb(partners, words, about, (partner: string, buyer: string, { reason }: Reasoned) =>
      decide(partner, buyer, state, reason),
    ).option(...reasonOption);
  decides(
    "release <partner> <buyer>",
    "pays a partner what a buyer's orders earned, now and later",
    "released",
  );
  decides(
    "refuse <partner> <buyer>",
    "keeps for the shop what a partner earned by an own account, now and later",
    "refused",
  );
}

const partnersOf = ({ db, config }: CommandContext) => openPartners({ db, publicUrl: config.publicUrl });

function list(page: number): Act {
  return async (context) => {
    const { rows, pages } = await partnersOf(context).list(page);
    const text = table(
      rows,
      [
        { title: "partner", of: ({ email }) => email },
        { title: "word", of: ({ referrals }) => referrals.word ?? "" },
        { title: "referred", of: ({ referrals }) => String(referrals.count), right: true },
        ...columnsOf("referrals"),
        ...columnsOf("soft"),
        { title: "", of: ({ blocked }) => (blocked ? "blocked" : "") },
      ],
      "There are no partners yet.",
    );
    return ok({ partners: rows, pages }, withPages(text, page, pages));
  };
}

const listInvestors = (page: number) =>
  listTable("investors", page, investorColumns, "There are no investors yet.");

const investorColumns = [
  column("investor", "email"),
  column("earned", "earned", true),
  column("due", "due", true),
  column("held", "held", true),
];

function columnsOf(way: Way) {
  const column = (title: string, of: (row: PartnerRow) => string) => ({
    title: `${way} ${title}`,
    of,
    right: true,
  });
  return [
    column("earned", (row) => row[way].earned),
    column("due", (row) => row[way].to_withdraw),
    column("paid last", (row) => row[way].payed_date ?? "never"),
    column("held", (row) => row[way].held),
  ];
}

function payOut(
  email: string,
  way: Way | "investor",
  amount: Usd,
  { note, key }: { note?: string; key?: string },
): Act {
  return withUser(email, async (user, context) => {
    const partners = partnersOf(context);
    const paid = await partners.payOut({ userId: user.id, way, amount, note, key, by: operator });
    if (paid === "key used") return refused(`Another payout was recorded under the key ${key}.`);
    if (typeof paid === "string") {
      const has = showUsd(await ledger.balance(context.db, user.id, way));
      return refused(`${user.email} has only ${has} dollars to withdraw.`);
    }
    const left = showUsd(paid.left);
    const repeated = paid.moved === "repeat";
    const text = repeated
      ? `This was recorded before under the key ${key}: ${user.email} has ${left} dollars to withdraw.`
      : `${showUsd(amount)} dollars were paid to ${user.email}; ${left} are left to withdraw.`;
    return ok({ id: user.id, email: user.email, way, left, repeated }, text);
  });
}

function listHeld(page: number): Act {
  return async (context) => {
    const { rows, pages } = await partnersOf(context).held(page);
    const text = table(
      rows,
      [
        { title: "partner", of: ({ partnerEmail }) => partnerEmail },
        { title: "buyer", of: ({ email }) => email },
        { title: "both have", of: ({ reasons }) => reasons.map((reason) => reasonTexts[reason]).join(", ") },
        { title: "since", of: ({ foundAt }) => showTime(foundAt) },
        { title: "by referral", of: ({ referrals }) => showUsd(referrals), right: true },
        { title: "by soft", of: ({ soft }) => showUsd(soft), right: true },
      ],
      "Nothing is held.",
    );
    return ok({ held: rows.map(wire), pages }, withPages(text, page, pages));
  };
}

const reasonTexts: Record<HeldRow["reasons"][number], string> = {
  telegram: "a Telegram account",
  wallet: "a wallet",
  address: "a network address",
  email: "an e-mail mailbox",
  blocked: "(the partner is blocked)",
  inactive: "(the partner's account is not activated)",
};

function decide(
  partnerEmail: string,
  buyerEmail: string,
  state: "released" | "refused",
  reason?: string,
): Act {
  return withUser(partnerEmail, (partner, context) =>
    withUser(buyerEmail, async (buyer) => {
      const between = { userId: buyer.id, partnerId: partner.id };
      const held = await partnersOf(context).decide({ ...between, state, reason, by: operator }, now());
      if (held === "nothing held")
        return refused(`Nothing is held of what ${partnerEmail} earned by ${buyerEmail}.`);
      const sum = `${showUsd(held.referrals)} dollars by referral and ${showUsd(held.soft)} by soft`;
      const whose = state === "released" ? held.partnerEmail : "the shop";
      return ok({ ...wire(held), state }, `${sum} belong to ${whose} now.`);
    })(context),
  );
}

const wire = (held: HeldRow) => ({
  ...held,
  referrals: showUsd(held.referrals),
  soft: showUsd(held.soft),
});
