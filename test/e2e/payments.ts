import type { Page } from "@playwright/test";
import type { Endpoints } from "../../src/contract/api.ts";
import type { Reply } from "../../src/contract/endpoint.ts";

type Payment = Reply<Endpoints["paymentStatus"]>;

const day = Math.floor(Date.UTC(2026, 10, 22) / 1000);
const wallet = "ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh";

export const payment = {
  status: "success",
  id: "77",
  payment_status: 0,
  state: "awaiting",
  currency: "ltc",
  currency_name: "Litecoin",
  currency_amount: "0.06251",
  wallet,
  network: "Litecoin",
  amount: "5.0",
  credited: "0.0",
  received: "0",
  missing: "0.06251",
  transfers: [],
  uri: `litecoin:${wallet}?amount=0.06251`,
  sandbox: false,
  created_at: day,
  expires_at: 4_000_000_000,
} satisfies Payment & { status: string };

export const transfer = {
  amount: "0.06251",
  currency: "ltc",
  status: "seen",
  confirmations: 1,
  confirmations_wanted: 3,
  at: day + 60,
  txid: "7c2d4206c03a883dd9066d620335dc1be272a8dc733cfa3f6d10308faa37facc",
} satisfies Payment["transfers"][number];

/** Presses what closes its own tab, which may be gone before the press is answered. */
export async function closeTab(tab: Page, press: () => Promise<void>): Promise<void> {
  const closed = tab.waitForEvent("close");
  await Promise.all([closed, press().catch(() => undefined)]);
}
