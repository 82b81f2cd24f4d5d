// What happened, in the words of the contract: for streams and webhooks alike.
import type { EventBody } from "../../contract/events.ts";
import { wireStatus } from "../../contract/order-states.ts";
import { type Described, type EventRow, statusOfStep } from "../events/events.ts";
import { unixSeconds } from "../platform/clock.ts";
import type { Sql } from "../platform/db/db.ts";
import { showUsd, usdNumber } from "../platform/money.ts";
import { selectToldLetters, selectToldOrders } from "./orders.events.sql.ts";

type ToldOrder = Awaited<ReturnType<typeof selectToldOrders>>[number];
type ToldLetter = Awaited<ReturnType<typeof selectToldLetters>>[number];

/** What these events say, by their ids. Orders and letters are read for all of them at once; one whose letter is gone says nothing. */
export async function describe(sql: Sql, events: readonly EventRow[]): Promise<Map<bigint, Described>> {
  const orderIds = new Set(events.flatMap(({ orderId }) => (orderId === null ? [] : [orderId])));
  const letters = events.filter(({ kind }) => kind === "letter");
  const [toldOrders, toldLetters] = await Promise.all([
    orderIds.size === 0 ? [] : selectToldOrders(sql, [...orderIds]),
    letters.length === 0 ? [] : selectToldLetters(sql, letters.map(theOrder), letters.map(theLetter)),
  ]);
  const orderOf = new Map(toldOrders.map((order) => [order.orderId, order]));
  const letterOf = new Map(
    toldLetters.map((letter) => [nameOf(letter.orderId, letter.letterId), letter] as const),
  );
  const described = new Map<bigint, Described>();
  for (const event of events) {
    const order = event.orderId === null ? undefined : orderOf.get(event.orderId);
    const told = describeOne(event, order, letterOf.get(nameOf(event.orderId, event.letterId)));
    if (told) described.set(event.id, told);
  }
  return described;
}

const nameOf = (orderId: bigint | null, letterId: bigint | null) => `${orderId} ${letterId}`;

function describeOne(
  event: EventRow,
  order: ToldOrder | undefined,
  letter: ToldLetter | undefined,
): Described | undefined {
  switch (event.kind) {
    case "activation":
      return order && { name: "activation", data: activationBody(order, event.status) };
    case "letter":
      return order && letter && { name: "letter", data: letterBody(order, letter), letterOf: order.siteId };
    case "balance":
      return { name: "balance", data: { balance: showUsd(event.balance ?? impossible(event)) } };
    case "payment":
      return { name: "payment", data: paymentBody(event) };
  }
}

function activationBody(order: ToldOrder, status: string | null): EventBody<"activation"> {
  return {
    activation_id: String(order.orderId),
    from: order.site,
    email: order.email,
    status: stateOf(wireStatus, status),
    price: usdNumber(order.price),
    created_at: unixSeconds(order.createdAt),
    expires_at: unixSeconds(order.expiresAt),
  };
}

function letterBody(order: ToldOrder, letter: ToldLetter): EventBody<"letter"> {
  return {
    activation_id: String(order.orderId),
    letter_id: String(letter.letterId),
    from: order.site,
    email: order.email,
    sender: letter.sender ?? "",
    subject: letter.subject ?? "",
    received_at: unixSeconds(letter.arrivedAt),
    ...(letter.code === null ? {} : { code: letter.code }),
    ...(letter.link === null ? {} : { link: letter.link }),
    ...(letter.value === null ? {} : { value: letter.value }),
  };
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
