import type { z } from "zod/mini";
import type { Reply } from "../../contract/endpoint.ts";
import { historyStatus } from "../../contract/order-states.ts";
import {
  activations,
  type Activation,
  getMessage,
  history,
  type HistoryItem,
} from "../../contract/orders.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Events } from "../events/events.ts";
import {
  answer,
  type Caller,
  Html,
  Limited,
  mayUse,
  otherSite,
  type Outcome,
  Refused,
  type RequestFacts,
  type Route,
} from "../platform/http/answer.ts";
import { unixSeconds } from "../platform/clock.ts";
import type { Captcha } from "../platform/http/captcha.ts";
import type { Db } from "../platform/db/db.ts";
import { usdNumber } from "../platform/money.ts";
import { showDocument, showLetter, type Pictures } from "../letters/letters.ts";
import { buyingRoutes, isOfOtherSite } from "./orders.buying.ts";
import { offerRoutes } from "./orders.offers.ts";
import type { Sandbox } from "./orders.sandbox.ts";
import type { Order, OrderLetter, Orders } from "./orders.ts";
import { found, wireLetter, wireOrder } from "./orders.wire.ts";
import { StillWaiting } from "./orders.waiting.ts";

interface Services {
  readonly db: Db;
  readonly captcha: Pick<Captcha, "verify">;
  readonly events: Pick<Events, "revision" | "waits">;
  readonly orders: Orders;
  readonly catalog: Catalog;
  readonly sandbox: Sandbox;
}

export function orderRoutes(services: Services): Route[] {
  return [...offerRoutes(services), ...buyingRoutes(services), ...reading(services)];
}

function reading(services: Services): Route[] {
  const { captcha, db, events, orders } = services;
  const waiting = new StillWaiting(db);
  /** An ETag per question: stable while nothing of the account changes; a token for some sites has its own. */
  const version = async ({ userId, limits }: Caller, ...question: unknown[]) => {
    const reader = limits?.siteIds ? `${userId}t${limits.tokenId}` : userId;
    return [reader, await events.revision(userId), ...question].join(".");
  };
  return [
    answer(
      getMessage,
      async ({ asked, caller, request }) => {
        if (await isOfOtherSite(db, caller, asked.id)) return otherSite();
        return readMessage(services, waiting, {
          order: { userId: caller.userId, orderId: asked.id },
          letterId: asked.letter,
          pictures: asked.images === true ? "all" : "carried",
          asDocument: asked.preview === true,
          seconds: asked.wait ?? 0,
          request,
        });
      },
      {
        version: ({ id, letter, preview, images }, caller) =>
          version(caller, id, letter, preview === true, images === true),
      },
    ),

    answer(
      activations,
      async ({ asked, caller, request, refuse }) => {
        // A log-in with a token in the page: programs send no captcha, but a wrong one is refused.
        if (asked.captcha !== undefined && !(await captcha.verify(asked.captcha, request.address)))
          return refuse("captcha");
        const { orders: listed, ...more } = await orders.activations(caller.userId, asked.page ?? 1);
        return { data: listed.map(seenBy(caller)).map(activationOf), ...more };
      },
      { version: ({ page }, caller) => version(caller, page ?? 1) },
    ),

    answer(
      history,
      async ({ asked, caller }) => {
        const { orders: listed, pages, nextPage } = await orders.history(caller.userId, asked.offset ?? 1);
        return { data: byDay(listed.map(seenBy(caller))), next_page: nextPage, pages };
      },
      { version: ({ offset }, caller) => version(caller, offset ?? 1) },
    ),
  ];
}

/** Lists are the account's; a token for some sites sees no letters of others. */
const seenBy = (caller: Caller) => (order: Order) =>
  mayUse(caller, order.siteId) ? order : { ...order, letters: [] };

interface MessageAsk {
  readonly order: { userId: bigint; orderId: bigint };
  /** Undefined means the newest. */
  readonly letterId: bigint | undefined;
  readonly pictures: Pictures;
  readonly asDocument: boolean;
  readonly seconds: number;
  readonly request: RequestFacts;
}

async function readMessage(
  { events, orders }: Services,
  waiting: StillWaiting,
  ask: MessageAsk,
): Promise<Outcome<typeof getMessage>> {
  const { order, seconds, request } = ask;
  const read = async () => {
    const revision = await events.revision(order.userId);
    if (waiting.isKnown(order, revision)) return undefined;
    const found = messageOf(await orders.read(order), ask);
    if (found === undefined) waiting.note(order, revision);
    return found;
  };
  const now = await read();
  if (now !== undefined) return now;
  if (seconds === 0) return new Refused("wait message");
  const later = await events.waits.until({ userId: order.userId, seconds, gone: request.gone }, async () => {
    if (await waiting.look(order.orderId)) return undefined;
    // The token may be replaced or blocked while the call waited.
    return (await request.isValid()) ? messageOf(await orders.read(order), ask) : new Refused("token");
  });
  return later === "full" ? new Limited(1) : (later ?? new Refused("wait message"));
}

/** Undefined while no letter has come. */
function messageOf(
  order: Order | undefined,
  { letterId, pictures, asDocument }: MessageAsk,
): Outcome<typeof getMessage> | undefined {
  if (!order) return new Refused("no activation");
  if (order.status === "canceled" || order.status === "expired") return new Refused("activation canceled");
  const [newest] = order.letters;
  if (!newest) return undefined;
  const letter = letterId === undefined ? newest : order.letters.find((each) => each.letterId === letterId);
  if (!letter) return new Refused("no letter");
  if (!asDocument) {
    const { notFromSite } = order;
    return {
      ...readLetter(letter, { pictures, messages: order.letters.length }),
      ...(notFromSite && { not_from_site: notFromSite }),
    };
  }
  const { html, policy } = showDocument(letter, pictures);
  return new Html(html, policy);
}

export function readLetter(
  letter: OrderLetter,
  { pictures, messages }: { pictures: Pictures; messages: number },
): Reply<typeof getMessage> {
  const { html, remotePictures } = showLetter(letter, pictures);
  return { message: html, ...aboutLetter(letter), remote_images: remotePictures, messages };
}

const aboutLetter = (letter: OrderLetter) => ({
  ...wireLetter(letter),
  attachments: letter.attachments,
});

/** Lists are polled: a letter's own pictures, which may be large, come when it is read. */
const inList = (letter: OrderLetter) => showLetter(letter, "none").html;

function activationOf(order: Order): z.input<typeof Activation> {
  const [letter] = order.letters;
  return {
    ...wireOrder(order),
    message: letter ? inList(letter) : "",
    attachments: letter?.attachments ?? [],
    ...(letter && found(letter)),
  };
}

function byDay(listed: Order[]): Record<string, z.input<typeof HistoryItem>[]> {
  const days: Record<string, z.input<typeof HistoryItem>[]> = {};
  for (const order of listed)
    (days[order.createdAt.toISOString().slice(0, 10)] ??= []).push(historyItemOf(order));
  return days;
}

function historyItemOf(order: Order): z.input<typeof HistoryItem> {
  const [letter] = order.letters;
  return {
    id: String(order.orderId),
    from: order.site,
    email: order.email,
    status: historyStatus[order.status],
    messages: order.letters.map(inList),
    letters: order.letters.map(aboutLetter),
    price: usdNumber(order.price),
    created_at: unixSeconds(order.createdAt),
    received_at: unixSeconds(letter?.arrivedAt ?? order.createdAt),
  };
}
