// A BTCPay Server by its Greenfield API: an invoice per payment. Its id is the canonical address; rate and state stay ours.
import { z } from "zod/mini";
import type { CurrencyId } from "../../../../contract/currencies.ts";
import { isLoopbackHost } from "../../../platform/network-address.ts";
import type { Btcpay } from "../../../platform/config/config.ts";
import { showUsd, type Usd } from "../../../platform/money.ts";
import { watchDays } from "../../payments.terms.ts";
import { Methods, type Payment, paymentsOf, Unreadable } from "./btcpay.invoice.ts";
import { type Block, type Network, type Reading, type Watched, watchEverySeconds } from "../network.ts";
import { type Node, type Nodes, NodeTrouble, openNodes } from "../nodes/nodes.ts";
import * as rounds from "../poll-loop.ts";

const pollSeconds = 15;
const paceOf = ({ hostname }: URL) => (isLoopbackHost(hostname) ? 1000 : 20);

const minutesOfDay = 24 * 60;
// An invoice must outlive its payment, a week at most (PAYMENT_TTL_S), and be watched as long.
const expirationMinutes = 7 * minutesOfDay;
const monitoringMinutes = watchDays * minutesOfDay;

const Created = z.object({ id: z.string() });
const Some = z.array(z.object({ id: z.string() }));
const Info = z.object({
  syncStatus: z.array(
    z.object({
      cryptoCode: z.nullish(z.string()),
      paymentMethodId: z.nullish(z.string()),
      available: z.boolean(),
      chainHeight: z.nullish(z.int()),
    }),
  ),
});

interface Parts {
  readonly config: Btcpay;
  readonly clock: () => Date;
}

interface Server extends Parts {
  readonly nodes: Nodes;
}

/** Watches a BTCPay Server, 2.0 or newer (payment methods named as LTC-CHAIN). */
export function openBtcpay(parts: Parts): Network {
  const { config, clock } = parts;
  const url = new URL(config.url);
  // The user name carries the whole header, so that the key is masked in every message.
  url.username = `token ${config.apiKey}`;
  const nodes = openNodes({
    urls: [url.href],
    keyHeader: "authorization",
    requestsPerSecond: paceOf,
    clock,
  });
  const server: Server = { ...parts, nodes };
  const paid = (invoice: string, signal: AbortSignal) =>
    nodes.with((node) => paymentsAt(node, config, invoice), signal);
  return {
    name: "btcpay",
    currencies: Object.keys(config.methods) as CurrencyId[],
    family: "btcpay",
    isSandbox: false,
    isElsewhere: true,
    pollSeconds,
    address: (currency, index, dollars) => makeInvoice(server, currency, index, dollars),
    transfers: (since, watched, signal) => readNew(server, since, watched, signal),
    verify: async (transfer, _need, signal) => {
      const payments = await paid(transfer.address, signal);
      // Not found does not mean gone: the transfer waits, neither credited nor dropped.
      if (!payments) return { found: true, amount: transfer.amount, isFinal: false };
      const same = payments.filter((one) => one.transfer.txid === transfer.txid);
      // The server may number the outputs of a transaction anew.
      const found =
        same.find((one) => one.transfer.index === transfer.index) ??
        same.find((one) => one.transfer.amount === transfer.amount);
      if (!found) return { found: false };
      return { found: true, amount: found.transfer.amount, isFinal: found.isSettled };
    },
    balances: async (currency, invoices, signal) => {
      const sums: bigint[] = [];
      for (const invoice of invoices) {
        const payments = await paid(invoice, signal);
        if (!payments) throw new Error(`the BTCPay Server does not know its invoice ${invoice} any more`);
        const ours = payments.filter(({ transfer }) => transfer.currency === currency);
        sums.push(ours.reduce((sum, { transfer }) => sum + transfer.amount, 0n));
      }
      return sums;
    },
    check: (signal) =>
      nodes.with(async (node) => {
        await standing(node, server);
        await node.get(Some, `${storeOf(config)}/invoices?take=1`);
      }, signal),
    health: nodes.health,
  };
}

const storeOf = ({ storeId }: Btcpay) => `/api/v1/stores/${storeId}`;

async function makeInvoice(
  { config, nodes }: Server,
  currency: CurrencyId,
  index: bigint,
  dollars?: Usd,
): Promise<{ address: string; canonical: string }> {
  const method = config.methods[currency];
  if (dollars === undefined || method === undefined) throw new Error(`no invoice is made in ${currency}`);
  const made = await nodes.with(async (node) => {
    try {
      const { id } = await node.post(Created, `${storeOf(config)}/invoices`, {
        amount: showUsd(dollars),
        currency: "USD",
        metadata: { orderId: String(index) },
        checkout: {
          paymentMethods: [method],
          defaultPaymentMethod: method,
          lazyPaymentMethods: false,
          expirationMinutes,
          monitoringMinutes,
        },
      });
      const addresses = await node.get(Methods, pathOf(config, id));
      return {
        id,
        address: addresses.find(({ paymentMethodId }) => paymentMethodId === method)?.destination,
      };
    } catch (fault) {
      // The server refuses this invoice alone: it needs no rest.
      if (fault instanceof NodeTrouble && (fault.code === 400 || fault.code === 422)) return fault;
      throw fault;
    }
  }, new AbortController().signal);
  if (made instanceof NodeTrouble) throw made;
  if (!made.address)
    throw new NodeTrouble(`the store has no address for ${method}: is the method set up there?`);
  return { address: made.address, canonical: made.id };
}

const pathOf = (config: Btcpay, invoice: string) =>
  // Without the parameter, double-spent payments would be left out.
  `${storeOf(config)}/invoices/${encodeURIComponent(invoice)}/payment-methods?onlyAccountedPayments=false`;

async function paymentsAt(node: Node, config: Btcpay, invoice: string): Promise<Payment[] | undefined> {
  try {
    return paymentsOf(invoice, await node.get(z.unknown(), pathOf(config, invoice)), config.methods);
  } catch (fault) {
    // A proxy may answer 404 too, but not with this word.
    if (fault instanceof NodeTrouble && fault.code === 404 && fault.message.includes("invoice-not-found"))
      return undefined;
    throw fault;
  }
}

async function standing(node: Node, { config, clock }: Server): Promise<Block> {
  const { syncStatus } = await node.get(Info, "/api/v1/server/info");
  const methods = Object.values(config.methods);
  const ours = syncStatus.filter(({ cryptoCode, paymentMethodId }) =>
    methods.some((method) => method === paymentMethodId || method === `${cryptoCode}-CHAIN`),
  );
  const behind = ours.find(({ available }) => !available);
  if (behind)
    throw new NodeTrouble(`${behind.paymentMethodId ?? behind.cryptoCode} is not synchronised there`);
  const height = BigInt(Math.max(0, ...ours.map(({ chainHeight }) => chainHeight ?? 0)));
  node.stands(height);
  return { height, hash: "btcpay", at: clock() };
}

async function readNew(
  server: Server,
  since: string | null,
  watched: Watched,
  signal: AbortSignal,
): Promise<Reading> {
  const { config, nodes } = server;
  return nodes.with(async (node) => {
    const tip = await standing(node, server);
    const at = Math.floor(tip.at.getTime() / 1000);
    const progress = since === null ? rounds.unread : rounds.read(since);
    let next: rounds.Progress = { ...progress, open: at };
    const invoices = new Set([...(await watched("open")), ...progress.unread]);
    for (const name of ["week", "month"] as const) {
      if (!rounds.isDue(next[name], watchEverySeconds[name], at)) continue;
      const part = rounds.nextPart(next[name], at, await watched(name === "month" ? undefined : name));
      for (const invoice of part.addresses) invoices.add(invoice);
      next = { ...next, [name]: part.round };
    }
    const payments: Payment[] = [];
    const unread: string[] = [];
    for (const invoice of invoices)
      try {
        payments.push(...((await paymentsAt(node, config, invoice)) ?? []));
      } catch (fault) {
        if (!(fault instanceof Unreadable)) throw fault;
        node.warns(fault.message);
        unread.push(invoice);
      }
    const watchedNow = unread.length === 0 ? new Set<string>() : await watched();
    next = { ...next, unread: unread.filter((invoice) => watchedNow.has(invoice)) };
    return { cursor: rounds.show(next), tip, transfers: payments.map(({ transfer }) => transfer) };
  }, signal);
}
