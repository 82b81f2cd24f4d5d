// A toncenter node (API v3) over the test chain, with its shapes and limits.
import { text as textIn } from "node:stream/consumers";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Address, Cell, type Message, type Transaction, type TupleItem } from "@ton/core";
import type { Finished, TonChain } from "./ton.ts";

export interface Toncenter {
  readonly url: string;
  readonly asked: string[];
  readonly keys: (string | undefined)[];
  refusal: { status: number; text: string } | undefined;
  stuck: { seqno: number; at: Date } | undefined;
  isBlind: boolean;
  noise: number;
  globalId: number;
  lie: (told: ToldTransaction) => ToldTransaction;
  close(): Promise<void>;
}

type Told = Readonly<Record<string, unknown>>;
export type ToldTransaction = ReturnType<typeof tellTransaction>;

export async function openToncenter(chain: TonChain, clock: () => Date): Promise<Toncenter> {
  const index: Known["index"] = new Map();
  const server = createServer((request, response) => void answer(request, response)).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  const node: Toncenter = {
    url: `http://127.0.0.1:${port}`,
    asked: [],
    keys: [],
    refusal: undefined,
    stuck: undefined,
    isBlind: false,
    noise: 0,
    globalId: -239,
    lie: (told) => told,
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? "/", node.url);
    node.asked.push(request.url ?? "/");
    node.keys.push(request.headers["x-api-key"]?.toString());
    const say = (status: number, said: Told) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(said));
    try {
      if (node.refusal) return void say(node.refusal.status, { error: node.refusal.text });
      const said = await questions({ chain, clock, node, index }, url, request);
      say(said ? 200 : 404, said ?? { error: `Cannot ${request.method} ${url.pathname}` });
    } catch (fault) {
      say(422, { error: String(fault) });
    }
  };
  return node;
}

interface Known {
  readonly chain: TonChain;
  readonly clock: () => Date;
  readonly node: Toncenter;
  readonly index: Map<string, Owned | undefined>;
}

interface Owned {
  readonly wallet: Address;
  readonly owner: Address;
  readonly master: Address;
}

async function questions(known: Known, url: URL, request: IncomingMessage): Promise<Told | undefined> {
  const { chain, node } = known;
  switch (url.pathname) {
    case "/api/v3/masterchainInfo":
      return { last: lastBlock(known) };
    case "/api/v3/transactions":
      return { transactions: node.isBlind ? [] : select(known, url.searchParams), address_book: {} };
    case "/api/v3/accountStates":
      return { accounts: await accountStates(known, url.searchParams), address_book: {}, metadata: {} };
    case "/api/v3/jetton/wallets":
      return { jetton_wallets: await jettonWallets(known, url.searchParams), address_book: {} };
    case "/api/v3/runGetMethod":
      return runGetMethod(chain, JSON.parse(await textIn(request)) as Run);
    default:
      return undefined;
  }
}

function lastBlock({ chain, clock, node }: Known): Told {
  const { seqno, at } = node.stuck ?? { seqno: chain.seqno, at: clock() };
  return {
    workchain: -1,
    shard: "8000000000000000",
    seqno,
    root_hash: Buffer.alloc(32, seqno).toString("base64"),
    global_id: node.globalId,
    gen_utime: String(Math.floor(at.getTime() / 1000)),
  };
}

function select({ chain, node }: Known, asked: URLSearchParams): Told[] {
  const limit = Number(asked.get("limit") ?? 10);
  if (limit > 1000) throw new Error("limit is not allowed");
  const accounts = asked.getAll("account").map((text) => upper(Address.parse(text)));
  const hashes = asked
    .getAll("hash")
    .map((text) => (text.length === 64 ? Buffer.from(text, "hex") : base64(text)));
  const since = Number(asked.get("start_utime") ?? 0);
  const until = node.stuck?.seqno ?? chain.seqno;
  const fitting = chain.history
    .filter(({ seqno, transaction }) => seqno <= until && transaction.now >= since)
    .filter(({ transaction }) => accounts.length === 0 || accounts.includes(accountOf(transaction)))
    .filter(
      ({ transaction }) => hashes.length === 0 || hashes.some((hash) => hash.equals(transaction.hash())),
    )
    .toSorted((one, other) => Number(one.transaction.lt - other.transaction.lt));
  if (asked.get("sort") !== "asc") fitting.reverse();
  const offset = Number(asked.get("offset") ?? 0);
  const told = fitting.map((finished) => node.lie(tellTransaction(finished)));
  return [...noise(accounts.length === 0 ? 0 : node.noise, told), ...told].slice(offset, offset + limit);
}

/** External messages, older than the real ones. */
function noise(count: number, [told]: readonly ToldTransaction[]): Told[] {
  const message = { ...told?.in_msg, source: null, value: null };
  return Array.from({ length: told ? count : 0 }, (_, number) => {
    const hash = Buffer.alloc(32, `noise ${number}`).toString("base64");
    return { ...told, hash, in_msg: message };
  });
}

async function accountStates({ chain }: Known, asked: URLSearchParams): Promise<Told[]> {
  const known = new Set(chain.history.map(({ transaction }) => accountOf(transaction)));
  const addresses = asked.getAll("address").map((text) => Address.parse(text));
  const rows = addresses.map(async (address) => {
    if (!known.has(upper(address))) return [];
    const { balance, accountState } = await chain.blockchain.getContract(address);
    return [{ address: upper(address), balance: String(balance), status: accountState?.type ?? "nonexist" }];
  });
  return (await Promise.all(rows)).flat();
}

async function jettonWallets(known: Known, asked: URLSearchParams): Promise<Told[]> {
  const [owners, masters] = [rawOf(asked, "owner_address"), rawOf(asked, "jetton_address")];
  const rows = (await indexed(known)).filter(
    ({ owner, master }) => owners.includes(upper(owner)) && masters.includes(upper(master)),
  );
  return Promise.all(
    rows.map(async ({ wallet, owner, master }) => {
      const { stackReader } = await known.chain.blockchain.runGetMethod(wallet, "get_wallet_data");
      const balance = String(stackReader.readBigNumber());
      return { address: upper(wallet), balance, owner: upper(owner), jetton: upper(master) };
    }),
  );
}

const rawOf = (asked: URLSearchParams, name: string) =>
  asked.getAll(name).map((text) => upper(Address.parse(text)));

async function indexed({ chain, index }: Known): Promise<Owned[]> {
  for (const account of new Set(chain.history.map(({ transaction }) => accountOf(transaction)))) {
    const wallet = Address.parse(account);
    const contract = await chain.blockchain.getContract(wallet);
    if (index.has(account) || contract.accountState?.type !== "active") continue;
    try {
      const { stackReader } = await chain.blockchain.runGetMethod(wallet, "get_wallet_data");
      stackReader.skip();
      index.set(account, { wallet, owner: stackReader.readAddress(), master: stackReader.readAddress() });
    } catch {
      index.set(account, undefined);
    }
  }
  return [...index.values()].filter((owned) => owned !== undefined);
}

interface Run {
  readonly address: string;
  readonly method: string;
  readonly stack: readonly { readonly type: string; readonly value: string }[];
}

async function runGetMethod(chain: TonChain, { address, method, stack }: Run): Promise<Told> {
  const asked = stack.map(({ value }) => ({ type: "slice" as const, cell: Cell.fromBase64(value) }));
  const contract = await chain.blockchain.getContract(Address.parse(address));
  // A missing contract has no methods (exit code -13).
  if (contract.accountState?.type !== "active") return { gas_used: 0, exit_code: -13, stack: [] };
  try {
    const ran = await contract.get(method, asked);
    return { gas_used: Number(ran.gasUsed), exit_code: ran.exitCode, stack: ran.stack.map(tellItem) };
  } catch (fault) {
    const { exitCode = -1 } = fault as { exitCode?: number };
    return { gas_used: 0, exit_code: exitCode, stack: [] };
  }
}

function tellItem(item: TupleItem): Told {
  if (item.type === "int") return { type: "num", value: `0x${item.value.toString(16)}` };
  if (item.type === "cell" || item.type === "slice")
    return { type: item.type, value: item.cell.toBoc().toString("base64") };
  throw new Error(`no answer has a ${item.type}`);
}

const base64 = (text: string) => Buffer.from(text, "base64");
const upper = (address: Address) => `${address.workChain}:${address.hash.toString("hex").toUpperCase()}`;
const accountOf = ({ address }: Transaction) => `0:${address.toString(16).padStart(64, "0").toUpperCase()}`;
const statuses = { "non-existing": "nonexist", uninitialized: "uninit", active: "active", frozen: "frozen" };
const bounces = { ok: "ok", "negative-funds": "negfunds", "no-funds": "nofunds" };

function tellTransaction({ seqno, transaction }: Finished) {
  const { inMessage, outMessages, lt, now, oldStatus, endStatus } = transaction;
  return {
    account: accountOf(transaction),
    hash: transaction.hash().toString("base64"),
    lt: String(lt),
    now,
    mc_block_seqno: seqno,
    orig_status: statuses[oldStatus],
    end_status: statuses[endStatus],
    total_fees: String(transaction.totalFees.coins),
    description: tellDescription(transaction),
    block_ref: { workchain: 0, shard: "8000000000000000", seqno: seqno * 2 },
    in_msg: inMessage ? tellMessage(inMessage) : null,
    out_msgs: outMessages.values().map(tellMessage),
    emulated: false,
    finality: "finalized",
  };
}

function tellDescription({ description }: Transaction) {
  if (description.type !== "generic")
    throw new Error(`the tests make no transaction that is ${description.type}`);
  const {
    aborted,
    destroyed,
    creditFirst,
    computePhase: compute,
    actionPhase: action,
    bouncePhase,
  } = description;
  return {
    type: "ord",
    aborted,
    destroyed,
    credit_first: creditFirst,
    compute_ph:
      compute.type === "vm"
        ? { skipped: false, success: compute.success, exit_code: compute.exitCode }
        : { skipped: true, reason: compute.reason.replace("-", "_") },
    ...(action ? { action: { success: action.success, result_code: action.resultCode } } : {}),
    ...(bouncePhase ? { bounce: { type: bounces[bouncePhase.type] } } : {}),
  };
}

function tellMessage({ info, body }: Message) {
  const said = body.beginParse();
  const opcode = said.remainingBits >= 32 ? `0x${said.loadUint(32).toString(16).padStart(8, "0")}` : null;
  const content = {
    hash: body.hash().toString("base64"),
    body: body.toBoc().toString("base64"),
    decoded: null,
  };
  const isInternal = info.type === "internal";
  return {
    source: info.src instanceof Address ? upper(info.src) : null,
    destination: info.dest instanceof Address ? upper(info.dest) : null,
    value: isInternal ? String(info.value.coins) : null,
    created_lt: isInternal ? String(info.createdLt) : null,
    bounce: isInternal ? info.bounce : null,
    bounced: isInternal ? info.bounced : null,
    opcode,
    message_content: content,
  };
}
