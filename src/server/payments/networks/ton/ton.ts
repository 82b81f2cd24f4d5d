// Watches TON: wallets and their jetton wallets. All currencies share an address, so a payment in another coin is found.
import { least } from "../../../platform/bigints.ts";
import { Address } from "@ton/core";
import type { CurrencyId } from "../../../../contract/currencies.ts";
import type { Db } from "../../../platform/db/db.ts";
import type { Need } from "../../payments.finality.ts";
import { identityOf, isCalled, mainIdentities, type Token, tokenOf } from "../identity.ts";
import {
  type ChainParts,
  type ChainTransfer,
  type Network,
  type Reading,
  type Verification,
  type Watched,
  watchEverySeconds,
} from "../network.ts";
import { askBoth } from "../paid.ts";
import { type Node, type Nodes, NodeTrouble, openNodes } from "../nodes/nodes.ts";
import { type Center, centerOf, type Transaction } from "./ton.center.ts";
import * as rounds from "../poll-loop.ts";
import * as rows from "./ton.sql.ts";
import { type Ours, transferOf, unpaidCoinsOf } from "./ton.transfers.ts";

const pollSeconds = 5;
// Final transactions enter the index in no strict order, and machines behind one address differ.
const overlapSeconds = 5 * 60;
// Keeps a request as short as web servers commonly allow.
const accountsPerRequest = 100;
// The clocks of the chain and of the shop may differ.
const searchMarginSeconds = 60 * 60;

interface Chain {
  readonly parts: ChainParts & { readonly db: Db };
  readonly nodes: Nodes;
  readonly tokens: readonly Token[];
  readonly isMain: boolean;
}

/** Opens TON; keeps jetton wallets in the database. Asks no node yet. */
export function openTon(parts: ChainParts & { readonly db: Db }): Network {
  const { config, wallet, clock } = parts;
  const [tokens, main] = [identityOf("ton", config), mainIdentities.ton].map((one) =>
    one.tokens.map((token) => ({ ...token, contract: Address.parse(token.contract).toRawString() })),
  ) as [Token[], Token[]];
  const urls = config.urls.map((url) => url.replace(/\/(api\/v3\/?)?$/, ""));
  const chain: Chain = {
    parts,
    nodes: openNodes({ urls, requestsPerSecond: paceOf, keyHeader: "X-API-Key", clock }),
    tokens,
    isMain: tokens.some(({ contract }) => main.some((one) => one.contract === contract)),
  };
  return {
    name: "ton",
    currencies: ["ton", ...tokens.map(({ currency }) => currency)],
    family: wallet.family,
    isSandbox: false,
    pollSeconds: config.pollSeconds ?? pollSeconds,
    address: (_currency, index) => Promise.resolve(wallet.address(index)),
    transfers: (since, watched, signal) => readNew(chain, since, watched, signal),
    paid: (txid, to, signal) => paidTo(chain, { txid, to }, signal),
    verify: (transfer, need, signal) => verify(chain, transfer, need, signal),
    balances: (currency, addresses, signal) => balances(chain, currency, addresses, signal),
    balancesAtOnce: accountsPerRequest,
    search: (address, since, signal) => search(chain, address, since, signal),
    used: (addresses, signal) => usedOf(chain, addresses, signal),
    check: (signal) => check(chain, signal),
    health: () => chain.nodes.health(),
    confirmations: config.confirmations,
  };
}

/** Requests per second: toncenter.com without a key and with one, other hosts, our own. */
function paceOf({ hostname, username }: URL): number {
  if (/(^|\.)toncenter\.com$/.test(hostname)) return username === "" ? 1 : 10;
  return ["localhost", "127.0.0.1", "[::1]"].includes(hostname) ? 1000 : 20;
}

async function readNew(
  chain: Chain,
  since: string | null,
  watched: Watched,
  signal: AbortSignal,
): Promise<Reading> {
  const progress = since === null ? rounds.unread : rounds.read(since);
  const { next, tip, found } = await chain.nodes.with(async (node) => {
    const center = centerOf(node, chain);
    const tip = await center.tip(chain.parts.clock());
    const at = tip.at.getTime() / 1000;
    const parts = [await readAt(chain, node, await watched("open"), progress.open)];
    let next: rounds.Progress = { ...progress, open: at };
    for (const name of ["week", "month"] as const) {
      const round = next[name];
      if (!rounds.isDue(round, watchEverySeconds[name], at)) continue;
      const part = rounds.nextPart(round, at, await watched(name === "month" ? undefined : name));
      parts.push(await readAt(chain, node, new Set(part.addresses), part.since));
      next = { ...next, [name]: part.round };
    }
    return { next, tip, found: together(parts) };
  }, signal);
  const left = new Set([...next.unread, ...found.unread]);
  const late = left.size === 0 ? nothing : await readLate(chain, left, signal);
  const ours = late.unread.length === 0 ? new Set<string>() : await watched();
  const cursor = rounds.show({ ...next, unread: late.unread.filter((owner) => ours.has(owner)) });
  return { cursor, tip, transfers: [...found.transfers, ...late.transfers] };
}

interface Found {
  readonly transfers: readonly ChainTransfer[];
  /** Addresses with a transaction that this node does not tell in full. */
  readonly unread: readonly string[];
}

const nothing: Found = { transfers: [], unread: [] };

const together = (parts: readonly Found[]): Found => ({
  transfers: parts.flatMap(({ transfers }) => transfers),
  unread: [...new Set(parts.flatMap(({ unread }) => unread))],
});

/** Reads addresses from their beginning, by another node than before where there is one. */
async function readLate(chain: Chain, owners: ReadonlySet<string>, signal: AbortSignal): Promise<Found> {
  try {
    return await chain.nodes.with((node) => readAt(chain, node, owners, 0), signal, { second: true });
  } catch (fault) {
    if (!(fault instanceof NodeTrouble)) throw fault;
    return { transfers: [], unread: [...owners] };
  }
}

async function readAt(
  chain: Chain,
  node: Node,
  addresses: ReadonlySet<string>,
  since: number,
): Promise<Found> {
  const center = centerOf(node, chain);
  const parts: Found[] = [];
  const all = [...addresses];
  const atOnce = Math.floor(accountsPerRequest / (1 + chain.tokens.length));
  for (let from = 0; from < all.length; from += atOnce) {
    const ours = await oursOf(chain, center, all.slice(from, from + atOnce));
    const accounts = [...ours.owners, ...ours.jettons.keys()];
    const { read, unread } = await center.transactions(accounts, Math.max(since - overlapSeconds, 0));
    parts.push(...read.map((transaction) => foundIn(node, transaction, ours)));
    parts.push({ transfers: [], unread: unread.map((account) => ownerOf(account, ours)) });
  }
  return together(parts);
}

const ownerOf = (account: string, { jettons }: Ours) => jettons.get(account)?.owner ?? account;

/** What a transaction pays. One that the node does not tell in full waits alone. */
function foundIn(node: Node, transaction: Transaction, ours: Ours): Found {
  try {
    return { transfers: [transferOf(transaction, ours) ?? []].flat(), unread: [] };
  } catch (fault) {
    if (!(fault instanceof NodeTrouble)) throw fault;
    node.warns(fault.message);
    return { transfers: [], unread: [ownerOf(transaction.account, ours)] };
  }
}

async function oursOf({ parts, tokens }: Chain, center: Center, owners: readonly string[]): Promise<Ours> {
  const jettons: Ours["jettons"] = new Map();
  for (const { contract: master, currency } of tokens) {
    const known = await rows.selectJettonWallets(parts.db, master, owners);
    for (const { owner, wallet } of known) jettons.set(wallet, { owner, currency });
    const isKnown = new Set(known.map(({ owner }) => owner));
    for (const owner of owners.filter((one) => !isKnown.has(one))) {
      const wallet = await center.jettonWallet(master, owner);
      await rows.insertJettonWallet(parts.db, { master, owner, wallet });
      jettons.set(wallet, { owner, currency });
    }
  }
  return { owners: new Set(owners), jettons };
}

/** One address with its jetton wallets as this node reports them now, without the stored ones. */
async function freshly({ tokens }: Chain, center: Center, owner: string): Promise<Ours> {
  const jettons: Ours["jettons"] = new Map();
  for (const { contract, currency } of tokens)
    jettons.set(await center.jettonWallet(contract, owner), { owner, currency });
  return { owners: new Set([owner]), jettons };
}

/** Prefers another node: one node alone could invent a payment. */
async function verify(
  chain: Chain,
  transfer: ChainTransfer,
  { blocks }: Need,
  signal: AbortSignal,
): Promise<Verification> {
  const { clock } = chain.parts;
  return chain.nodes.with(
    async (node) => {
      const center = centerOf(node, chain);
      const ours = await freshly(chain, center, transfer.address);
      const transaction = await center.transaction(transfer.txid);
      const seen = transaction && transferOf(transaction, ours);
      const isSame = seen?.currency === transfer.currency && seen.address === transfer.address;
      // What the index has is final.
      if (seen?.block && isSame && blocks === 0) return { found: true, amount: seen.amount, isFinal: true };
      const { height } = await center.tip(clock());
      if (seen?.block && isSame) {
        const now = Number(height - seen.block.height + 1n);
        return { found: true, amount: seen.amount, isFinal: now >= blocks, depth: { now, wanted: blocks } };
      }
      if (transfer.block && height < transfer.block.height)
        throw new NodeTrouble(`it is at the block ${height} and does not know ${transfer.block.height} yet`);
      return { found: false };
    },
    signal,
    { second: true },
  );
}

/** By the transaction of the recipient's account, or of its jetton wallet; the index holds only what is final. */
function paidTo(
  chain: Chain,
  { txid, to }: { txid: string; to: string },
  signal: AbortSignal,
): Promise<readonly ChainTransfer[] | "unknown"> {
  const poll = async (node: Node) => {
    const center = centerOf(node, chain);
    await center.tip(chain.parts.clock());
    const transaction = await center.transaction(txid);
    if (!transaction) return "unknown";
    return [transferOf(transaction, await freshly(chain, center, to)) ?? []].flat();
  };
  return askBoth((second) => chain.nodes.with(poll, signal, { second }));
}

/** Prefers another node too; leaves out the coins of side messages. */
async function balances(
  chain: Chain,
  currency: CurrencyId,
  owners: readonly string[],
  signal: AbortSignal,
): Promise<bigint[]> {
  const { nodes, tokens, parts } = chain;
  const token = tokenOf({ tokens }, currency);
  return nodes.with(
    async (node) => {
      const center = centerOf(node, chain);
      await center.tip(parts.clock());
      const found: bigint[] = [];
      for (let from = 0; from < owners.length; from += accountsPerRequest) {
        const some = owners.slice(from, from + accountsPerRequest);
        if (token) found.push(...(await center.jettons(token.contract, some)));
        else found.push(...(await coinsAt(chain, center, some)));
      }
      return found;
    },
    signal,
    { second: true },
  );
}

async function coinsAt(chain: Chain, center: Center, owners: readonly string[]): Promise<bigint[]> {
  const found: bigint[] = [];
  for (const [place, coins] of (await center.coins(owners)).entries()) {
    const owner = owners[place] ?? "";
    found.push(coins === 0n ? 0n : coins - (await unpaidAt(chain, center, owner, coins)));
  }
  return found;
}

async function unpaidAt(chain: Chain, center: Center, owner: string, coins: bigint): Promise<bigint> {
  const ours = await freshly(chain, center, owner);
  const { read } = await center.transactions([owner], 0);
  const unpaid = read.reduce((sum, one) => sum + unpaidCoinsOf(one, ours), 0n);
  return least(unpaid, coins);
}

async function search(
  chain: Chain,
  owner: string,
  since: Date,
  signal: AbortSignal,
): Promise<readonly ChainTransfer[]> {
  return chain.nodes.with(
    async (node) => {
      await centerOf(node, chain).tip(chain.parts.clock());
      const from = Math.floor(since.getTime() / 1000) - searchMarginSeconds;
      // What cannot be read stays a rise that nothing explains.
      return (await readAt(chain, node, new Set([owner]), from)).transfers;
    },
    signal,
    { second: true },
  );
}

async function usedOf(
  { nodes, tokens, parts, isMain }: Chain,
  addresses: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  return nodes.with(async (node) => {
    const center = centerOf(node, { isMain });
    await center.tip(parts.clock());
    const used: string[] = [];
    const atOnce = accountsPerRequest;
    const masters = tokens.map(({ contract }) => contract);
    for (let from = 0; from < addresses.length; from += atOnce)
      used.push(...(await center.used(masters, addresses.slice(from, from + atOnce))));
    return new Set(used);
  }, signal);
}

/** Throws NodeTrouble, in a sentence for the operator, when the nodes are of another network or a jetton differs. */
async function check(chain: Chain, signal: AbortSignal): Promise<void> {
  const { nodes, tokens, parts } = chain;
  await nodes.with(async (node) => {
    const center = centerOf(node, chain);
    await center.tip(parts.clock());
    for (const token of tokens) {
      const { contract: master, coin, decimals: wanted } = token;
      const { decimals, symbol } = await center.jetton(master);
      if (decimals !== undefined && decimals !== String(wanted))
        throw new NodeTrouble(`the jetton ${master} has ${decimals} decimals, but ${coin} has ${wanted}`);
      if (symbol !== undefined && !isCalled(symbol, token))
        throw new NodeTrouble(`the jetton ${master} is ${symbol} and not ${coin}`);
      if (decimals === undefined)
        parts.log.warn(
          { chain: "ton", master },
          "the jetton does not say on the chain how many decimals it has",
        );
      await center.jettonWallet(master, parts.wallet.address(0n).canonical);
    }
  }, signal);
}
