import type { CurrencyId } from "../../../../contract/currencies.ts";
import { ConfigError } from "../../../platform/config/config.ts";
import type { Need } from "../../payments.finality.ts";
import { isDust } from "../../payments.terms.ts";
import { tron as spelling } from "../../wallets/spelling.ts";
import { identityOf, isCalled, mainIds, type Token, tokenOf } from "../identity.ts";
import { askBoth } from "../paid.ts";
import type { ChainParts, ChainTransfer, Fee, Network, Verification } from "../network.ts";
import { type Node, NodeTrouble, openNodes } from "../nodes/nodes.ts";
import * as tron from "./tron.node.ts";
import {
  freshTip,
  nothingLeft,
  type Opened,
  read,
  readAlone,
  readLeft,
  readPlace,
  search,
} from "./tron.reading.ts";

// A block comes every three seconds. A poll is four requests; TronGrid allows 100,000 a day for free.
const pollSeconds = 6;

/** Watches TRON by the nodes of the settings. Addresses are 20 bytes as 0x… in lower case, without TRON's 41. */
export function openTron({ config, wallet, clock }: ChainParts): Network {
  const opened = settingsOf(config, clock);
  const keyHeader = "TRON-PRO-API-KEY";
  const nodes = openNodes({ urls: config.urls, requestsPerSecond, keyHeader, rpcPath: "/jsonrpc", clock });
  const known = new Set<string>();
  const ask = <Outcome>(work: (node: Node) => Promise<Outcome>, signal: AbortSignal, second = false) =>
    nodes.with(
      async (node) => {
        if (!known.has(node.name)) await checkChain(node, opened.chainId);
        known.add(node.name);
        return work(node);
      },
      signal,
      { second },
    );
  // Set when a node lacks a transfer that another showed: blocks that are not final are read again then.
  let isDoubted = false;
  return {
    name: "tron",
    currencies: [...opened.tokens.map(({ currency }) => currency), "trx"],
    family: wallet.family,
    isSandbox: false,
    pollSeconds: config.pollSeconds ?? pollSeconds,
    address: (_currency, index) => Promise.resolve(wallet.address(index)),
    transfers: async (since, watched, signal) => {
      const place = since === null ? undefined : readPlace(since);
      const again = isDoubted;
      isDoubted = false;
      try {
        const done = await ask((node) => read(opened, node, { place, again, watched }), signal);
        if (done.unread.length === 0) return done.reading(nothingLeft);
        const ours = await watched();
        const { height } = done.tip;
        return done.reading(
          await readLeft(done.unread, height, (one) =>
            ask((node) => readAlone(opened, node, ours, one), signal, true),
          ),
        );
      } catch (fault) {
        isDoubted ||= again;
        throw fault;
      }
    },
    paid: (txid, to, signal) =>
      askBoth((second) => ask((node) => paidTo(opened, node, { txid, to }), signal, second)),
    verify: async (transfer, need, signal) => {
      const verified = await ask((node) => verify(opened, node, { transfer, need }), signal, true);
      isDoubted ||= !verified.found;
      return verified;
    },
    balances: (currency, addresses, signal) =>
      ask((node) => balances(opened, node, currency, addresses), signal, true),
    search: (address, since, signal) => ask((node) => search(opened, node, address, since), signal, true),
    used: (addresses, signal) => ask((node) => used(opened, node, addresses), signal),
    check: (signal) => ask((node) => checkTokens(opened, node), signal),
    health: () => nodes.health(),
    confirmations: config.confirmations,
    fee: (currency, signal) => ask((node) => feeOf(node, currency), signal),
  };
}

// Of a transfer of a token to an address that has none of it yet.
const tokenEnergy = 130_000n;
const tokenBytes = 345n;

/** TRX to a new address pays for the account; a token pays for energy and bandwidth. */
async function feeOf(node: Node, currency: CurrencyId): Promise<Fee> {
  const { energy, byte, account } = await tron.prices(node);
  const units = currency === "trx" ? account : tokenEnergy * energy + tokenBytes * byte;
  return { units, coin: "trx" };
}

/** Providers limit requests, less with a key; an own node has no quota. */
function requestsPerSecond({ hostname, username }: URL): number {
  if (["127.0.0.1", "[::1]", "localhost"].includes(hostname)) return 1000;
  return username === "" ? 3 : 10;
}

function settingsOf(config: ChainParts["config"], clock: () => Date): Opened {
  const tokens = identityOf("tron", config).tokens.map((token) => {
    const contract = spelling.canonicalOf(token.contract);
    if (contract === undefined)
      throw new ConfigError(`CHAIN_TRON_${token.coin} is no address of TRON: some character of it is wrong.`);
    return { ...token, contract };
  });
  const { id = mainIds.tron } = config;
  return { tokens, chainId: BigInt(id), clock };
}

async function verify(
  opened: Opened,
  node: Node,
  { transfer, need }: { transfer: ChainTransfer; need: Need },
): Promise<Verification> {
  const token = tokenIn(opened, transfer.currency);
  const tip = await freshTip(opened, node);
  const solid = await tron.executed(node, "walletsolidity", transfer.txid);
  const done = solid ?? (await tron.executed(node, "wallet", transfer.txid));
  if (!done) return absent(node, transfer);
  const sent =
    token === undefined
      ? await tron.payment(node, transfer.txid)
      : done.transfers.find(
          ({ ordinal, contract }) => String(ordinal) === transfer.index && contract === token.contract,
        );
  if (sent?.to !== transfer.address) return { found: false };
  const above = Math.max(0, Number(tip.height - done.height) + 1);
  const wanted = need.blocks;
  const isFinal = above >= wanted && (!need.final || solid !== undefined);
  // Producers that miss their slot do not count: nineteen blocks may not be enough.
  const now = isFinal ? wanted : Math.min(above, wanted - 1);
  return { found: true, amount: sent.amount, isFinal, depth: { now, wanted } };
}

/** Of a transaction that waits for a block a node tells nothing. */
async function paidTo(
  opened: Opened,
  node: Node,
  { txid, to }: { txid: string; to: string },
): Promise<readonly ChainTransfer[] | "unknown"> {
  const { height } = await freshTip(opened, node);
  if (!(await tron.executed(node, "wallet", txid))) return "unknown";
  const paid = await readAlone(opened, node, new Set([to]), { txid, height });
  if (!paid) throw new NodeTrouble(`it has the transaction ${txid}, but not what it moved`);
  return paid;
}

/** A transfer is gone only if another block replaced its own: a node that lacks that block or its transactions does not know. */
async function absent(node: Node, { txid, block }: ChainTransfer): Promise<Verification> {
  if (!block) return { found: false };
  const there = await tron.header(node, "wallet", block.height);
  if (!there) throw new NodeTrouble(`it has no block ${block.height} yet`);
  if (there.id === block.hash) throw new NodeTrouble(`it has the block of ${txid}, but not its transactions`);
  return { found: false };
}

async function balances(
  opened: Opened,
  node: Node,
  currency: CurrencyId,
  addresses: readonly string[],
): Promise<bigint[]> {
  await freshTip(opened, node);
  const token = tokenIn(opened, currency);
  const has: bigint[] = [];
  for (const address of addresses) {
    const units =
      token === undefined
        ? ((await tron.account(node, "walletsolidity", address)) ?? 0n)
        : await tokensAt(node, token, address);
    has.push(isDust(units, currency) ? 0n : units);
  }
  return has;
}

/** Only unspent tokens are visible; an address that sent them on needed an account for it. */
async function used(opened: Opened, node: Node, addresses: readonly string[]): Promise<ReadonlySet<string>> {
  await freshTip(opened, node);
  const found = new Set<string>();
  for (const address of addresses) {
    let isUsed = (await tron.account(node, "wallet", address)) !== undefined;
    for (const token of opened.tokens) isUsed ||= (await tokensAt(node, token, address)) > 0n;
    if (isUsed) found.add(address);
  }
  return found;
}

const tokensAt = async (node: Node, { contract }: Token, address: string) =>
  numberIn(await tron.question(node, contract, "balanceOf(address)", address));

async function checkChain(node: Node, wanted: bigint): Promise<void> {
  const first = await tron.header(node, "wallet", 0n);
  const ids = [first && BigInt(`0x${first.id.slice(-8)}`), await tron.chainId(node)];
  if (ids.some((id) => id !== wanted))
    throw new NodeTrouble(`it is of the chain ${ids.join(" and ")}, and not of ${wanted}`);
}

async function checkTokens({ tokens }: Opened, node: Node): Promise<void> {
  for (const token of tokens) {
    const { coin, contract } = token;
    const decimals = numberIn(await tron.question(node, contract, "decimals()"));
    const symbol = textOf(await tron.question(node, contract, "symbol()"));
    if (decimals !== BigInt(token.decimals) || !isCalled(symbol, token))
      throw new Error(
        `CHAIN_TRON_${coin} is no ${coin}: its symbol is ${symbol}, and it has ${decimals} decimals.`,
      );
  }
}

const numberIn = (hex: string) => BigInt(`0x${hex.slice(0, 64)}`);

function textOf(hex: string): string {
  const length = Number.parseInt(hex.slice(64, 128), 16);
  return Buffer.from(hex.slice(128, 128 + length * 2), "hex").toString();
}

function tokenIn(opened: Opened, currency: CurrencyId): Token | undefined {
  const token = tokenOf(opened, currency);
  if (!token && currency !== "trx") throw new Error(`TRON has no ${currency}`);
  return token;
}
