import { type EventBody, eventBodies } from "../../contract/events.ts";
import { wireStatus } from "../../contract/order-states.ts";
import { type Described, type EventRow, statusOfStep } from "../events/events.ts";
import type { Db } from "../platform/db/db.ts";
import { showIds } from "../platform/http/shown-ids.ts";
import { idsOf } from "../platform/ids.ts";
import { showUsd } from "../platform/money.ts";
import { selectLetters, selectOrders, type LetterFields, type OrderFields } from "./orders.sql.ts";
import { wireLetter, wireOrder } from "./orders.wire.ts";

/** Describes events by their ids as clients are told them, reading orders and letters for all at once; leaves out one whose letter is gone. */
export async function describe(db: Db, events: readonly EventRow[]): Promise<Map<bigint, Described>> {
  const orderIds = new Set(events.flatMap(({ orderId }) => (orderId === null ? [] : [orderId])));
  const letters = events.filter(({ kind }) => kind === "letter");
  const [toldOrders, toldLetters] = await Promise.all([
    orderIds.size === 0 ? [] : selectOrders(db, [...orderIds]),
    letters.length === 0 ? [] : selectLetters(db, letters.map(theOrder), letters.map(theLetter)),
  ]);
  const orderOf = new Map(toldOrders.map((order) => [order.orderId, order]));
  const letterOf = new Map(
    toldLetters.map((letter) => [nameOf(letter.orderId, letter.letterId), letter] as const),
  );
  const described = new Map<bigint, Described>();
  for (const event of events) {
    const order = event.orderId === null ? undefined : orderOf.get(event.orderId);
    const told = describeOne(event, order, letterOf.get(nameOf(event.orderId, event.letterId)));
    if (told)
      described.set(event.id, {
        ...told,
        data: showIds(eventBodies[told.name], told.data, idsOf(db)),
      } as Described);
  }
  return described;
}

const nameOf = (orderId: bigint | null, letterId: bigint | null) => `${orderId} ${letterId}`;

function describeOne(
  event: EventRow,
  order: OrderFields | undefined,
  letter: LetterFields | undefined,
): Described | undefined {
  switch (event.kind) {
    case "activation":
      return (
        order && {
          name: "activation",
          data: { ...wireOrder(order), status: stateOf(wireStatus, event.status) },
        }
      );
    case "letter":
      return order && letter && { name: "letter", data: letterBody(order, letter), letterOf: order.siteId };
    case "balance":
      return { name: "balance", data: { balance: showUsd(event.balance ?? impossible(event)) } };
    case "payment":
      return { name: "payment", data: paymentBody(event) };
  }
}

function letterBody(order: OrderFields, letter: LetterFields): EventBody<"letter"> {
  const { activation_id, from, email } = wireOrder(order);
  return { activation_id, from, email, ...wireLetter(letter) };
}

/** As /payments/status has it (spec B §4). */
const paymentStatus = { pending: 0, confirmed: 1, rejected: -1 } as const;

function paymentBody(event: EventRow): EventBody<"payment"> {
  return {
    id: String(event.paymentId ?? impossible(event)),
    payment_status: stateOf(paymentStatus, statusOfStep(event.status)),
  };
}

const theOrder = (event: EventRow) => event.orderId ?? impossible(event);
const theLetter = (event: EventRow) => event.letterId ?? impossible(event);

function stateOf<State extends string, Word>(states: Record<State, Word>, state: string | null): Word {
  const word = (states as Record<string, Word | undefined>)[state ?? ""];
  if (word === undefined) throw new Error(`an event has no state "${state}"`);
  return word;
}

function impossible({ kind, id }: EventRow): never {
  throw new Error(`event ${id} is of kind ${kind} and does not name what changed`);
}
