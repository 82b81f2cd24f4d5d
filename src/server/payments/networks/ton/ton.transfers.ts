// Reads payments at our addresses. Any contract can send a message that looks like one.
import { Cell, type Slice } from "@ton/core";
import type { CurrencyId } from "../../../../contract/currencies.ts";
import { secondsAfter } from "../../../platform/clock.ts";
import { isDust } from "../../payments.terms.ts";
import type { ChainTransfer } from "../network.ts";
import { NodeTrouble } from "../nodes/nodes.ts";
import type { Transaction } from "./ton.center.ts";

export interface Ours {
  readonly owners: ReadonlySet<string>;
  readonly jettons: Map<string, { readonly owner: string; readonly currency: CurrencyId }>;
}

// A jetton wallet gets coins from another one of its master (TEP 74).
const internalTransfer = 0x178d4519;
// Side messages of jettons that carry Toncoins: the notification of the owner, and the rest of the fee.
const notification = 0x7362d09c;
const excesses = 0xd53276db;
// Anyone can send these words: what carries more than a fee, half a Toncoin, is money.
const sideCoinsMax = 500_000_000n;

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

export function unpaidCoinsOf(transaction: Transaction, ours: Ours): bigint {
  const { in_msg: message } = transaction;
  const isPaid = transferOf(transaction, ours) !== undefined;
  return isPaid || isReturned(transaction) ? 0n : (message?.value ?? 0n);
}

interface Came {
  readonly amount: bigint;
  readonly from: string | undefined;
}

/** Toncoins that stay. "aborted" does not matter: an unused wallet has no code, but keeps them. */
function coinsOf(transaction: Transaction, { owners, jettons }: Ours): Came | undefined {
  const { account, in_msg: message } = transaction;
  if (!owners.has(account) || !message?.source || !message.value) return undefined;
  if (!transaction.description) throw untold(transaction);
  if (message.bounced || isReturned(transaction)) return undefined;
  const opcode = Number(message.opcode ?? 0) >>> 0;
  const isSide = opcode === notification || opcode === excesses;
  const isOurJettons = jettons.get(message.source)?.owner === account;
  if (isSide && (isOurJettons || message.value < sideCoinsMax)) return undefined;
  return { amount: message.value, from: message.source };
}

/** Jettons that a jetton wallet of ours accepted: its program checks that the sender is one of its kind. */
function jettonsOf({ description, in_msg: message, hash }: Transaction): Came | undefined {
  if (!message?.source || message.bounced) return undefined;
  if (!description) throw untold({ hash });
  if (description.aborted !== false || description.compute_ph?.success !== true) return undefined;
  const body = message.message_content?.body;
  if (!body) throw new NodeTrouble(`it keeps back what the transaction ${hash} says`);
  try {
    return readInternalTransfer(Cell.fromBase64(body).beginParse());
  } catch {
    throw new NodeTrouble(`what it tells of the transaction ${hash} cannot be`);
  }
}

// Without it nobody knows whether the money went back.
const untold = ({ hash }: Pick<Transaction, "hash">) =>
  new NodeTrouble(`it keeps back how the transaction ${hash} ended`);

function readInternalTransfer(body: Slice): Came | undefined {
  if (body.remainingBits < 32 || body.loadUint(32) !== internalTransfer) return undefined;
  body.skip(64); // the sender's own number
  // A transfer without a sender was minted.
  return { amount: body.loadCoins(), from: body.loadMaybeAddress()?.toRawString() };
}

const isReturned = ({ description }: Transaction) => description?.bounce?.type === "ok";

const isFinal = ({ emulated, finality }: Transaction) =>
  emulated !== true && (finality === null || finality === undefined || finality === "finalized");

const masterchainBlock = (seqno: number) => `-1:8000000000000000:${seqno}`;
