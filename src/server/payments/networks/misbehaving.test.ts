// @module-tag slow
// Nodes refuse, lag, forget, repeat and answer in other words, at any question. Whatever they did: once they are well
// again, all money that came is known, once, and final.
import { bech32 } from "@scure/base";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDatabase, type TestDatabase } from "../../../../test/kit/database.ts";
import * as languages from "../../../../test/kit/moodyLanguages.ts";
import {
  digest,
  type Kind,
  type Language,
  type MoodyNode,
  moods,
  openMoodyNode,
  openWorld,
  type World,
} from "../../../../test/kit/moody.ts";
import { asTron } from "../../../../test/kit/tron.ts";
import type { WalletName } from "../../platform/config/config.ts";
import { createLog } from "../../platform/log.ts";
import { usd } from "../../platform/money.ts";
import { needOf } from "../payments.finality.ts";
import { openBtcpay } from "./btcpay/btcpay.ts";
import { Unreadable } from "./btcpay/btcpay.invoice.ts";
import { openEvm } from "./evm/evm.ts";
import { openLitecoin } from "./litecoin/litecoin.ts";
import type { ChainTransfer, Network } from "./network.ts";
import { NodeTrouble } from "./nodes/nodes.ts";
import { openTon } from "./ton/ton.ts";
import { openTron } from "./tron/tron.ts";

const never = new AbortController().signal;
const log = createLog("silent");

interface Subject {
  readonly name: string;
  readonly languages: readonly [Language, ...Language[]];
  readonly kinds: readonly Kind[];
  readonly unit: bigint;
  /** The canonical spelling of an address. */
  spell(bytes: string): string;
  idOf?(height: number): string | undefined;
  open(urls: string[], clock: () => Date, addresses: readonly string[]): Network;
}

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

const walletOf = (family: WalletName, addresses: readonly string[], show = (address: string) => address) => ({
  family,
  address: (index: bigint) => {
    const canonical = addresses[Number(index)] ?? addresses[0] ?? "";
    return { address: show(canonical), canonical };
  },
  path: () => "",
});
const configOf = (urls: string[], contracts: Record<string, string> = {}, id?: number) => ({
  urls,
  id,
  contracts,
  confirmations: undefined,
  pollSeconds: undefined,
});
const on0x = (bytes: string) => `0x${bytes.slice(0, 40)}`;
const script = (bytes: string) => `0014${bytes.slice(0, 40)}`;
const shownScript = (canonical: string) =>
  bech32.encode("rltc", [0, ...bech32.toWords(Buffer.from(canonical.slice(4), "hex"))]);

const evm = (name: "ethereum" | "bsc"): Subject => ({
  name,
  languages: [languages.evm],
  kinds: ["coin", "token", "inside"],
  unit: 10n ** 16n,
  spell: on0x,
  open: (urls, clock, addresses) =>
    openEvm(
      {
        config: configOf(urls, { USDT: languages.evmToken }, 1337),
        wallet: walletOf("evm", addresses),
        log,
        clock,
      },
      name,
    ),
});

const litecoin = (name: string, spoken: readonly [Language, ...Language[]]): Subject => ({
  name,
  languages: spoken,
  kinds: ["coin"],
  unit: 1_000_000n,
  spell: script,
  idOf: (height) => (height === 0 ? languages.litecoinGenesis : undefined),
  open: (urls, clock, addresses) =>
    openLitecoin({ config: configOf(urls), wallet: walletOf("ltc", addresses, shownScript), log, clock }),
});

const subjects: readonly Subject[] = [
  evm("ethereum"),
  evm("bsc"),
  {
    name: "tron",
    languages: [languages.tron],
    kinds: ["coin", "token"],
    unit: 1_000_000n,
    spell: on0x,
    idOf: languages.tronId,
    open: (urls, clock, addresses) => {
      const usdt = asTron(languages.evmToken);
      return openTron({
        config: configOf(urls, { USDT: usdt }),
        wallet: walletOf("tron", addresses),
        log,
        clock,
      });
    },
  },
  {
    name: "ton",
    languages: [languages.ton],
    kinds: ["coin", "token"],
    unit: 100_000_000n,
    spell: (bytes) => `0:${bytes}`,
    open: (urls, clock, addresses) => {
      const config = configOf(urls, { USDT: languages.tonMaster });
      return openTon({ config, wallet: walletOf("ton", addresses), log, clock, db: database.db });
    },
  },
  litecoin("litecoind", [languages.litecoind]),
  litecoin("esplora", [languages.esplora]),
  litecoin("litecoind and esplora", [languages.litecoind, languages.esplora]),
  {
    name: "btcpay",
    languages: [languages.btcpay],
    kinds: ["coin"],
    unit: 1_000_000n,
    spell: (bytes) => `Inv${bytes.slice(0, 19)}`,
    open: ([url = ""], clock) => {
      const config = {
        url,
        apiKey: "key-of-the-store",
        storeId: "store",
        webhookSecret: undefined,
        methods: { ltc: "LTC-CHAIN" },
      };
      return openBtcpay({ config, clock });
    },
  },
];

const payment = fc.record({
  kind: fc.nat(),
  to: fc.nat({ max: 1 }),
  units: fc.integer({ min: 50, max: 90 }),
});
const rule = fc.record({
  node: fc.nat({ max: 1 }),
  question: fc.nat(),
  mood: fc.constantFrom(...moods),
  /** How many times it is asked before it misbehaves, and how many times it does so then. */
  after: fc.nat({ max: 3 }),
  times: fc.constantFrom(1, 2, 1000),
});
const poll = fc.record({
  pays: fc.array(payment, { maxLength: 2 }),
  blocks: fc.integer({ min: 1, max: 2 }),
  rules: fc.array(rule, { maxLength: 3 }),
});
const history = fc.record({
  isPair: fc.boolean(),
  polls: fc.array(poll, { minLength: 2, maxLength: 3 }),
});
type History = typeof history extends fc.Arbitrary<infer Value> ? Value : never;

/** An outage is expected; a fault of ours is none. */
async function unlessTrouble<Outcome>(work: Promise<Outcome>): Promise<Outcome | undefined> {
  try {
    return await work;
  } catch (fault) {
    if (fault instanceof NodeTrouble || fault instanceof Unreadable) return undefined;
    throw fault;
  }
}

/** Keeps what a network told, as the shop does: what is gone may come again, what is final stays. */
function openKeeper(network: Network, addresses: readonly string[]) {
  const kept = new Map<string, { transfer: ChainTransfer; isFinal: boolean }>();
  let cursor: string | null = null;
  const watched = () => Promise.resolve(new Set(addresses));
  return {
    kept,
    poll: async () => {
      const reading = await unlessTrouble(network.transfers(cursor, watched, never));
      if (!reading) return false;
      ({ cursor } = reading);
      for (const one of kept.values()) {
        const above = reading.reorganisedAbove;
        if (above !== undefined && one.transfer.block && one.transfer.block.height > above)
          one.isFinal = false;
      }
      for (const transfer of reading.transfers) {
        const key = `${transfer.txid} ${transfer.index}`;
        const before = kept.get(key);
        if (before?.transfer.block?.hash !== transfer.block?.hash || !before)
          kept.set(key, { transfer, isFinal: false });
      }
      for (const [key, one] of kept) {
        if (one.isFinal) continue;
        const isSmall = (one.transfer.amount / 1_000_000n) % 2n === 0n;
        const need = needOf(network, isSmall ? usd("0") : undefined);
        const said = await unlessTrouble(network.verify(one.transfer, need, never));
        if (!said) break;
        if (!said.found) kept.delete(key);
        else if (said.isFinal && said.amount === one.transfer.amount) one.isFinal = true;
      }
      return (reading.behind ?? 0n) === 0n;
    },
  };
}

const isToken = ({ currency }: ChainTransfer) => currency.startsWith("usdt") || currency === "erc";

let serial = 0;

async function play(subject: Subject, nodes: readonly MoodyNode[], { isPair, polls }: History) {
  const seed = `${subject.name} ${serial++}`;
  const world = openWorld(subject.idOf ?? (() => undefined), seed);
  const addresses = [0, 1, 2].map((n) => subject.spell(digest(`${seed} address ${n}`)));
  const used = subject.languages.length > 1 || isPair ? nodes : nodes.slice(0, 1);
  for (const node of used) [node.world, node.mood] = [world, () => undefined];
  const network = subject.open(
    used.map(({ url }) => url),
    () => new Date(world.now * 1000),
    addresses,
  );
  const keeper = openKeeper(network, addresses);
  const goOn = (blocks: number) => {
    // Longer than a node rests, and shorter than any node may stand still.
    world.now += 59;
    world.mine(blocks);
  };
  world.mine(25);
  await keeper.poll();
  for (const { pays, blocks, rules } of polls) {
    for (const { kind, to, units } of pays) {
      const paidIn = subject.kinds[kind % subject.kinds.length] ?? "coin";
      world.pay(paidIn, addresses[to + 1] ?? "", BigInt(units) * subject.unit);
    }
    for (const [place, node] of used.entries())
      misbehave(
        node,
        rules.filter((one) => one.node === place),
      );
    goOn(blocks);
    await keeper.poll();
  }
  for (const node of used) node.mood = () => undefined;
  for (const blocks of [4, 12, 12]) {
    goOn(blocks);
    world.now += 2;
    for (let isWell = false, times = 0; !isWell && times < 5; times++) isWell = await keeper.poll();
  }
  return { world, kept: [...keeper.kept.values()] };
}

function misbehave(node: MoodyNode, rules: History["polls"][number]["rules"]): void {
  const { names } = node.language;
  const asked = new Map<string, number>();
  node.mood = (name) => {
    const before = asked.get(name) ?? 0;
    asked.set(name, before + 1);
    return rules.find(
      ({ question, after, times }) =>
        names[question % names.length] === name && before >= after && before < after + times,
    )?.mood;
  };
}

const sums = (all: readonly { to: string; isToken: boolean; amount: bigint }[]) => {
  const found: Record<string, string> = {};
  for (const { to, isToken, amount } of all) {
    const key = `${isToken ? "dollars" : "coins"} of ${to}`;
    found[key] = String(BigInt(found[key] ?? 0) + amount);
  }
  return found;
};

const cameOf = ({ came }: World) =>
  sums(came.map(({ to, kind, amount }) => ({ to, isToken: kind === "token", amount })));

async function keepsAll(subject: Subject, runs: { numRuns: number; seed?: number }): Promise<void> {
  const world = openWorld(() => undefined, "none");
  const nodes: MoodyNode[] = [];
  for (const place of [0, 1])
    nodes.push(await openMoodyNode(world, subject.languages[place] ?? subject.languages[0]));
  try {
    await fc.assert(
      fc.asyncProperty(history, async (one) => {
        const { world, kept } = await play(subject, nodes, one);
        const known = kept.filter(({ isFinal }) => isFinal).map(({ transfer }) => transfer);
        const told = known.map((transfer) => ({
          to: transfer.address,
          isToken: isToken(transfer),
          amount: transfer.amount,
        }));
        expect(sums(told)).toEqual(cameOf(world));
      }),
      { ...runs, endOnFailure: true },
    );
  } finally {
    for (const node of nodes) await node.close();
  }
}

describe.each(subjects)("$name", (subject) => {
  test(
    "all money is known once the nodes are well, whatever they did before",
    () => keepsAll(subject, { numRuns: 12 }),
    60_000,
  );

  test(
    "all money is known once the nodes are well, in a thousand histories",
    { tags: ["full"], timeout: 600_000 },
    () => keepsAll(subject, { numRuns: 1000 }),
  );
});
