import { createHash } from "node:crypto";
import { type CurrencyId, currencies } from "../../../contract/currencies.ts";
import type { Db, Tx } from "../../platform/db/db.ts";
import { terms } from "../payments.terms.ts";
import type { Block, ChainTransfer, Network } from "./network.ts";
import {
  insertTransfer,
  lockChain,
  type Row,
  selectPaid,
  selectTransfer,
  selectTransfers,
} from "./sandbox.sql.ts";

const pollSeconds = 2;

/** Serves every currency until real chains are configured; payments are final at once. */
export function openSandbox(db: Db, clock: () => Date): Network {
  return {
    name: "sandbox",
    currencies: currencies.map(({ id }) => id),
    family: "sandbox",
    isSandbox: true,
    pollSeconds,
    address: (currency, index) => {
      const address = sandboxAddress(currency, index);
      return Promise.resolve({ address, canonical: address });
    },
    transfers: async (since, watched) => {
      const rows = await selectTransfers(db, BigInt(since ?? 0));
      const ours = rows.length > 0 ? await watched() : new Set();
      const height = rows.at(-1)?.id ?? BigInt(since ?? 0);
      return {
        cursor: String(height),
        tip: { height, hash: `sandbox ${height}`, at: clock() },
        transfers: rows.filter(({ address }) => ours.has(address)).map(asTransfer),
      };
    },
    verify: async ({ txid }) => {
      const row = await selectTransfer(db, BigInt(txid));
      return row ? { found: true, amount: row.amount, isFinal: true } : { found: false };
    },
    balances: (currency, addresses) =>
      Promise.all(addresses.map(async (address) => (await selectPaid(db, currency, address)).paid)),
  };
}

export async function pay(
  tx: Tx,
  paid: { address: string; currency: CurrencyId; amount: bigint; at: Date; by: string },
): Promise<void> {
  await lockChain(tx);
  await insertTransfer(tx, paid);
}

/** What was paid to an address on the sandbox chain so far, read by the watcher or not. */
export async function paidTo(tx: Tx, currency: string, address: string): Promise<bigint> {
  return (await selectPaid(tx, currency, address)).paid;
}

function asTransfer(row: Row): ChainTransfer {
  const block: Block = { height: row.id, hash: `sandbox ${row.id}`, at: row.paidAt };
  return {
    chain: "sandbox",
    txid: String(row.id),
    index: "0",
    currency: row.currency as CurrencyId,
    address: row.address,
    amount: row.amount,
    block,
  };
}

const shapes = {
  ethereum: { start: "0x", alphabet: "0123456789abcdef", length: 42 },
  bsc: { start: "0x", alphabet: "0123456789abcdef", length: 42 },
  tron: { start: "T", alphabet: "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz", length: 34 },
  ton: {
    start: "UQ",
    alphabet: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_",
    length: 48,
  },
  litecoin: { start: "ltc1q", alphabet: "qpzry9x8gf2tvdw0s3jn54khce6mua7l", length: 43 },
} as const;

/** Has the form of its chain, but `sandbox-` in it: real money sent to an invented address would be lost. */
export function sandboxAddress(currency: CurrencyId, index: bigint): string {
  const { start, alphabet, length } = shapes[terms[currency].chain];
  const head = `sandbox-${start}`;
  const bytes = createHash("sha512").update(`${terms[currency].chain} ${index}`).digest();
  const tail = Array.from(
    bytes.subarray(0, length - head.length),
    (byte) => alphabet[byte % alphabet.length],
  );
  return head + tail.join("");
}
