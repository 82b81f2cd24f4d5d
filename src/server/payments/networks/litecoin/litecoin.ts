// Watches Litecoin by comparing whole blocks with our scripts. Nodes are litecoinds or Esploras.
import { bech32 } from "@scure/base";
import { z } from "zod/mini";
import { isLoopbackHost } from "../../../platform/network-address.ts";
import { secondsAfter } from "../../../platform/clock.ts";
import type { Need } from "../../payments.finality.ts";
import { esploraSource } from "./litecoin.esplora.ts";
import { litecoindSource } from "./litecoin.litecoind.ts";
import { openReading } from "./litecoin.reading.ts";
import { Hex, type Output, type Source, unitsOf } from "./litecoin.source.ts";
import { askBoth } from "../paid.ts";
import type { Block, ChainParts, ChainTransfer, Network, Verification } from "../network.ts";
import { openNodes, type Node, NodeTrouble } from "../nodes/nodes.ts";

const pollSeconds = 15;

// The genesis blocks, by address prefix (chainparams.cpp of Litecoin Core).
const chains: Readonly<Record<string, string>> = {
  ltc: "12a765e31ffd4059bada1e25190f6e98c99d9714d334efa41a195a7e7e04bfe2",
  tltc: "4966625a4b2851d9fdee139e56211a0d88575f59ed816ff5e6a63deb4e3e29a0",
  rltc: "530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9",
};

// Blocks come every 2.5 minutes: a gap of half an hour happens by chance once a year.
const staleSeconds = 30 * 60;

// Requests per second: providers count calls, an own node does not.
const paceOf = ({ hostname }: URL) => (isLoopbackHost(hostname) ? 1000 : 20);

const freshSeconds = 60;

// By the rules of the chain, a miner's reward can be spent after so many.
const maturity = 100;

type Found = Extract<Verification, { found: true }>;

/** Watches Litecoin. Shows transfers of the mempool; credits them once they are deep enough. */
export function openLitecoin({ config, wallet, clock }: ChainParts): Network {
  const nodes = openNodes({ urls: config.urls, requestsPerSecond: paceOf, clock });
  const prefix = prefixOf(wallet.address(0n).address);
  const speak = openSpeaking(prefix, clock);
  const reading = openReading();
  const poll = (transfer: ChainTransfer, { blocks }: Need, signal: AbortSignal, second: boolean) =>
    nodes.with(
      (node) =>
        speak(node, async (source) => {
          const found = await source.find(transfer);
          if (!found) await mustKnow(source, transfer);
          return found && asFound(found, blocks);
        }),
      signal,
      { second },
    );
  return {
    name: "litecoin",
    currencies: ["ltc"],
    family: wallet.family,
    isSandbox: false,
    pollSeconds: config.pollSeconds ?? pollSeconds,
    address: (_currency, index) => Promise.resolve(wallet.address(index)),
    transfers: (since, watched, signal) =>
      nodes.with((node) => speak(node, (source, tip) => reading(source, tip, since, watched), "now"), signal),
    // A litecoind without an index of transactions knows few of them.
    paid: (txid, to, signal) =>
      askBoth((second) =>
        nodes.with((node) => speak(node, (source) => paidTo(source, txid, to), "now"), signal, { second }),
      ),
    verify: async (transfer, need, signal): Promise<Verification> => {
      const first = await poll(transfer, need, signal, false);
      if (config.urls.length < 2 || first?.isFinal === false) return first ?? { found: false };
      // Where there are two nodes, both must say that a transfer is final or gone.
      const second = await poll(transfer, need, signal, true);
      const either = first ?? second;
      if (!either) return { found: false };
      return {
        ...either,
        isFinal: first?.isFinal === true && second?.isFinal === true && first.amount === second.amount,
      };
    },
    balances: async (_currency, scripts, signal) => {
      const addresses = scripts.map((script) => addressOf(prefix, script));
      const ask = (second: boolean) =>
        nodes.with((node) => speak(node, (source) => receivedAt(source, addresses)), signal, { second });
      // A litecoind does not index addresses; the other node may.
      return (await ask(false)) ?? (config.urls.length > 1 ? ask(true) : undefined);
    },
    check: (signal) => nodes.with((node) => speak(node, async () => undefined, "now"), signal),
    health: nodes.health,
    confirmations: config.confirmations,
    fee: async (_currency, signal) => {
      const rate = await nodes.with((node) => speak(node, (source) => source.feeRate()), signal);
      return rate === undefined ? undefined : { units: (rate * transferBytes) / 1000n, coin: "ltc" };
    },
  };
}

async function paidTo(
  source: Source,
  txid: string,
  script: string,
): Promise<readonly ChainTransfer[] | "unknown" | "pending"> {
  const found = await source.outputs(txid);
  if (!found) return "unknown";
  const { outputs, block } = found;
  if (block === null) return "pending";
  return outputs
    .filter((output) => output.script === script)
    .map((output) => ({
      chain: "litecoin",
      txid,
      index: String(output.number),
      currency: "ltc",
      address: script,
      amount: unitsOf(output),
      block,
    }));
}

async function receivedAt(source: Source, addresses: readonly string[]): Promise<bigint[] | undefined> {
  if (!source.received) return undefined;
  const sums: bigint[] = [];
  for (const address of addresses) sums.push(await source.received(address));
  return sums;
}

// Virtual bytes of a transfer from one witness output to two.
const transferBytes = 141n;

/** Throws unless another block replaced that of the transfer: a lagging node does not know that it is gone. */
async function mustKnow(source: Source, { txid, block }: ChainTransfer): Promise<void> {
  if (!block) return;
  const tip = await source.tip();
  if (tip.height < block.height)
    throw new NodeTrouble(`it lags behind: it is at block ${tip.height}, but ${block.height} was read`);
  const [hash] = await source.hashes(block.height, block.height);
  if (hash === block.hash) throw new NodeTrouble(`it has the block of ${txid}, but not its transactions`);
}

/** `age`: how old the check that the node follows the chain may be. */
type Speak = <Outcome>(
  node: Node,
  work: (source: Source, tip: Block) => Promise<Outcome>,
  age?: "now" | "recent",
) => Promise<Outcome>;

function openSpeaking(prefix: string, clock: () => Date): Speak {
  const known = new Map<string, { sourceOf: (node: Node) => Source; tip: Block; freshUntil: Date }>();
  return async (node, work, age = "recent") => {
    try {
      const before = known.get(node.name);
      const sourceOf = before?.sourceOf ?? (await recognise(node, prefix));
      const source = sourceOf(node);
      const isFresh = age === "recent" && before !== undefined && clock() < before.freshUntil;
      const tip = isFresh ? before.tip : await freshTip(source, clock());
      if (!isFresh) known.set(node.name, { sourceOf, tip, freshUntil: secondsAfter(clock(), freshSeconds) });
      node.stands(tip.height);
      return await work(source, tip);
    } catch (fault) {
      known.delete(node.name);
      throw fault;
    }
  };
}

async function freshTip(source: Source, now: Date): Promise<Block> {
  const tip = await source.tip();
  if (now > secondsAfter(tip.at, staleSeconds))
    throw new NodeTrouble(
      `its newest block, ${tip.height}, is of ${tip.at.toISOString()}: it does not follow the chain`,
      undefined,
      { lateSeconds: (now.getTime() - tip.at.getTime()) / 1000 },
    );
  return tip;
}

const Firsts = z.array(z.object({ id: Hex, height: z.int() }));

async function recognise(node: Node, prefix: string): Promise<(node: Node) => Source> {
  const isOurs = (hash: string | undefined) => {
    if (hash !== chains[prefix])
      throw new NodeTrouble(`it is of another chain than ${prefix}1…: it begins with ${hash}`);
  };
  let hash: string;
  try {
    hash = await node.rpc(Hex, "getblockhash", [0]);
  } catch (fault) {
    if (!(fault instanceof NodeTrouble)) throw fault;
    const blocks = await node.get(Firsts, "/blocks/0").catch(() => {
      throw fault;
    });
    isOurs(blocks.find(({ height }) => height === 0)?.id);
    return esploraSource;
  }
  isOurs(hash);
  return litecoindSource;
}

function asFound(
  { output, confirmations }: { output: Output; confirmations: number },
  blocks: number,
): Found {
  const amount = unitsOf(output);
  const depth = { now: confirmations, wanted: output.isMined ? Math.max(blocks, maturity) : blocks };
  return { found: true, amount, isFinal: depth.now >= depth.wanted, depth };
}

function prefixOf(address: string): string {
  const [prefix = ""] = address.split("1");
  if (chains[prefix] === undefined)
    throw new Error(`${address} is no address of Litecoin that starts with ltc1, tltc1 or rltc1`);
  return prefix;
}

/** The address of a witness program (BIP 173): version 0, then the length of the program. */
function addressOf(prefix: string, script: string): string {
  const program = Buffer.from(script.slice(4), "hex");
  return bech32.encode(prefix, [0, ...bech32.toWords(program)]);
}
