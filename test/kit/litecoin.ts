import { createBase58check } from "@scure/base";
import { HDKey } from "@scure/bip32";
import { sha256 } from "@noble/hashes/sha2.js";
import { expect, onTestFinished } from "vitest";
import { now } from "../../src/server/platform/clock.ts";
import { createLog } from "../../src/server/platform/log.ts";
import { usd } from "../../src/server/platform/money.ts";
import * as ledger from "../../src/server/ledger/ledger.ts";
import { openLitecoin } from "../../src/server/payments/networks/litecoin/litecoin.ts";
import { openPayments } from "../../src/server/payments/payments.ts";
import { fixedRates } from "../../src/server/payments/rates/rates.ts";
import { openWallet, type Wallet } from "../../src/server/payments/wallets/wallets.ts";
import { createDatabase } from "./database.ts";
import type { Litecoind } from "./litecoind.ts";

const log = createLog("silent");
const buyer = 7n;

const versions = { private: 0x04358394, public: 0x043587cf };
const account = HDKey.fromMasterSeed(sha256(Buffer.from("the operator of these tests")), versions).derive(
  "m/84'/1'/0'",
);

/** The private key of an address, for the node's import. */
export function privateKeyOf(index: number): string {
  const key = account.deriveChild(0).deriveChild(index).privateKey;
  if (!key) throw new Error("the operator has lost his keys");
  return createBase58check(sha256).encode(Uint8Array.of(0xef, ...key, 1));
}

export async function litecoinWallet(node: Litecoind): Promise<Wallet> {
  const key = account.publicExtendedKey;
  const { descriptor } = await node.rpc<{ descriptor: string }>("getdescriptorinfo", `wpkh(${key}/0/*)`);
  const [first = ""] = await node.rpc<string[]>("deriveaddresses", descriptor, [0, 0]);
  return openWallet("ltc", { key, first }, { demo: true });
}

interface Options {
  readonly wallet: Wallet;
  readonly urls: readonly string[];
  readonly confirmations?: number;
  readonly clock?: () => Date;
  readonly ttlSeconds?: number;
}

let used = 0;

/** Litecoin with unused addresses, from number `base` of the wallet. */
export function litecoin({ wallet, urls, confirmations, clock = now }: Options) {
  const base = (used += 100);
  const config = { urls: [...urls], confirmations, id: undefined, contracts: {}, pollSeconds: undefined };
  const ours = { ...wallet, address: (index: bigint) => wallet.address(index + BigInt(base)) };
  return { ...openLitecoin({ config, wallet: ours, log, clock }), base };
}

/** Payments on their own database, with coins at 80 dollars. */
export async function litecoinShop(options: Options) {
  const { clock = now, ttlSeconds } = options;
  const { db, drop } = await createDatabase();
  onTestFinished(drop);
  const network = litecoin(options);
  const rates = fixedRates({ ltc: "80" });
  const payments = openPayments({ db, networks: [network], rates, ttlSeconds, log, clock });
  await payments.poll();
  const see = async (id: bigint) => {
    const view = await payments.status({ userId: buyer, id });
    if (typeof view === "string") throw new Error(view);
    return view;
  };
  return {
    db,
    network,
    payments,
    ask: async (dollars: string) => {
      const created = await payments.create({ userId: buyer, currency: "ltc", usd: usd(dollars) });
      if (typeof created === "string") throw new Error(`not created: ${created}`);
      return see(created.id);
    },
    stateOf: async (id: bigint) => {
      await payments.poll();
      return (await see(id)).state;
    },
    see,
    balance: () => ledger.balance(db, buyer),
    isSound: async () => expect((await payments.audit()).filter(({ bad }) => bad.length > 0)).toEqual([]),
  };
}
