import { showUsd } from "../platform/money.ts";
import { openPartners, type HeldRow, type PartnerRow, type Way } from "../partners/partners.ts";
import { type Act, type CommandContext, ok, showTime, table, withPages } from "./answer.ts";
import type { Nouns } from "./nouns.ts";
import { column, list as listTable } from "./shares.ts";
import { type Paged, pageOption } from "./read.ts";

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
  verb(partners, "held", "shows held earnings, and why", ({ page }: Paged) => listHeld(page)).option(
    ...pageOption("twenty"),
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

const wire = (held: HeldRow) => ({
  ...held,
  referrals: showUsd(held.referrals),
  soft: showUsd(held.soft),
});
