import { type EventName, isEventName, refundReasons } from "../../contract/event-names.ts";
import { type EventBody, eventBodies, type ShopEvent } from "../../contract/events.ts";
import { backorderRefusals } from "../../contract/orders/backorders.ts";
import { wireStatus } from "../../contract/order-states.ts";
import { type Described, type EventRow, statusOfStep } from "../events/events.ts";
import type { Db } from "../platform/db/db.ts";
import { showIds } from "../platform/http/shown-ids.ts";
import { idsOf } from "../platform/ids.ts";
import { showUsd } from "../platform/money.ts";
import { type Backorder, selectSome as selectBackorders } from "./backorders/backorders.ts";
import { selectLetters, selectOrders, type LetterFields, type OrderFields } from "./orders.sql.ts";
import { named, wireLetter, wireOrder } from "./orders.wire.ts";

/** Describes events by their ids as clients are told them, reading orders and letters for all at once; leaves out one whose letter is gone, and kinds that this release does not know. */
export async function describe(db: Db, events: readonly EventRow[]): Promise<Map<bigint, Described>> {
  const orderIds = new Set(events.flatMap(({ orderId }) => (orderId === null ? [] : [orderId])));
  const backorderIds = events.flatMap(({ backorderId }) => (backorderId === null ? [] : [backorderId]));
  const letters = events.filter(({ name }) => name === "letter");
  const [orders, letterRows, backorderRows] = await Promise.all([
    orderIds.size === 0 ? [] : selectOrders(db, [...orderIds]),
    letters.length === 0 ? [] : selectLetters(db, letters.map(theOrder), letters.map(theLetter)),
    backorderIds.length === 0 ? [] : selectBackorders(db, backorderIds),
  ]);
  const orderOf = new Map(orders.map((order) => [order.orderId, order]));
  const backorderOf = new Map(backorderRows.map((backorder) => [backorder.id, backorder]));
  const letterOf = new Map(
    letterRows.map((letter) => [nameOf(letter.orderId, letter.letterId), letter] as const),
  );
  const described = new Map<bigint, Described>();
  for (const event of events) {
    const { id, name, orderId, letterId } = event;
    if (!isEventName(name)) continue;
    const order = orderId === null ? undefined : orderOf.get(orderId);
    const body = bodies[name](event, {
      order,
      letter: letterOf.get(nameOf(orderId, letterId)),
      backorder: event.backorderId === null ? undefined : backorderOf.get(event.backorderId),
    });
    if (!body) continue;
    const shown = { name, data: showIds<object>(eventBodies[name], body, idsOf(db)) } as ShopEvent;
    described.set(
      id,
      order && (name === "letter" || order.note !== null)
        ? { ...shown, ofSite: { siteId: order.siteId, ...forOthers(shown) } }
        : shown,
    );
  }
  return described;
}

/** What tokens for other sites read of an event of an order. */
function forOthers(event: ShopEvent): { others?: ShopEvent } {
  if (event.name === "letter") return {};
  const { note: _own, ...data } = event.data as { note?: string };
  return { others: { ...event, data } as ShopEvent };
}

const nameOf = (orderId: bigint | null, letterId: bigint | null) => `${orderId} ${letterId}`;

/** What an event is about, as far as it is still there. */
interface About {
  readonly order: OrderFields | undefined;
  readonly letter: LetterFields | undefined;
  readonly backorder: Backorder | undefined;
}

type Tell<Name extends EventName> = (event: EventRow, about: About) => EventBody<Name> | undefined;

/** The body of each event; undefined when its subject is gone. */
const bodies: { readonly [Name in EventName]: Tell<Name> } = {
  activation: (event, { order }) =>
    order && { ...wireOrder(order), status: stateOf(wireStatus, event.status) },
  letter: (_event, { order, letter }) => order && letter && letterBody(order, letter),
  balance: (event) => ({ balance: balanceOf(event) }),
  balance_low: (event) => ({
    balance: balanceOf(event),
    threshold: showUsd(event.amount ?? impossible(event)),
  }),
  refund: (event, { order }) => order && refundBody(event, order),
  payment: paymentBody,
  backorder: backorderEvent,
};

function letterBody(order: OrderFields, letter: LetterFields): EventBody<"letter"> {
  return { ...named(order), ...wireLetter(letter) };
}

/** Undefined for a reason of a newer release. */
function refundBody(event: EventRow, order: OrderFields): EventBody<"refund"> | undefined {
  const reason = refundReasons.find((known) => known === event.status);
  const [amount, balance] = [showUsd(order.price), balanceOf(event)];
  return reason && { ...named(order), amount, balance, reason };
}

/** As /payments/status has it (spec B §4). */
const paymentStatus = { pending: 0, confirmed: 1, rejected: -1 } as const;

function paymentBody(event: EventRow): EventBody<"payment"> {
  return {
    id: String(event.paymentId ?? impossible(event)),
    payment_status: stateOf(paymentStatus, statusOfStep(event.status)),
  };
}

/** Undefined for a state or a reason of a newer release. */
function backorderEvent(event: EventRow, { order, backorder }: About): EventBody<"backorder"> | undefined {
  const [word, ...reason] = (event.status ?? "").split(" ");
  const state = (["waiting", "placed", "ended"] as const).find((known) => known === word);
  const refused = backorderRefusals.find((known) => known === reason.join(" "));
  if (!backorder || !state || (reason.length > 0 && !refused)) return undefined;
  return {
    backorder_id: String(backorder.id),
    from: backorder.site,
    state,
    ...(refused && { refused }),
    ...(order && { activation_id: String(order.orderId), email: order.email }),
  };
}

const balanceOf = (event: EventRow) => showUsd(event.balance ?? impossible(event));
const theOrder = (event: EventRow) => event.orderId ?? impossible(event);
const theLetter = (event: EventRow) => event.letterId ?? impossible(event);

function stateOf<State extends string, Word>(states: Record<State, Word>, state: string | null): Word {
  const word = (states as Record<string, Word | undefined>)[state ?? ""];
  if (word === undefined) throw new Error(`an event has no state "${state}"`);
  return word;
}

function impossible({ name, id }: EventRow): never {
  throw new Error(`event ${id} is of kind ${name} and does not name what changed`);
}
