// Litecoin: blocks are read by height and compared with our scripts, so the cost grows with the chain and not with the
// number of addresses. A node is a litecoind or an Esplora; which, it shows by what it answers.
import { bech32 } from "@scure/base";
import { z } from "zod/mini";
import { isLoopbackHost } from "../../../platform/network-address.ts";
import { secondsAfter } from "../../../platform/clock.ts";
import { esploraSource } from "./litecoin.esplora.ts";
import { litecoindSource } from "./litecoin.litecoind.ts";
import { openReading } from "./litecoin.reading.ts";
import { type Output, type Source, unitsOf } from "./litecoin.source.ts";
import type { Block, ChainParts, ChainTransfer, Network, Verification } from "../network.ts";
import { openNodes, type Node, NodeTrouble } from "../nodes/nodes.ts";

const pollSeconds = 15;

// The first blocks of Litecoin's chains, by how their addresses begin (chainparams.cpp of Litecoin Core).
const chains: Readonly<Record<string, string>> = {
  ltc: "12a765e31ffd4059bada1e25190f6e98c99d9714d334efa41a195a7e7e04bfe2",
  tltc: "4966625a4b2851d9fdee139e56211a0d88575f59ed816ff5e6a63deb4e3e29a0",
  rltc: "530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9",
};

// Blocks come every two and a half minutes: twelve are missing once in a year by chance.
const staleSeconds = 30 * 60;

// Providers of nodes count calls; one's own on the same machine does not mind.
const paceOf = ({ hostname }: URL) => (isLoopbackHost(hostname) ? 1000 : 20);

// How long it is believed of a node that it follows the chain.
const freshSeconds = 60;

// To rewrite three blocks costs their rewards, which are many times this sum whatever a litecoin is worth; above it six.
const small = 100_000_000n;
const confirmationsOf = (amount: bigint) => (amount <= small ? 3 : 6);

/** What a node says of a transfer that it knows. */
type Found = Extract<Verification, { found: true }>;

/** Watches Litecoin. What waits in the mempool is shown, and credited once it is deep enough in the chain. */
export function openLitecoin({ config, wallet, clock }: ChainParts): Network {
  const nodes = openNodes({ urls: config.urls, requestsPerSecond: paceOf, clock });
  const prefix = prefixOf(wallet.address(0n).address);
  const speak = openSpeaking(prefix, clock);
  const reading = openReading();
  const poll = (transfer: ChainTransfer, signal: AbortSignal, second: boolean) =>
    nodes.with(
      (node) =>
        speak(node, async (source) => {
          const found = await source.find(transfer);
          if (!found) await mustKnow(source, transfer);
          return found && asFound(found, config.confirmations);
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
    verify: async (transfer, signal): Promise<Verification> => {
      const first = await poll(transfer, signal, false);
      if (config.urls.length < 2 || first?.isFinal === false) return first ?? { found: false };
      // That it is final, or that it is gone, must be said by two where there are two.
      const second = await poll(transfer, signal, true);
      const either = first ?? second;
      if (!either) return { found: false };
      return {
        ...either,
        isFinal: first?.isFinal === true && second?.isFinal === true && first.amount === second.amount,
      };
    },
    balance: async (_currency, script, signal) => {
      const ask = (second: boolean) =>
        nodes.with(
          (node) => speak(node, async (source) => source.received?.(addressOf(prefix, script))),
          signal,
          { second },
        );
      // A litecoind keeps no account of addresses; the other node may be one that does.
      return (await ask(false)) ?? (config.urls.length > 1 ? ask(true) : undefined);
    },
    check: (signal) => nodes.with((node) => speak(node, async () => undefined, "now"), signal),
    health: nodes.health,
  };
}

/**
 * A transfer that stood in a block is gone when another block stands there now. A node that has not got so far does not know,
 * and what is taken for gone is read again only where the chain has changed.
 */
async function mustKnow(source: Source, { txid, block }: ChainTransfer): Promise<void> {
  if (!block) return;
  const tip = await source.tip();
  if (tip.height < block.height)
    throw new NodeTrouble(`it lags behind: it is at block ${tip.height}, but ${block.height} was read`);
  const [hash] = await source.hashes(block.height, block.height);
  if (hash === block.hash) throw new NodeTrouble(`it has the block of ${txid}, but not its transactions`);
}

/** `age` is how old the knowledge may be that the node follows the chain: asked now, or not long ago. */
type Speak = <Outcome>(
  node: Node,
  work: (source: Source, tip: Block) => Promise<Outcome>,
  age?: "now" | "recent",
) => Promise<Outcome>;

/** Finds out how each node speaks, and that it is of our chain and up to date, before it is asked for anything. */
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
      // It may be another program when it is well again.
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
    );
  return tip;
}

const Firsts = z.array(z.object({ id: z.string(), height: z.int() }));

async function recognise(node: Node, prefix: string): Promise<(node: Node) => Source> {
  const isOurs = (hash: string | undefined) => {
    if (hash !== chains[prefix])
      throw new NodeTrouble(`it is of another chain than ${prefix}1…: it begins with ${hash}`);
  };
  let hash: string;
  try {
    hash = await node.rpc(z.string(), "getblockhash", [0]);
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
  wanted?: number,
): Found {
  const amount = unitsOf(output);
  const depth = { now: confirmations, wanted: wanted ?? confirmationsOf(amount) };
  return { found: true, amount, isFinal: depth.now >= depth.wanted, depth };
}

function prefixOf(address: string): string {
  const [prefix = ""] = address.split("1");
  if (chains[prefix] === undefined)
    throw new Error(`${address} is no address of Litecoin that starts with ltc1, tltc1 or rltc1`);
  return prefix;
}

/** The address of a script that pays to a witness program (BIP 173): version 0, then the length of the program. */
function addressOf(prefix: string, script: string): string {
  const program = Buffer.from(script.slice(4), "hex");
  return bech32.encode(prefix, [0, ...bech32.toWords(program)]);
}
