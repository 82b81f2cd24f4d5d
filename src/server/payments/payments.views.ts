import { most } from "../platform/bigints.ts";
import type { PaymentStateName, TransferStatus } from "../../contract/payments.ts";
import type { CurrencyId } from "../../contract/currencies.ts";
import { unixSeconds } from "../platform/clock.ts";
import { showUsd, type Usd } from "../platform/money.ts";
import { type Identities } from "./networks/identity.ts";
import type { Network } from "./networks/network.ts";
import { secondsOf, stakeOf } from "./payments.finality.ts";
import { cameAtOf, creditable, enough, wireStatus } from "./payments.state.ts";
import { paymentOf, seenOf } from "./payments.crediting.ts";
import type { PaymentRow, TransferRow } from "./payments.sql.ts";
import { currencyOf, showCoins, terms } from "./payments.terms.ts";
import { paymentUri } from "./addresses/uri.ts";

export interface PaymentView {
  readonly id: bigint;
  readonly userId: bigint;
  readonly state: PaymentStateName;
  /** 0 pending, 1 confirmed, -1 rejected (spec B §4). */
  readonly status: -1 | 0 | 1;
  readonly currency: CurrencyId;
  readonly currencyName: string;
  readonly network: string;
  readonly currencyAmount: string;
  readonly address: string;
  readonly usd: Usd;
  readonly rate: Usd;
  readonly rateSource: string;
  readonly received: string;
  /** "0" once enough came. */
  readonly missing: string;
  readonly credited: Usd;
  readonly isSandbox: boolean;
  /** Its buyer will not pay it, and nothing came. */
  readonly isDropped: boolean;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export interface TransferView {
  readonly amount: string;
  readonly currency: CurrencyId;
  readonly status: TransferStatus;
  /** Undefined where the chain counts none. */
  readonly confirmations: { readonly now: number; readonly wanted: number } | undefined;
  readonly at: Date;
  readonly txid: string;
}

export interface PaymentDetail extends PaymentView {
  readonly transfers: readonly TransferView[];
  /** Opens a wallet with the missing sum; undefined when nothing is missing, or wallets agree on no URI. */
  readonly uri: string | undefined;
  /** The dollars of what came, which the buyer may have credited now though it is less than was asked. */
  readonly creditNow: Usd | undefined;
  /** How long a transfer of its amount usually takes until it is credited; undefined once it is decided, or where unknown. */
  readonly seconds: number | undefined;
}

export function viewOf(row: PaymentRow): PaymentView {
  const currency = currencyOf(row.currency);
  if (!currency) throw new Error(`the payment ${row.id} is in ${row.currency}, which is no currency`);
  return {
    id: row.id,
    userId: row.userId,
    state: row.state,
    status: wireStatus[row.state],
    currency: currency.id,
    currencyName: currency.name,
    network: currency.network,
    currencyAmount: showCoins(row.due, currency.id, currency.decimals),
    address: row.address,
    usd: row.usd as Usd,
    rate: row.rate as Usd,
    rateSource: row.rateSource,
    received: showCoins(row.received, currency.id),
    missing: showCoins(missingOf(row), currency.id),
    credited: row.credited as Usd,
    isSandbox: row.chain === "sandbox",
    isDropped: row.isDropped,
    createdAt: row.createdAt,
    expiresAt: row.expiresAt,
  };
}

export function detailOf(
  row: PaymentRow,
  transfers: readonly TransferRow[],
  { identities, networks, now }: { identities: Identities; networks: readonly Network[]; now: Date },
): PaymentDetail {
  const view = viewOf(row);
  const creditNow = creditable(paymentOf(row), transfers.map(seenOf), now);
  const uri = uriOf(row, view, identities);
  return {
    ...view,
    transfers: transfers.map(transferView),
    uri,
    creditNow,
    seconds: secondsFor(row, networks),
  };
}

function secondsFor(row: PaymentRow, networks: readonly Network[]): number | undefined {
  const network = networks.find(({ name }) => name === row.chain);
  if (!network || wireStatus[row.state] !== 0 || row.state === "review") return undefined;
  const came = most(row.received, row.due);
  return secondsOf(network, stakeOf(network.name, row, came));
}

function missingOf({ received, due, creditAsked }: PaymentRow): bigint {
  return creditAsked || received >= enough(due) ? 0n : due - received;
}

function uriOf(row: PaymentRow, view: PaymentView, identities: Identities): string | undefined {
  const units = missingOf(row);
  if (row.chain === "sandbox" || view.status !== 0 || units === 0n) return undefined;
  return paymentUri({
    currency: view.currency,
    address: row.address,
    units,
    identity: identities[terms[view.currency].chain],
  });
}

function transferView(row: TransferRow): TransferView {
  const { depthNow, depthWanted } = row;
  const currency = row.currency as CurrencyId;
  return {
    amount: showCoins(row.amount, currency),
    currency,
    status: statusOf(row),
    confirmations:
      depthNow === null || depthWanted === null ? undefined : { now: depthNow, wanted: depthWanted },
    at: cameAtOf(row),
    txid: row.txid,
  };
}

function statusOf({ alive, usd, confirmedAt }: TransferRow): TransferStatus {
  if (!alive) return "gone";
  if (usd !== null) return "credited";
  return confirmedAt === null ? "seen" : "confirmed";
}

/** A payment as a list answers it. */
export function listedOnWire(view: PaymentView) {
  return {
    id: String(view.id),
    payment_status: view.status,
    state: view.state,
    currency: view.currency,
    currency_name: view.currencyName,
    currency_amount: view.currencyAmount,
    wallet: view.address,
    network: view.network,
    amount: showUsd(view.usd),
    credited: showUsd(view.credited),
    received: view.received,
    missing: view.missing,
    sandbox: view.isSandbox,
    created_at: unixSeconds(view.createdAt),
    expires_at: unixSeconds(view.expiresAt),
    ...(view.isDropped && { dropped: true as const }),
  };
}

/** A payment as a call answers it. */
export function onWire(view: PaymentDetail) {
  return {
    ...listedOnWire(view),
    transfers: view.transfers.map(({ amount, currency, status, confirmations, at, txid }) => ({
      amount,
      currency,
      status,
      ...(confirmations && {
        confirmations: confirmations.now,
        confirmations_wanted: confirmations.wanted,
      }),
      at: unixSeconds(at),
      txid,
    })),
    ...(view.uri === undefined ? {} : { uri: view.uri }),
    ...(view.creditNow === undefined ? {} : { credit_now: showUsd(view.creditNow) }),
    ...(view.seconds === undefined ? {} : { seconds: view.seconds }),
  };
}
