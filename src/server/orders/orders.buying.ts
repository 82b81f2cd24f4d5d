import { ClientOrderId } from "../../contract/fields.ts";
import { cancelEmail, orderEmail, reorderEmail } from "../../contract/orders.ts";
import type { TokenLimit } from "../../contract/refusals.ts";
import { type Catalog, type FoundSite, type NoSite, unknownSite } from "../catalog/catalog.ts";
import * as ledger from "../ledger/ledger.ts";
import {
  answer,
  type Caller,
  Limited,
  mayUse,
  otherSite,
  Refused,
  type RequestFacts,
  type Route,
} from "../platform/http/answer.ts";
import { now, unixSeconds } from "../platform/clock.ts";
import type { Db } from "../platform/db/db.ts";
import { showUsd, type Usd, usd, usdNumber } from "../platform/money.ts";
import { checkPattern } from "../letters/letters.ts";
import { selectBuyer, selectOrders, selectSiteOf } from "./orders.sql.ts";
import { alternatives } from "./orders.offers.ts";
import { isSandbox, type Sandbox } from "./orders.sandbox.ts";
import { passOver } from "./skips/skips.ts";
import type { Identifiers } from "../users/users.ts";
import type {
  Orders,
  OverToken,
  PlaceAsk,
  Placed,
  PlacedMany,
  PlaceRefused,
  ReorderRefused,
} from "./orders.ts";

export interface BuyingServices {
  readonly db: Db;
  readonly orders: Orders;
  readonly catalog: Catalog;
  readonly sandbox: Sandbox;
  readonly users: { readonly identifiers: Pick<Identifiers, "note"> };
  /** Only accounts that the bot has confirmed may order (CONFIRM_GATE). */
  readonly confirmFirst?: boolean;
}

const sandboxSeconds = 60;

/** What is wanted, of which domains and for which site, of an order and of one that waits for stock; or why not. */
export async function readOrder(
  services: BuyingServices,
  asked: Filters & { readonly domain: string; readonly site: string },
  caller: Caller,
  request: RequestFacts,
) {
  const { catalog } = services;
  const wanted = wantedOf(asked, caller, request);
  if (wanted instanceof Refused) return wanted;
  const domains = await catalog.domainsOf(asked.domain);
  if (domains.length === 0)
    return new Refused("domain", { did_you_mean: await catalog.nearestDomain(asked.domain) });
  const site = await siteFor(services, asked.site, domains, caller);
  if ("missing" in site) return new Refused("no balance", site);
  if ("refused" in site) return new Refused("site", { did_you_mean: site.didYouMean });
  return mayUse(caller, site.id) ? { wanted, domains, site } : otherSite();
}

/** The calls that order, reorder and cancel (spec B §7). */
export function buyingRoutes(services: BuyingServices): Route[] {
  const { db, orders, catalog, sandbox, users, confirmFirst = false } = services;
  return [
    answer(orderEmail, async ({ asked, caller, request, refuse }) => {
      if (confirmFirst && !caller.confirmed) return refuse("not confirmed");
      const read = await readOrder(services, asked, caller, request);
      if (read instanceof Refused) return read;
      const { wanted, domains, site } = read;
      const { domainIds, skipped } = isSandbox(site)
        ? { domainIds: await sandbox.domainsOf(site), skipped: [] }
        : await passOver(db, { ...wanted, siteId: site.id, at: now() }, domains);
      const ask = { ...wanted, siteId: site.id, domainIds, softId: asked.soft_id };
      // Who earns by an order may be its buyer: their networks are compared when it is earned.
      if (caller.referred || asked.soft_id !== undefined)
        await users.identifiers.note(caller.userId, { address: request.address }, now());
      const { quantity, soft_id } = asked;
      const soft = soft_id === undefined ? {} : { soft_id: String(soft_id) };
      const placed = await placeAll(orders, ask, quantity);
      if ("placed" in placed) {
        const siteOf = await siteOfEach(db, placed.placed, site.name);
        return orderedList(placed, (each) => ({ ...ordered(each, siteOf(each)), ...soft }));
      }
      if (!("refusal" in placed))
        return { ...ordered(placed, (await siteOfEach(db, [placed], site.name))(placed)), ...soft };
      if (placed.refusal === "limit") return new Limited(sandboxSeconds);
      if (placed.refusal !== "no emails")
        return new Refused(placed.refusal, await detailOf(db, placed, caller));
      const others = await alternatives({ db, catalog }, site, skipped);
      return refuse("no emails", { alternatives: others, ...(skipped.length > 0 && { skipped }) });
    }),

    answer(reorderEmail, async ({ asked, caller, request, refuse }) => {
      if (confirmFirst && !caller.confirmed) return refuse("not confirmed");
      const wanted = wantedOf(asked, caller, request);
      if (wanted instanceof Refused) return wanted;
      const which = await whichReceived(catalog, asked);
      if (which === undefined) return refuse("no activation");
      const placed = await orders.reorder({ ...wanted, ...which });
      if (!("refusal" in placed)) return ordered(placed, placed.site);
      if (placed.refusal === "limit") return new Limited(sandboxSeconds);
      return new Refused(placed.refusal, await detailOf(db, placed, caller));
    }),

    answer(cancelEmail, async ({ asked, caller, refuse }) => {
      if (await isOfOtherSite(db, caller, asked.id)) return otherSite();
      const canceled = await orders.cancel({ userId: caller.userId, orderId: asked.id });
      if (canceled.outcome !== "activation canceled") return refuse(canceled.outcome);
      return { value: canceled.outcome, balance: showUsd(canceled.balance) };
    }),
  ];
}

/** Where all named mail domains are passed over, none has an address. */
async function placeAll(
  orders: Orders,
  ask: PlaceAsk,
  quantity: number | undefined,
): Promise<Placed | PlacedMany | PlaceRefused> {
  if (ask.domainIds.length === 0) return { refusal: "no emails" };
  return quantity === undefined ? orders.place(ask) : orders.placeMany(ask, quantity);
}

/** A site that nobody ordered for yet gets its row only from who could pay, and from no token that is limited to sites. */
async function siteFor(
  { db, catalog }: BuyingServices,
  named: string,
  domains: readonly { readonly price: bigint }[],
  { userId, limits }: Caller,
): Promise<FoundSite | NoSite | { missing: string }> {
  const site = await catalog.siteOf(named);
  if ("refused" in site || site.id !== unknownSite || limits?.siteIds !== undefined) return site;
  const prices = domains.map(({ price }) => price);
  const missing =
    prices.reduce((one, other) => (one < other ? one : other)) - (await ledger.balance(db, userId));
  return missing > 0n ? { missing: showUsd(missing as Usd) } : catalog.siteOf(named, { make: true });
}

type Filters = {
  subject: string | undefined;
  regex: string | undefined;
  client_order_id: string | undefined;
  max_price: string | undefined;
  note: string | undefined;
};

function wantedOf(asked: Filters, { userId, limits }: Caller, request: RequestFacts) {
  const wrong = asked.regex === undefined ? undefined : checkPattern(asked.regex);
  if (wrong !== undefined) return new Refused("regex", { reason: wrong });
  const key = ClientOrderId.schema.safeParse(asked.client_order_id ?? request.idempotencyKey);
  if (!key.success) return new Refused("client_order_id");
  return {
    userId,
    tokenId: limits?.tokenId,
    subject: asked.subject,
    regex: asked.regex,
    idempotencyKey: key.data,
    priceMax: asked.max_price === undefined ? undefined : usd(asked.max_price),
    note: asked.note,
  };
}

/** Whether an order is for a site that the caller's token may not order for. The site of an order never changes. */
export async function isOfOtherSite(db: Db, caller: Caller, orderId: bigint): Promise<boolean> {
  if (caller.limits?.siteIds === undefined) return false;
  const order = await selectSiteOf(db, caller.userId, orderId);
  return order !== undefined && !mayUse(caller, order.siteId);
}

/** By id, or by email and site (spec B §7); undefined when neither is complete. */
async function whichReceived(
  catalog: Catalog,
  asked: { id: bigint | undefined; email: string | undefined; site: string | undefined },
): Promise<{ orderId: bigint } | { email: string; siteId: number } | undefined> {
  if (asked.id !== undefined) return { orderId: asked.id };
  if (asked.email === undefined || asked.site === undefined) return undefined;
  const site = await catalog.siteOf(asked.site);
  return "refused" in site ? undefined : { email: asked.email, siteId: site.id };
}

/** What a refused order says besides its refusal. */
async function detailOf(db: Db, refused: PlaceRefused | ReorderRefused, caller: Caller) {
  switch (refused.refusal) {
    case "no balance":
      return { missing: showUsd(refused.missing) };
    case "price too high":
      return { price: usdNumber(refused.price) };
    case "token limit":
      return exceeded(refused, caller);
    case "reorder waits":
      return { waiting: refused.waitingId };
    case "too many open": {
      const buyer = await selectBuyer(db, caller.userId);
      return { open: buyer?.waitingCount ?? 0, open_max: buyer?.openMax ?? 0 };
    }
    default:
      return {};
  }
}

function exceeded({ price }: OverToken, { limits }: Caller): { exceeded: TokenLimit } {
  if (price === null) return { exceeded: "sites" };
  return { exceeded: price > (limits?.priceMax ?? price) ? "price_max" : "budget_day" };
}

/** The site of each order: a repeat may name another site than the order has. */
async function siteOfEach(db: Db, placed: readonly Placed[], site: string) {
  const repeats = placed.filter(({ isRepeat }) => isRepeat).map(({ orderId }) => orderId);
  const orders = repeats.length === 0 ? [] : await selectOrders(db, repeats);
  const sites = new Map(orders.map((order) => [order.orderId, order.site]));
  return ({ orderId }: Placed) => sites.get(orderId) ?? site;
}

const orderedList = <Order>({ placed, balance, refused }: PlacedMany, show: (placed: Placed) => Order) => ({
  data: placed.map(show),
  balance: showUsd(balance),
  ...(refused === undefined ? {} : { refused }),
});

function ordered(placed: Placed, site: string) {
  return {
    id: String(placed.orderId),
    email: placed.email,
    site,
    domain: placed.email.slice(placed.email.indexOf("@") + 1),
    price: usdNumber(placed.price),
    balance: showUsd(placed.balance),
    expires_at: unixSeconds(placed.expiresAt),
  };
}
