// TON in this process: the real virtual machine (@ton/sandbox), a test jetton, and payers.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Address,
  beginCell,
  Cell,
  comment,
  contractAddress,
  Dictionary,
  external,
  internal,
  type Message,
  SendMode,
  storeMessageRelaxed,
  toNano,
  type Transaction,
} from "@ton/core";
import { type KeyPair, sha256_sync, sign } from "@ton/crypto";
import { Blockchain, type SandboxContract, type TreasuryContract } from "@ton/sandbox";
import { runTolkCompiler } from "@ton/tolk-js";
import { walletCode } from "../../src/server/payments/wallets/ton.code.ts";

/** A transaction and the masterchain block that made it final. */
export interface Finished {
  readonly seqno: number;
  readonly transaction: Transaction;
}

/** A token on the chain (TEP 74). */
export interface Jetton {
  readonly master: Address;
  walletOf(owner: Address): Promise<Address>;
  balanceOf(wallet: Address): Promise<bigint>;
  mint(to: Address, amount: bigint): Promise<void>;
  lock(owner: Address, lock: number): Promise<void>;
}

type Payer = SandboxContract<TreasuryContract>;

export interface TonChain {
  readonly blockchain: Blockchain;
  readonly history: readonly Finished[];
  readonly seqno: number;
  payer(name: string): Promise<Payer>;
  /** Sends coins; not bounceable, as wallets do to UQ addresses. */
  send(
    from: Payer,
    to: Address,
    coins: bigint,
    more?: { body?: Cell; bounce?: boolean },
  ): Promise<Finished[]>;
  issue(name: string, content: Cell): Promise<Jetton>;
  /** Sends jettons. `forward`: Toncoins of the notification; 0 sends none. */
  sendJettons(
    jetton: Jetton,
    from: Payer,
    to: Address,
    amount: bigint,
    more?: { forward?: bigint; responseTo?: Address },
  ): Promise<Finished[]>;
  sweep(
    keys: KeyPair,
    wallet: { id: number; address: Address; sent: number },
    message: { to: Address; coins: bigint; body?: Cell; mode?: SendMode },
  ): Promise<Finished[]>;
}

const opcodes = { transfer: 0x0f8a7ea5, internalTransfer: 0x178d4519, notification: 0x7362d09c };

export async function openTonChain(clock: () => Date): Promise<TonChain> {
  const blockchain = await Blockchain.create();
  const history: Finished[] = [];
  let seqno = 1000;
  const keep = ({ transactions }: { transactions: Transaction[] }): Finished[] => {
    seqno++;
    const finished = transactions.map((transaction) => ({ seqno, transaction }));
    history.push(...finished);
    return finished;
  };
  const atNow = () => (blockchain.now = Math.floor(clock().getTime() / 1000));
  atNow();
  const chain: TonChain = {
    blockchain,
    history,
    get seqno() {
      return seqno;
    },
    payer: (name) => blockchain.treasury(name),
    send: async (from, to, coins, { body = Cell.EMPTY, bounce = false } = {}) => {
      atNow();
      return keep(await from.send({ to, value: coins, body, bounce, sendMode: SendMode.PAY_GAS_SEPARATELY }));
    },
    issue: (name, content) => issue(chain, name, content),
    sendJettons: async (jetton, from, to, amount, { forward = 1n, responseTo = from.address } = {}) => {
      const body = jettonOrder(to, amount, { forward, responseTo });
      const wallet = await jetton.walletOf(from.address);
      return chain.send(from, wallet, toNano("0.2") + forward, { body, bounce: true });
    },
    sweep: async (keys, wallet, message) => {
      atNow();
      return keep(await blockchain.sendMessage(signed(keys, wallet, message)));
    },
  };
  return chain;
}

export function jettonOrder(
  to: Address,
  amount: bigint,
  { forward = 0n, responseTo }: { forward?: bigint; responseTo: Address },
): Cell {
  const order = beginCell().storeUint(opcodes.transfer, 32).storeUint(7, 64).storeCoins(amount);
  return order
    .storeAddress(to)
    .storeAddress(responseTo)
    .storeBit(false)
    .storeCoins(forward)
    .storeBit(false)
    .endCell();
}

/** A forged internal transfer or notification of received coins. */
export function forged(kind: "internalTransfer" | "notification", amount: bigint, from: Address): Cell {
  const word = beginCell()
    .storeUint(opcodes[kind], 32)
    .storeUint(7, 64)
    .storeCoins(amount)
    .storeAddress(from);
  if (kind === "internalTransfer") word.storeAddress(from).storeCoins(0);
  return word.storeBit(false).endCell();
}

/** On-chain metadata of a jetton (TEP 64). */
export function content(entries: Readonly<Record<string, string>>): Cell {
  const dictionary = Dictionary.empty(Dictionary.Keys.Buffer(32), Dictionary.Values.Cell());
  for (const [name, text] of Object.entries(entries))
    dictionary.set(sha256_sync(name), beginCell().storeUint(0, 8).storeStringTail(text).endCell());
  return beginCell().storeUint(0, 8).storeDict(dictionary).endCell();
}

/** A payer's comment. */
export const note = (text: string) => comment(text);

async function issue(chain: TonChain, name: string, said: Cell): Promise<Jetton> {
  const { blockchain } = chain;
  const issuer = await chain.payer(`issuer of ${name}`);
  const [code, wallets] = await Promise.all([compiled("jetton.master"), compiled("jetton.wallet")]);
  const data = beginCell()
    .storeCoins(0)
    .storeAddress(issuer.address)
    .storeRef(wallets)
    .storeRef(said)
    .endCell();
  const master = contractAddress(0, { code, data });
  await issuer.send({ to: master, value: toNano("1"), init: { code, data }, bounce: false });
  const walletOf = async (owner: Address) => {
    const asked = [{ type: "slice" as const, cell: beginCell().storeAddress(owner).endCell() }];
    return (await blockchain.runGetMethod(master, "get_wallet_address", asked)).stackReader.readAddress();
  };
  const tell = (word: Cell) => chain.send(issuer, master, toNano("0.5"), { body: word, bounce: true });
  return {
    master,
    walletOf,
    balanceOf: async (wallet) => {
      if ((await blockchain.getContract(wallet)).accountState?.type !== "active") return 0n;
      return (await blockchain.runGetMethod(wallet, "get_wallet_data")).stackReader.readBigNumber();
    },
    mint: async (to, amount) => {
      const word = beginCell().storeUint(0x10000002, 32).storeAddress(to).storeCoins(amount);
      await tell(word.storeCoins(toNano("0.2")).endCell());
    },
    lock: async (owner, lock) => {
      // A wallet exists once it holds something.
      if ((await chain.blockchain.getContract(await walletOf(owner))).accountState?.type !== "active")
        throw new Error("only a wallet that is there can be closed");
      await tell(beginCell().storeUint(0x10000003, 32).storeAddress(owner).storeUint(lock, 4).endCell());
    },
  };
}

const programs = new Map<string, Promise<Cell>>();

function compiled(name: string): Promise<Cell> {
  const known = programs.get(name) ?? compile(name);
  programs.set(name, known);
  return known;
}

async function compile(name: string): Promise<Cell> {
  const made = await runTolkCompiler({
    entrypointFileName: `${name}.tolk`,
    fsReadCallback: (path) => readFileSync(join(import.meta.dirname, "../contracts", path), "utf8"),
  });
  if (made.status === "error") throw new Error(made.message);
  return Cell.fromBase64(made.codeBoc64);
}

/** The signed external message of a wallet v4r2, with its code if it is not deployed. */
function signed(
  keys: KeyPair,
  wallet: { id: number; address: Address; sent: number },
  {
    to,
    coins,
    body,
    mode = SendMode.PAY_GAS_SEPARATELY,
  }: { to: Address; coins: bigint; body?: Cell; mode?: SendMode },
): Message {
  const sent = internal({ to, value: coins, bounce: false, ...(body ? { body } : {}) });
  const order = beginCell()
    .storeUint(wallet.id, 32)
    .storeUint(2 ** 32 - 1, 32) // good for ever
    .storeUint(wallet.sent, 32)
    .storeUint(0, 8) // a simple transfer
    .storeUint(mode, 8)
    .storeRef(beginCell().store(storeMessageRelaxed(sent)))
    .endCell();
  const whole = beginCell().storeBuffer(sign(order.hash(), keys.secretKey)).storeSlice(order.beginParse());
  const data = beginCell()
    .storeUint(0, 32)
    .storeUint(wallet.id, 32)
    .storeBuffer(keys.publicKey)
    .storeBit(false);
  const init = { code: Cell.fromBase64(walletCode), data: data.endCell() };
  return external({ to: wallet.address, body: whole.endCell(), ...(wallet.sent === 0 ? { init } : {}) });
}
