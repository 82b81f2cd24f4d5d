/** What a user can have money for: what he spends, and what he earns by each way. */
export type Book = "balance" | "referrals" | "soft" | "investor";

/** Earnings that are not sure yet: the partner's or the investor's, in the book of the first word, when they are released. */
export type HeldBook = "referrals.held" | "soft.held" | "investor.held";

/** Where money of payments comes in: one account of the shop for each chain, and one for a BTCPay Server. */
export type Gateway = "sandbox" | "ethereum" | "bsc" | "tron" | "ton" | "litecoin" | "btcpay";

/**
 * The shop's own accounts, as db/migrations/0001_ledger.sql opens them, and 0036_btcpay.sql.
 * A user's accounts begin at 1000; they are found by user and book.
 */
export const shopAccounts = {
  escrow: 1n,
  revenue: 2n,
  bonuses: 3n,
  adjustments: 4n,
  payouts: 5n,
} as const;

/** The account of the shop that stands for money on that chain. */
export const gatewayAccounts: Record<Gateway, bigint> = {
  sandbox: 10n,
  ethereum: 11n,
  bsc: 12n,
  tron: 13n,
  ton: 14n,
  litecoin: 15n,
  btcpay: 16n,
};
