export type Book = "balance" | "referrals" | "soft" | "investor";

/** Held earnings; released ones go to the book of the first word. */
export type HeldBook = "referrals.held" | "soft.held" | "investor.held";

/** Earnings that were asked for, until they are paid or given back. */
export type AskedBook = "referrals.asked" | "soft.asked" | "investor.asked";

export type Gateway = "sandbox" | "ethereum" | "bsc" | "tron" | "ton" | "litecoin" | "btcpay";

/** The shop's own accounts, as db/migrations/0001_ledger.sql and 0036_btcpay.sql open them. Users' accounts begin at 1000. */
export const shopAccounts = {
  escrow: 1n,
  revenue: 2n,
  bonuses: 3n,
  adjustments: 4n,
  payouts: 5n,
} as const;

export const gatewayAccounts: Record<Gateway, bigint> = {
  sandbox: 10n,
  ethereum: 11n,
  bsc: 12n,
  tron: 13n,
  ton: 14n,
  litecoin: 15n,
  btcpay: 16n,
};
