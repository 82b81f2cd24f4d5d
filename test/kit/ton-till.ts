// A TON chain with USDT, payers, and shops with their own keys and nodes.
import { Address, toNano } from "@ton/core";
import { type KeyPair, keyPairFromSeed } from "@ton/crypto";
import { onTestFinished, vi } from "vitest";
import type { CurrencyId } from "../../src/contract/currencies.ts";
import { secondsAfter } from "../../src/server/platform/clock.ts";
import type { Db } from "../../src/server/platform/db/db.ts";
import { createLog } from "../../src/server/platform/log.ts";
import type { Network } from "../../src/server/payments/networks/network.ts";
import { openTon } from "../../src/server/payments/networks/ton/ton.ts";
import { openPayments, type Payments } from "../../src/server/payments/payments.ts";
import { fixedRates } from "../../src/server/payments/rates/rates.ts";
import { openTonWallet } from "../../src/server/payments/wallets/ton.ts";
import { createDatabase } from "./database.ts";
import * as till from "./till.ts";
import { content, openTonChain } from "./ton.ts";
import { openToncenter, type Toncenter } from "./toncenter.ts";
import { soon } from "./soon.ts";

export interface TonTill {
  readonly db: Db;
  readonly payments: Payments;
  readonly network: Network;
  readonly nodes: readonly [Toncenter, ...Toncenter[]];
  readonly keys: KeyPair;
  ask(currency: CurrencyId, dollars?: string): Promise<TonPayment>;
  after(payment: TonPayment): Promise<{ state: string; received: string; credited: bigint }>;
  cursor(): Promise<string | null>;
}

export interface TonPayment {
  readonly id: bigint;
  readonly address: string;
  readonly to: Address;
}

interface Settings {
  readonly nodes?: number;
  readonly confirmations?: number;
  readonly usdt?: Address;
  readonly key?: string;
}

export type TonStage = Awaited<ReturnType<typeof openTonStage>>;

export async function openTonStage() {
  let now = new Date("2030-01-01T00:00:00Z");
  const clock = () => now;
  const later = (seconds: number) => (now = secondsAfter(now, seconds));
  const chain = await openTonChain(clock);
  const [payer, thief] = [await chain.payer("payer"), await chain.payer("thief")];
  const usdt = await chain.issue("USDT", content({ uri: "https://example.com/usdt.json", decimals: "6" }));
  await usdt.mint(payer.address, 1_000_000_000_000n);
  let shops = 0;
  const openNode = () => openToncenter(chain, clock);
  const openShop = async (settings: Settings = {}): Promise<TonTill> => {
    const { db, drop } = await createDatabase();
    onTestFinished(drop);
    const opened = Array.from({ length: settings.nodes ?? 1 }, openNode);
    const nodes = (await Promise.all(opened)) as [Toncenter, ...Toncenter[]];
    onTestFinished(async () => void (await Promise.all(nodes.map((node) => node.close()))));
    // The chain keeps its history: each shop gets other addresses.
    const keys = keyPairFromSeed(Buffer.alloc(32, ++shops));
    const key = keys.publicKey.toString("hex");
    const { wallet } = openTonWallet({ key, first: "" }, { key: "KEY", first: "FIRST" });
    const [first, ...others] = nodes.map(({ url }) => url);
    const config = {
      urls: [`${first}`.replace("//", settings.key === undefined ? "//" : `//${settings.key}@`), ...others],
      id: undefined,
      contracts: { USDT: (settings.usdt ?? usdt.master).toString() },
      confirmations: settings.confirmations,
      pollSeconds: undefined,
    };
    const log = createLog("silent");
    const network = openTon({ config, wallet, log, clock, db });
    const rates = fixedRates({ ton: "3", usdt: "1" });
    const payments = openPayments({ db, networks: [network], rates, log, clock });
    return { db, payments, network, nodes, keys, ...handsOn(db, payments) };
  };
  return {
    chain,
    usdt,
    payer,
    thief,
    clock,
    later,
    openShop,
    coinsAt: async (address: Address) => (await chain.blockchain.getContract(address)).balance,
    payCoins: (to: Address, coins: string, more: Parameters<typeof chain.send>[3] = {}) =>
      chain.send(payer, to, toNano(coins), more),
    payUsdt: (to: Address, units: bigint, more: { forward?: bigint } = {}) =>
      chain.sendJettons(usdt, payer, to, units, more),
  };
}

function handsOn(db: Db, payments: Payments): Pick<TonTill, "ask" | "after" | "cursor"> {
  return {
    ask: async (currency, dollars = "9") => {
      // An address is issued once the nodes have named the used ones.
      const id = await vi.waitFor(() => till.ask(payments, currency, dollars), soon);
      const { address } = await till.see(payments, id);
      return { id, to: Address.parse(address), address };
    },
    after: async ({ id }) => {
      await payments.poll();
      const { state, received, credited } = await till.see(payments, id);
      return { state, received, credited };
    },
    cursor: async () => {
      const [row] = await db<{ cursor: string }[]>`select cursor from chain_cursor where chain = 'ton'`;
      return row?.cursor ?? null;
    },
  };
}
