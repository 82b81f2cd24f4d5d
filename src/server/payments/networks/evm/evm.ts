import type { CurrencyId } from "../../../../contract/currencies.ts";
import type { Log } from "../../../platform/log.ts";
import { usd } from "../../../platform/money.ts";
import { type Need, needOf } from "../../payments.finality.ts";
import { type EvmChain, evmChains } from "./evm.chains.ts";
import { isRise } from "./evm.coins.ts";
import type { Unread } from "./evm.cursor.ts";
import { paidTo } from "./evm.paid.ts";
import { freshTip, type Memory, read, type ReadingParts, type Remarks } from "./evm.reading.ts";
import {
  ask,
  askAll,
  balancesAt,
  chainIdOf,
  finalHead,
  gasPriceOf,
  newestHead,
  sentBy,
  takesHashes,
  tokenBalances,
  wordOf,
} from "./evm.rpc.ts";
import { searchOf } from "./evm.search.ts";
import { cannotTellFinal, nothingFinal, verify, type VerifyParts } from "./evm.verify.ts";
import { identityOf, mainIds, type Token, tokenOf } from "../identity.ts";
import { askBoth } from "../paid.ts";
import type { ChainParts, ChainTransfer, Network, Reading, Verification } from "../network.ts";
import { type Node, type Nodes, NodeTrouble, openNodes } from "../nodes/nodes.ts";

/** Opens one of the two chains. Asks no node before the first reading. */
export function openEvm(
  { config, wallet, log, clock, ...more }: ChainParts,
  name: "ethereum" | "bsc",
): Network {
  const chain = evmChains[name];
  const chainId = config.id ?? mainIds[name];
  const listed = more.tokens ?? identityOf(name, config).tokens;
  const tokens = listed.map((token) => ({ ...token, contract: token.contract.toLowerCase() }));
  const staleSeconds = chainId === mainIds[name] ? chain.staleSeconds : undefined;
  const remarks = openRemarks(log, name);
  const { confirmations, pollSeconds = chain.pollSeconds } = config;
  const rule = { name, confirmations, pollSeconds };
  const leastDepth = Math.max(needOf(rule, usd("0")).blocks, 1);
  const parts: ReadingParts = { chain, tokens, leastDepth, staleSeconds, clock, remarks };
  const nodes = ofChain(openNodes({ urls: config.urls, requestsPerSecond, clock }), BigInt(chainId), {
    chain,
    asksFinal: needOf(rule, undefined).final,
  });
  const doubted = new Map<string, Unread>();
  const sure = openOpinions(nodes, parts, doubted);
  let [memory, last]: [Memory | undefined, Reading | undefined] = [undefined, undefined];
  return {
    ...rule,
    currencies: [chain.coin, ...tokens.map(({ currency }) => currency)],
    family: wallet.family,
    isSandbox: false,
    address: (_currency, index) => Promise.resolve(wallet.address(index)),
    transfers: async (since, watched, signal) => {
      const other = <Outcome>(work: (node: Node) => Promise<Outcome>) =>
        nodes.with(work, signal, { second: true });
      const options = { since, watched, memory, doubted: [...doubted.values()], other };
      const done = await nodes.with((node) => read(node, parts, options), signal);
      [memory, last] = [done.memory, done.reading];
      for (const { txid } of options.doubted) doubted.delete(txid);
      return done.reading;
    },
    paid: (txid, to, signal) =>
      askBoth((second) => nodes.with((node) => paidTo(node, parts, { txid, to }), signal, { second })),
    verify: async (transfer, need, signal) =>
      notYet(last, transfer, need.blocks) ?? sure(transfer, need, signal),
    balances: (currency, addresses, signal) =>
      nodes.with((node) => held(node, parts, currency, addresses), signal, { second: true }),
    balancesAtOnce,
    search: (address, since, signal) =>
      nodes.with((node) => searchOf(node, parts, { address, since }), signal, { second: true }),
    used: (addresses, signal) => nodes.with((node) => usedOf(node, tokens, addresses), signal),
    check: (signal) =>
      nodes.with(async (node) => {
        for (const token of tokens) await checkToken(node, token);
      }, signal),
    health: () => nodes.health(),
    fee: async (currency, signal) => ({
      units: (await nodes.with(gasPriceOf, signal)) * (tokenOf({ tokens }, currency) ? tokenGas : coinGas),
      coin: chain.coin,
    }),
  };
}

async function held(node: Node, parts: ReadingParts, currency: CurrencyId, addresses: readonly string[]) {
  await freshTip(node, parts);
  const token = tokenOf(parts, currency);
  return token ? tokenBalances(node, token.contract, addresses) : balancesAt(node, addresses, "latest");
}

// Of one transfer: fixed for the coin; of a token to an address that has none of it yet.
const coinGas = 21_000n;
const tokenGas = 65_000n;

// Two calls for the coin and for the token at most.
const balancesAtOnce = 500;

const ownHosts = ["127.0.0.1", "localhost", "[::1]"];

/** Requests per second: what free providers allow, or nearly no limit for a node on this machine. */
const requestsPerSecond = ({ hostname }: URL) => (ownHosts.includes(hostname) ? 1000 : 20);

/** The nodes; each must prove its chain id before its first work, and is asked what it cannot do. */
function ofChain(nodes: Nodes, chainId: bigint, finalCheck: FinalCheck): Nodes {
  const proven = new Set<string>();
  return {
    ...nodes,
    with: (work, signal, which) =>
      nodes.with(
        async (node) => {
          if (!proven.has(node.name)) {
            const its = await chainIdOf(node);
            if (its !== chainId) throw new NodeTrouble(`it is of the chain ${its}, not of ${chainId}`);
            proven.add(node.name);
            await warnOf(node, finalCheck).catch((fault: unknown) => {
              if (!(fault instanceof NodeTrouble)) throw fault;
            });
          }
          return work(node);
        },
        signal,
        which,
      ),
  };
}

// A chain this long has final blocks.
const longChain = 1000n;

interface FinalCheck {
  readonly chain: EvmChain;
  readonly asksFinal: boolean;
}

async function warnOf(node: Node, { chain, asksFinal }: FinalCheck): Promise<void> {
  const head = await newestHead(node);
  if (!(await takesHashes(node, head)))
    node.warns("it does not take the hash of a block (EIP-1898): balances are asked by the block's number");
  if (!asksFinal) return;
  const final = await finalHead(node);
  if (!final) node.warns(cannotTellFinal(chain));
  else if (final.number === 0n && head.number > longChain) node.warns(nothingFinal(chain, head.number));
}

function openRemarks(log: Log, chain: EvmChain["name"]): Remarks {
  const made = new Set<string>();
  return {
    once: (matter, detail, text) => {
      if (!made.has(matter)) log.warn({ chain, ...detail }, text);
      made.add(matter);
    },
    over: (matter) => void made.delete(matter),
  };
}

/** Answers without a call for a transfer too young to be final, in a part of the chain that has not changed. */
function notYet(
  last: Reading | undefined,
  { block, amount }: ChainTransfer,
  wanted: number,
): Verification | undefined {
  if (!last || !block || last.tip.height < block.height) return undefined;
  const isMoved = last.reorganisedAbove !== undefined && block.height > last.reorganisedAbove;
  const now = Number(last.tip.height - block.height) + 1;
  return isMoved || now >= wanted
    ? undefined
    : { found: true, amount, isFinal: false, depth: { now, wanted } };
}

/** Prefers another node than the one that reported the transfer. It is gone only if both say so. */
function openOpinions(nodes: Nodes, parts: VerifyParts, doubted: Map<string, Unread>) {
  return async (transfer: ChainTransfer, need: Need, signal: AbortSignal): Promise<Verification> => {
    const poll = (node: Node) => verify(node, parts, { transfer, need });
    const verified = await nodes.with(poll, signal, { second: true });
    const other = verified.found ? verified : await nodes.with(poll, signal);
    const { txid, block } = transfer;
    if (verified.found || !other.found) {
      parts.remarks.over(`disputed ${txid}`);
      // It may be the node that is wrong: the transaction is read once more.
      if (!verified.found && block && !isRise(transfer)) doubted.set(txid, { ...block, txid, moves: 1 });
      return verified;
    }
    parts.remarks.once(
      `disputed ${txid}`,
      { transfer: txid },
      "the nodes disagree on a transfer; it waits until they agree",
    );
    return { ...other, isFinal: false };
  };
}

// The first four bytes of the keccak256 of balanceOf(address), decimals() and symbol().
const selectors = { balanceOf: "0x70a08231", decimals: "0x313ce567", symbol: "0x95d89b41" };
const balanceOf = (address: string) => selectors.balanceOf + wordOf(address).slice(2);

/** Which addresses hold something or have sent something: their coins were moved on. */
async function usedOf(
  node: Node,
  tokens: readonly Token[],
  addresses: readonly string[],
): Promise<Set<string>> {
  const coins = await balancesAt(node, addresses, "latest");
  const sent = await sentBy(node, addresses);
  const counts = [coins, sent];
  for (const token of tokens) {
    const answers = await askAll(node, token.contract, addresses.map(balanceOf));
    counts.push(answers.map((answer) => numberOf(answer, token)));
  }
  const isUsed = (place: number) => counts.some((count) => count[place] !== 0n);
  return new Set(addresses.filter((_, place) => isUsed(place)));
}

function numberOf(answer: string, { coin }: Token): bigint {
  if (answer === "0x") throw new NodeTrouble(`there is no contract at the address of ${coin}`);
  return BigInt(answer);
}

/** Refuses a contract with other decimals, which would turn cents into millions. */
async function checkToken(node: Node, token: Token): Promise<void> {
  const { coin, contract, decimals: wanted } = token;
  const decimals = numberOf(await ask(node, contract, selectors.decimals), token);
  const symbol = textOf(await ask(node, contract, selectors.symbol));
  if (decimals !== BigInt(wanted) || !symbol.includes("USD"))
    throw new NodeTrouble(
      `the contract ${contract} is ${symbol} with ${decimals} decimals, not ${coin} with ${wanted}`,
    );
}

function textOf(answer: string): string {
  const bytes = Buffer.from(answer.slice(2), "hex");
  const length = bytes.length < 64 ? 0 : Number(BigInt(`0x${bytes.subarray(32, 64).toString("hex")}`));
  return bytes.subarray(64, 64 + length).toString("utf8");
}
