import { idsOf } from "../platform/ids.ts";
import { waitAnsweredSeconds } from "../../contract/limits.ts";
import type { Reply } from "../../contract/endpoint.ts";
import { getMessage, letterSource } from "../../contract/orders.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Events } from "../events/events.ts";
import {
  answer,
  Html,
  Limited,
  otherSite,
  type Outcome,
  Refused,
  type RequestFacts,
  type Route,
} from "../platform/http/answer.ts";
import { download } from "../platform/http/download.ts";
import type { Captcha } from "../platform/http/captcha.ts";
import type { Db } from "../platform/db/db.ts";
import { openSource, showDocument, showLetter, type Pictures } from "../letters/letters.ts";
import { backorderRoutes } from "./backorders/backorders.routes.ts";
import { buyingRoutes, isOfOtherSite } from "./orders.buying.ts";
import { offerRoutes } from "./orders.offers.ts";
import type { Sandbox } from "./orders.sandbox.ts";
import type { Order, OrderLetter, Orders } from "./orders.ts";
import { listRoutes, versionOf } from "./lists/lists.routes.ts";
import { wireLetter } from "./orders.wire.ts";
import type { Identifiers } from "../users/users.ts";
import { StillWaiting } from "./orders.waiting.ts";

interface Services {
  readonly db: Db;
  readonly captcha: Pick<Captcha, "verify">;
  readonly events: Pick<Events, "revision" | "waits">;
  readonly orders: Orders;
  readonly catalog: Catalog;
  readonly sandbox: Sandbox;
  readonly users: { readonly identifiers: Pick<Identifiers, "note"> };
}

export function orderRoutes(services: Services): Route[] {
  return [
    ...offerRoutes(services),
    ...buyingRoutes(services),
    ...backorderRoutes(services),
    ...reading(services),
    ...listRoutes(services),
  ];
}

function reading(services: Services): Route[] {
  const { db, events, orders } = services;
  const waiting = new StillWaiting(db);
  return [
    answer(
      getMessage,
      async ({ asked, caller, request }) => {
        if (await isOfOtherSite(db, caller, asked.id)) return otherSite();
        return readMessage(services, waiting, {
          order: { userId: caller.userId, orderId: asked.id, letterId: asked.letter },
          pictures: asked.images === true ? "all" : "carried",
          asDocument: asked.preview === true,
          seconds: Math.min(asked.wait ?? 0, waitAnsweredSeconds),
          request,
        });
      },
      {
        version: ({ id, letter, preview, images }, caller) =>
          versionOf(events, caller, id, letter, preview === true, images === true),
      },
    ),

    answer(letterSource, async ({ asked, caller, request, refuse }) => {
      if (await isOfOtherSite(db, caller, asked.id)) return otherSite();
      const of = { userId: caller.userId, orderId: asked.id, letterId: asked.letter };
      const order = await orders.read(of);
      if (!order) return refuse("no activation");
      const letter = letterOf(order);
      if (!letter) return refuse("wait message");
      if (letter instanceof Refused) return letter;
      const source = await openSource(db, letter.letterId);
      return source
        ? download(sourceHeaders(idsOf(db).show(letter.letterId)), source, request)
        : refuse("no letter");
    }),
  ];
}

/** A letter is hostile: it is saved and never rendered. */
const sourceHeaders = (letterId: string) => ({
  "content-type": "text/plain",
  "content-disposition": `attachment; filename="letter-${letterId}.eml"`,
  "content-security-policy": "default-src 'none'; sandbox",
});

interface MessageAsk {
  /** Without a letter: the newest. */
  readonly order: { userId: bigint; orderId: bigint; letterId: bigint | undefined };
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

/** The letter that was asked for; undefined while none has come. */
function letterOf({ status, letters, messages }: Order): OrderLetter | Refused | undefined {
  if (status === "canceled" || status === "expired") return new Refused("activation canceled");
  return letters[0] ?? (messages ? new Refused("no letter") : undefined);
}

function messageOf(
  order: Order | undefined,
  { pictures, asDocument }: Pick<MessageAsk, "pictures" | "asDocument">,
): Outcome<typeof getMessage> | undefined {
  if (!order) return new Refused("no activation");
  const letter = letterOf(order);
  if (!letter || letter instanceof Refused) return letter;
  if (!asDocument) {
    const { notFromSite } = order;
    return {
      ...readLetter(letter, { pictures, messages: order.messages ?? 0 }),
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
  return {
    message: html,
    ...wireLetter(letter),
    attachments: letter.attachments,
    remote_images: remotePictures,
    messages,
  };
}
