// What a transaction at one of our addresses says of money. Anybody can send anything to an address: that it looks like a
// payment is no proof of one.
import { Cell, type Slice } from "@ton/core";
import type { CurrencyId } from "../../../../contract/currencies.ts";
import { secondsAfter } from "../../../platform/clock.ts";
import { isDust } from "../../payments.terms.ts";
import type { ChainTransfer } from "../network.ts";
import { NodeTrouble } from "../nodes/nodes.ts";
import type { Transaction } from "./ton.center.ts";

/** Our addresses, and whose each of their jetton wallets is, with what is in it. */
export interface Ours {
  readonly owners: ReadonlySet<string>;
  readonly jettons: Map<string, { readonly owner: string; readonly currency: CurrencyId }>;
}

// A jetton wallet gets coins from another one of its master's (TEP 74).
const internalTransfer = 0x178d4519;
// What jettons send beside themselves: word of them to their owner, and what was left of the fee. Both carry Toncoins.
const notification = 0x7362d09c;
const excesses = 0xd53276db;

/** The payment that a transaction is, if it is one. */
export function transferOf(transaction: Transaction, ours: Ours): ChainTransfer | undefined {
  const { account, hash, now, mc_block_seqno: seqno } = transaction;
  if (!isFinal(transaction) || seqno === null || seqno === undefined) return undefined;
  const { owner, currency } = ours.jettons.get(account) ?? { owner: undefined, currency: "ton" };
  const came = owner === undefined ? coinsOf(transaction, ours) : jettonsOf(transaction);
  if (!came || isDust(came.amount, currency)) return undefined;
  return {
    chain: "ton",
    txid: hash,
    index: "in",
    currency,
    address: owner ?? account,
    amount: came.amount,
    ...(came.from === undefined ? {} : { from: came.from }),
    block: { height: BigInt(seqno), hash: masterchainBlock(seqno), at: secondsAfter(new Date(0), now) },
  };
}

/** How many Toncoins at our address are explained by what is no payment. */
export function unpaidCoinsOf(transaction: Transaction, ours: Ours): bigint {
  const { in_msg: message } = transaction;
  const isPaid = transferOf(transaction, ours) !== undefined;
  return isPaid || isReturned(transaction) ? 0n : (message?.value ?? 0n);
}

interface Came {
  readonly amount: bigint;
  readonly from: string | undefined;
}

/**
 * Toncoins that stay. "aborted" means nothing here: a wallet that was never used has no program to run, and keeps what it
 * gets all the same.
 */
function coinsOf(transaction: Transaction, { owners }: Ours): Came | undefined {
  const { account, in_msg: message } = transaction;
  if (!owners.has(account) || !message?.source || !message.value) return undefined;
  if (message.bounced || isReturned(transaction)) return undefined;
  const opcode = Number(message.opcode ?? 0);
  if (opcode === notification || opcode === excesses) return undefined;
  return { amount: message.value, from: message.source };
}

/** Jettons that a jetton wallet of ours took: its program makes sure itself that only one of its kind sends them. */
function jettonsOf({ description, in_msg: message, hash }: Transaction): Came | undefined {
  if (!message?.source || message.bounced) return undefined;
  if (description.aborted !== false || description.compute_ph?.success !== true) return undefined;
  const body = message.message_content?.body;
  if (!body) throw new NodeTrouble(`it keeps back what the transaction ${hash} says`);
  try {
    return readInternalTransfer(Cell.fromBase64(body).beginParse());
  } catch {
    throw new NodeTrouble(`what it tells of the transaction ${hash} cannot be`);
  }
}

function readInternalTransfer(body: Slice): Came | undefined {
  if (body.remainingBits < 32 || body.loadUint(32) !== internalTransfer) return undefined;
  body.skip(64); // the sender's own number
  // Nobody has sent what was made for us.
  return { amount: body.loadCoins(), from: body.loadMaybeAddress()?.toRawString() };
}

const isReturned = ({ description }: Transaction) => description.bounce?.type === "ok";

const isFinal = ({ emulated, finality }: Transaction) =>
  emulated !== true && (finality === null || finality === undefined || finality === "finalized");

/** A block of the masterchain by its name without the hashes: what every node calls it. */
const masterchainBlock = (seqno: number) => `-1:8000000000000000:${seqno}`;
