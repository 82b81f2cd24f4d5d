import { createHash } from "node:crypto";
import { Address, beginCell, Cell, Dictionary } from "@ton/core";
import { z } from "zod/mini";
import type { Block } from "../network.ts";
import { type Node, NodeTrouble } from "../nodes/nodes.ts";

export interface Transactions {
  readonly read: readonly Transaction[];
  /** The accounts of transactions that cannot be read. */
  readonly unread: readonly string[];
}

/** Addresses are raw and lower case here (0:hex). Times are seconds of the chain. */
export interface Center {
  /** The last block of the masterchain. Throws NodeTrouble when it is old. */
  tip(now: Date): Promise<Block>;
  transactions(accounts: readonly string[], since: number): Promise<Transactions>;
  transaction(hash: string): Promise<Transaction | undefined>;
  /** The jetton wallet of an owner, as the master says; another contract may claim anything. */
  jettonWallet(master: string, owner: string): Promise<string>;
  /** What a jetton's master says on the chain; undefined what it leaves to a web page. */
  jetton(master: string): Promise<{ decimals: string | undefined; symbol: string | undefined }>;
  /** Which of these owners have an account, or a jetton wallet of those masters. */
  used(masters: readonly string[], owners: readonly string[]): Promise<string[]>;
  /** In the order of the accounts. */
  coins(accounts: readonly string[]): Promise<bigint[]>;
  /** In the order of the owners; counts the jetton wallet alone that the master names. */
  jettons(master: string, owners: readonly string[]): Promise<bigint[]>;
}

/** Raw or as wallets show it. */
const Account = z.pipe(
  z.string().check(z.refine((text) => Address.isRaw(text) || Address.isFriendly(text))),
  z.transform((text: string) => Address.parse(text).toRawString()),
);
/** 32 bytes in hexadecimal digits, base64 or base64url. */
const Hash = z.pipe(
  z.string().check(z.regex(/^([0-9a-fA-F]{64}|[A-Za-z0-9+/_-]{43}=?)$/)),
  z.transform((text: string) =>
    text.length === 64 ? text.toLowerCase() : Buffer.from(text, "base64url").toString("hex"),
  ),
);
const Units = z.pipe(
  z.union([z.string().check(z.regex(/^\d+$/)), z.int(), z.bigint()]),
  z.transform((value: string | number | bigint) => BigInt(value)),
);
const Seconds = z.pipe(
  Units,
  z.transform((value: bigint) => Number(value)),
);

const Height = z.pipe(
  Units,
  z.transform((value: bigint) => Number(value)),
);

const Message = z.object({
  /** Null for an external message, which carries no coins. */
  source: z.nullish(Account),
  value: z.nullish(Units),
  bounced: z.nullish(z.boolean()),
  opcode: z.nullish(z.union([z.string(), z.int()])),
  message_content: z.nullish(z.object({ body: z.nullish(z.string()) })),
});

const Transaction = z.object({
  account: Account,
  hash: Hash,
  now: Seconds,
  mc_block_seqno: z.nullish(Height),
  description: z.nullish(
    z.object({
      aborted: z.nullish(z.boolean()),
      compute_ph: z.nullish(z.object({ success: z.nullish(z.boolean()) })),
      bounce: z.nullish(z.object({ type: z.nullish(z.string()) })),
    }),
  ),
  in_msg: z.nullish(Message),
  // Older nodes omit it; they know only final transactions.
  emulated: z.nullish(z.boolean()),
  finality: z.nullish(z.string()),
});
export type Transaction = z.infer<typeof Transaction>;
const Page = z.object({ transactions: z.nullable(z.array(z.unknown())) });
const Whose = z.object({ account: Account });

const Masterchain = z.object({
  last: z.object({
    seqno: Height,
    root_hash: z.string(),
    gen_utime: Seconds,
    global_id: z.nullish(z.int()),
  }),
});
const Accounts = z.object({
  accounts: z.array(z.object({ address: Account, balance: z.nullish(Units), status: z.nullish(z.string()) })),
});
const JettonWallets = z.object({
  jetton_wallets: z.array(z.object({ address: Account, balance: Units, owner: Account })),
});
const Returned = z.object({ exit_code: z.int(), stack: z.array(z.object({ value: z.unknown() })) });

// Public nodes report a block a second; one this old has stopped or is cut off.
const tipAgeSecondsMax = 60;
const pageSize = 250;

const mainGlobalId = -239;

/** `isMain`: the node must be of the main network, as far as it says. */
export function centerOf(node: Node, { isMain }: { isMain: boolean }): Center {
  return {
    tip: async (now) => {
      const { last } = await node.get(Masterchain, "/api/v3/masterchainInfo");
      const at = new Date(last.gen_utime * 1000);
      if (isMain && (last.global_id ?? mainGlobalId) !== mainGlobalId)
        throw new NodeTrouble(`it is of the network ${last.global_id} and not of TON's main one`);
      const lateSeconds = (now.getTime() - at.getTime()) / 1000;
      if (lateSeconds > tipAgeSecondsMax)
        throw new NodeTrouble(`its last block is of ${at.toISOString()}, so it lags behind`, undefined, {
          lateSeconds,
        });
      node.stands(BigInt(last.seqno));
      return { height: BigInt(last.seqno), hash: last.root_hash, at };
    },
    transactions: async (accounts, since) => {
      const found: unknown[] = [];
      const named = accounts.map((account) => `account=${shortest(account)}`).join("&");
      for (let isWhole = false; !isWhole;) {
        const page = `start_utime=${since}&sort=asc&limit=${pageSize}&offset=${found.length}`;
        const { transactions } = await node.get(Page, `/api/v3/transactions?${named}&${page}`);
        found.push(...(transactions ?? []));
        isWhole = (transactions ?? []).length < pageSize;
      }
      return sorted(node, found);
    },
    transaction: async (hash) => {
      const { transactions } = await node.get(Page, `/api/v3/transactions?hash=${hash}`);
      const { read, unread } = sorted(node, transactions ?? []);
      if (unread.length > 0) throw new NodeTrouble(`what it tells of the transaction ${hash} cannot be read`);
      return read.find((one) => one.hash === hash);
    },
    jettonWallet: (master, owner) => jettonWallet(node, master, owner),
    jetton: async (master) => {
      // Supply, mintable, admin, content, wallet code (TEP 74).
      const [, , , content] = await returned(node, master, "get_jetton_data");
      return content ? jettonOf(content) : { decimals: undefined, symbol: undefined };
    },
    used: async (masters, owners) => {
      const accounts = await accountStates(node, owners);
      const holders: string[] = [];
      for (const master of masters)
        holders.push(...(await jettonWallets(node, master, owners)).map(({ owner }) => owner));
      const known = accounts.filter(({ status }) => status !== "nonexist").map(({ address }) => address);
      return [...known, ...holders];
    },
    coins: async (accounts) => {
      const states = new Map((await accountStates(node, accounts)).map((one) => [one.address, one.balance]));
      return accounts.map((account) => states.get(account) ?? 0n);
    },
    jettons: async (master, owners) => {
      const wallets = (await jettonWallets(node, master, owners)).filter(({ balance }) => balance > 0n);
      const found = new Map<string, bigint>();
      for (const { address, balance, owner } of wallets)
        if (address === (await jettonWallet(node, master, owner))) found.set(owner, balance);
      return owners.map((owner) => found.get(owner) ?? 0n);
    },
  };
}

/** Reads each transaction alone: one of an unknown shape hides no other. Throws NodeTrouble when it does not even say whose it is. */
function sorted(node: Node, transactions: readonly unknown[]): Transactions {
  const [read, unread]: [Transaction[], string[]] = [[], []];
  for (const one of transactions) {
    const transaction = Transaction.safeParse(one);
    if (transaction.success) read.push(transaction.data);
    else {
      const whose = Whose.safeParse(one);
      const [issue] = transaction.error.issues;
      const why = `a transaction is of another shape: ${issue?.path.join(".")} ${issue?.message}`;
      if (!whose.success) throw new NodeTrouble(why);
      node.warns(why);
      unread.push(whose.data.account);
    }
  }
  return { read, unread };
}

const shortest = (raw: string) => Address.parseRaw(raw).toString({ bounceable: false, urlSafe: true });

async function jettonWallet(node: Node, master: string, owner: string): Promise<string> {
  const [wallet] = await returned(node, master, "get_wallet_address", [sliceOf(owner)]);
  const address = wallet?.beginParse().loadMaybeAddress();
  if (!address) throw new NodeTrouble(`the contract ${master} names no jetton wallet`);
  return address.toRawString();
}

async function accountStates(node: Node, addresses: readonly string[]) {
  const named = addresses.map((address) => `address=${shortest(address)}&`).join("");
  return (await node.get(Accounts, `/api/v3/accountStates?${named}include_boc=false`)).accounts;
}

async function jettonWallets(node: Node, master: string, owners: readonly string[]) {
  const named = owners.map((owner) => `owner_address=${shortest(owner)}&`).join("");
  const path = `/api/v3/jetton/wallets?${named}jetton_address=${shortest(master)}&limit=${pageSize}`;
  return (await node.get(JettonWallets, path)).jetton_wallets;
}

const sliceOf = (raw: string) => beginCell().storeAddress(Address.parseRaw(raw)).endCell();

async function returned(
  node: Node,
  address: string,
  method: string,
  cells: readonly Cell[] = [],
): Promise<(Cell | undefined)[]> {
  const stack = cells.map((cell) => ({ type: "slice", value: cell.toBoc().toString("base64") }));
  const answer = await node.post(Returned, "/api/v3/runGetMethod", { address, method, stack });
  if (answer.exit_code !== 0)
    throw new NodeTrouble(`the contract ${address} does not know ${method} (exit code ${answer.exit_code})`);
  return answer.stack.map(({ value }) => (typeof value === "string" ? cellOf(value) : undefined));
}

function cellOf(base64: string): Cell | undefined {
  try {
    return Cell.fromBase64(base64);
  } catch {
    return undefined;
  }
}

const onChain = 0;

/** The on-chain content of a jetton (TEP 64); off-chain content can change at any time. */
function jettonOf(content: Cell): { decimals: string | undefined; symbol: string | undefined } {
  const slice = content.beginParse();
  if (slice.remainingBits < 8 || slice.loadUint(8) !== onChain)
    return { decimals: undefined, symbol: undefined };
  const entries = slice.loadDict(Dictionary.Keys.Buffer(32), Dictionary.Values.Cell());
  const textOf = (name: string): string | undefined => {
    const entry = entries.get(createHash("sha256").update(name).digest())?.beginParse();
    // The first byte is the layout of the text: 0, a chain of cells.
    return entry?.loadUint(8) === 0 ? entry.loadStringTail() : undefined;
  };
  return { decimals: textOf("decimals"), symbol: textOf("symbol") };
}
