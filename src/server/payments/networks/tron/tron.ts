import type { CurrencyId } from "../../../../contract/currencies.ts";
import { ConfigError } from "../../../platform/config/config.ts";
import { isDust } from "../../payments.terms.ts";
import { tron as spelling } from "../../wallets/spelling.ts";
import { heightBefore } from "../height.ts";
import { identityOf, isCalled, mainIds, type Token, tokenOf } from "../identity.ts";
import type { ChainParts, ChainTransfer, Network, Reading, Verification, Watched } from "../network.ts";
import { type Node, NodeTrouble, openNodes } from "../nodes/nodes.ts";
import * as tron from "./tron.node.ts";

// A block comes every three seconds. A poll is four requests; TronGrid allows 100,000 a day for free.
const pollSeconds = 6;
// Twenty blocks: a pause at the change of producers is far shorter.
const staleSeconds = 60;
// Whole blocks are up to 0.4 MB each; a node would give a hundred.
const blocksAtOnce = 10n;
const blocksInReading = 200n;
// A node's limits for one search.
const addressesAtOnce = 1000;
const searchedAtOnce = 4000n;
// Nodes behind one address differ by a block or two.
const lagMax = 3n;
// Nineteen of the twenty-seven producers have built upon a solidified block.
const solidAfter = 19;

interface Place {
  readonly height: bigint;
  readonly id: string;
  readonly solid: bigint;
}

interface Opened {
  /** Contracts as 20 bytes, like addresses. */
  readonly tokens: readonly Token[];
  readonly chainId: bigint;
  /** Replaces finality by a number of blocks. */
  readonly confirmations: number | undefined;
  readonly clock: () => Date;
}

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
        return await ask((node) => read(opened, node, { place, again, watched }), signal);
      } catch (fault) {
        isDoubted ||= again;
        throw fault;
      }
    },
    verify: async (transfer, signal) => {
      const said = await ask((node) => verify(opened, node, transfer), signal, true);
      isDoubted ||= !said.found;
      return said;
    },
    balances: (currency, addresses, signal) =>
      ask((node) => balances(opened, node, currency, addresses), signal, true),
    search: (address, since, signal) => ask((node) => search(opened, node, address, since), signal, true),
    used: (addresses, signal) => ask((node) => used(opened, node, addresses), signal),
    check: (signal) => ask((node) => checkTokens(opened, node), signal),
    health: () => nodes.health(),
    creditSeconds: (opened.confirmations ?? solidAfter) * blockSeconds + pollSeconds,
    fee: async (currency, signal) => ({
      units: await ask(async (node) => feeOf(await tron.prices(node), currency), signal),
      coin: "trx",
    }),
  };
}

const blockSeconds = 3;
// Of a transfer of a token to an address that has none of it yet.
const tokenEnergy = 130_000n;
const tokenBytes = 345n;

/** TRX to a new address pays for the account; a token pays for energy and bandwidth. */
function feeOf({ energy, byte, account }: tron.Prices, currency: CurrencyId): bigint {
  return currency === "trx" ? account : tokenEnergy * energy + tokenBytes * byte;
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
  const { id = mainIds.tron, confirmations } = config;
  return { tokens, chainId: BigInt(id), confirmations, clock };
}

interface Stretch {
  readonly last: tron.Header;
  readonly isFork: boolean;
  /** Empty when no payment waits for TRX. */
  readonly blocks: readonly tron.Body[];
}

async function read(
  opened: Opened,
  node: Node,
  { place, again, watched }: { place: Place | undefined; again: boolean; watched: Watched },
): Promise<Reading> {
  const tip = await freshTip(opened, node);
  const solid = (await tron.tip(node, "walletsolidity")).height;
  const end = (at: tron.Header) => ({ cursor: cursorOf(at, solid), tip: blockOf(tip) });
  if (!place) return { ...end(tip), transfers: [] };
  // TRX needs whole blocks, read only while a payment is open. Tokens are searched as long as an address is watched.
  const open = await watched("open");
  const ours = await watched();
  if (ours.size === 0) return { ...end(tip), transfers: [] };
  const nothing = { cursor: writePlace(place), tip: blockOf(tip), transfers: [] };
  if (tip.height <= place.height) return nothing;

  const stretch = open.size > 0 ? await whole(node, place, tip, again) : await bare(node, place, tip);
  if (!stretch) return nothing;
  const { last, isFork, blocks } = stretch;
  const paid = blocks.flatMap((block) => paymentsIn(block, ours));
  const range = { from: place.solid + 1n, to: last.height };
  const sent = await tokensIn(opened, node, { ours, blocks, range });
  const behind = tip.height - last.height;
  return {
    ...end(last),
    transfers: [...paid, ...sent],
    ...(isFork ? { reorganisedAbove: place.solid } : {}),
    ...(behind > lagMax ? { behind } : {}),
  };
}

async function whole(
  node: Node,
  place: Place,
  tip: tron.Header,
  again: boolean,
): Promise<Stretch | undefined> {
  let blocks = await blocksAbove(node, again ? place.solid : place.height, tip.height);
  const isFork = !blocks.some(({ id, parent }) => id === place.id || parent === place.id);
  if (isFork && blocks.length > 0 && !again) blocks = await blocksAbove(node, place.solid, tip.height);
  const last = blocks.at(-1);
  return last && { last, isFork, blocks };
}

async function bare(node: Node, place: Place, tip: tron.Header): Promise<Stretch> {
  const isFork = (await tron.header(node, "wallet", place.height))?.id !== place.id;
  const end = lower(tip.height, place.solid + searchedAtOnce);
  const last = end === tip.height ? tip : await tron.header(node, "wallet", end);
  if (!last) throw new NodeTrouble(`it has no block ${end}, which is below its newest`);
  return { last, isFork, blocks: [] };
}

async function freshTip({ clock }: Opened, node: Node): Promise<tron.Header> {
  const tip = await tron.tip(node, "wallet");
  const seconds = (clock().getTime() - tip.at.getTime()) / 1000;
  if (seconds > staleSeconds)
    throw new NodeTrouble(`its newest block, ${tip.height}, is ${Math.round(seconds)} seconds old`);
  node.stands(tip.height);
  return tip;
}

/** The blocks above a height, as many as a reading takes. Fewer than announced: a node behind the same address lags. */
async function blocksAbove(node: Node, height: bigint, tip: bigint): Promise<tron.Body[]> {
  const wanted = lower(tip, height + blocksInReading);
  const blocks: tron.Body[] = [];
  for (let from = height + 1n; from <= wanted; from += blocksAtOnce) {
    const some = await tron.bodies(node, from, lower(wanted, from + blocksAtOnce - 1n));
    if (blocks.length > 0 && some[0] && some[0].parent !== blocks.at(-1)?.id)
      throw new NodeTrouble(`it tells of two chains at ${from}`);
    blocks.push(...some);
    if (some.length < blocksAtOnce) break;
  }
  const missing = wanted - height - BigInt(blocks.length);
  if (missing > lagMax) throw new NodeTrouble(`it has ${missing} blocks less than it says`);
  return blocks;
}

function paymentsIn(block: tron.Body, ours: ReadonlySet<string>): ChainTransfer[] {
  const paid = block.payments.filter(({ to, amount }) => ours.has(to) && !isDust(amount, "trx"));
  return paid.map((one) => ({
    chain: "tron",
    txid: one.txid,
    index: "native",
    currency: "trx",
    address: one.to,
    amount: one.amount,
    from: one.from,
    block: blockOf(block),
  }));
}

/** Token transfers, from what was not final at the last reading: a lagging node reports none without an error. */
async function tokensIn(
  { tokens }: Opened,
  node: Node,
  asked: {
    ours: ReadonlySet<string>;
    blocks: readonly tron.Body[];
    range: { from: bigint; to: bigint };
  },
): Promise<ChainTransfer[]> {
  const { ours, blocks, range } = asked;
  const all = [...ours];
  const found = new Map<string, tron.Found>();
  for (let at = 0; at < all.length; at += addressesAtOnce) {
    const some = all.slice(at, at + addressesAtOnce);
    for (const { contract } of tokens)
      for (const one of await tron.search(node, contract, some, range)) found.set(one.txid, one);
  }
  const transfers: ChainTransfer[] = [];
  for (const { txid, height, blockId: hash } of found.values()) {
    const done = await tron.executed(node, "wallet", txid);
    const read = blocks.find((block) => block.height === height);
    if (done?.height !== height || (read && read.id !== hash))
      throw new NodeTrouble(`it tells of two chains at ${height}`);
    const block = { height, hash, at: done.at };
    for (const { contract, ordinal, from, to: address, amount } of done.transfers) {
      const token = tokens.find((one) => one.contract === contract);
      if (!token || !ours.has(address) || isDust(amount, token.currency)) continue;
      const { currency } = token;
      transfers.push({ chain: "tron", txid, index: String(ordinal), currency, address, amount, from, block });
    }
  }
  return transfers;
}

async function verify(opened: Opened, node: Node, transfer: ChainTransfer): Promise<Verification> {
  const { confirmations } = opened;
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
  const isFinal = confirmations === undefined ? solid !== undefined : above >= confirmations;
  const wanted = confirmations ?? solidAfter;
  // Producers that miss their slot do not count: nineteen blocks may not be enough.
  const now = isFinal ? wanted : Math.min(above, wanted - 1);
  return { found: true, amount: sent.amount, isFinal, depth: { now, wanted } };
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

/** Tokens alone: nodes have no index of TRX by address, and their blocks are read whole, each linked to the one before. */
async function search(
  opened: Opened,
  node: Node,
  address: string,
  since: Date,
): Promise<readonly ChainTransfer[]> {
  const tip = await freshTip(opened, node);
  const timeOf = async (height: bigint) => (await tron.header(node, "wallet", height))?.at ?? tip.at;
  const found: ChainTransfer[] = [];
  for (let from = await heightBefore(timeOf, since, tip.height); from <= tip.height; from += searchedAtOnce) {
    const range = { from, to: lower(from + searchedAtOnce - 1n, tip.height) };
    found.push(...(await tokensIn(opened, node, { ours: new Set([address]), blocks: [], range })));
  }
  return found;
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

const blockOf = ({ height, id, at }: tron.Header) => ({ height, hash: id, at });
const lower = (one: bigint, other: bigint) => (one < other ? one : other);

function cursorOf({ height, id }: tron.Header, solid: bigint): string {
  // A reading must cover all that is not final, also when the chain finalises nothing for long.
  const reach = height - blocksInReading;
  return writePlace({ height, id, solid: solid < reach ? reach : lower(solid, height) });
}

const writePlace = ({ height, id, solid }: Place) => `${height} ${id} ${solid}`;

function readPlace(cursor: string): Place {
  const [, height, id, solid] = /^(\d+) ([0-9a-f]{64}) (\d+)$/.exec(cursor) ?? [];
  if (height === undefined || id === undefined || solid === undefined)
    throw new Error(`"${cursor}" is no place in the chain of TRON`);
  return { height: BigInt(height), id, solid: BigInt(solid) };
}
