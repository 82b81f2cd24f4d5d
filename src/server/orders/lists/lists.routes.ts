import type { z } from "zod/mini";
import type { Asked } from "../../../contract/endpoint.ts";
import { historyStatus } from "../../../contract/order-states.ts";
import {
  activations,
  type Activation,
  history,
  historyFile,
  type HistoryItem,
} from "../../../contract/orders.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import type { Events } from "../../events/events.ts";
import { showLetter } from "../../letters/letters.ts";
import { now, momentOf, unixSeconds } from "../../platform/clock.ts";
import type { Db } from "../../platform/db/db.ts";
import { idsOf } from "../../platform/ids.ts";
import { answer, type Caller, mayUse, type Route } from "../../platform/http/answer.ts";
import { download } from "../../platform/http/download.ts";
import type { Captcha } from "../../platform/http/captcha.ts";
import { usdNumber } from "../../platform/money.ts";
import { csvOf } from "./lists.csv.ts";
import { withOwnIds } from "./lists.ts";
import type { Filters, ListAsk, Order, OrderLetter, Orders } from "../orders.ts";
import { found, noted, wireLetter, wireOrder } from "../orders.wire.ts";

interface Services {
  readonly captcha: Pick<Captcha, "verify">;
  readonly events: Pick<Events, "revision">;
  readonly orders: Orders;
  readonly catalog: Catalog;
  readonly db: Db;
}

/** An ETag per question: stable while nothing of the account changes; a token for some sites has its own. */
export async function versionOf(
  events: Services["events"],
  { userId, limits }: Caller,
  ...question: unknown[]
): Promise<string> {
  const reader = limits?.siteIds ? `${userId}t${limits.tokenId}` : userId;
  return [reader, await events.revision(userId), ...question].join(".");
}

export function listRoutes({ captcha, catalog, db, events, orders }: Services): Route[] {
  const asking = async (asked: Asked<typeof history>, caller: Caller): Promise<ListAsk> => ({
    ...(await filtersOf(catalog, asked)),
    size: asked.size,
    search: asked.search && (await withOwnIds(db, caller.userId, asked.search)),
    onlySites: caller.limits?.siteIds,
  });
  return [
    answer(
      activations,
      async ({ asked, caller, request, refuse }) => {
        // A log-in with a token in the page: programs send no captcha, but a wrong one is refused.
        if (asked.captcha !== undefined && !(await captcha.verify(asked.captcha, request.address)))
          return refuse("captcha");
        const ask = await asking({ ...asked, offset: undefined }, caller);
        const { orders: listed, ...more } = await orders.activations(caller.userId, asked.page ?? 1, ask);
        const show = asked.brief === true ? withoutBody : activationOf;
        return { data: listed.map(seenBy(caller)).map(show), ...more };
      },
      {
        version: ({ captcha: _captcha, page, ...asked }, caller) =>
          versionOf(events, caller, page ?? 1, questionOf(asked)),
      },
    ),

    answer(
      history,
      async ({ asked, caller }) => {
        const ask = await asking(asked, caller);
        const {
          orders: listed,
          nextPage,
          ...more
        } = await orders.history(caller.userId, asked.offset ?? 1, ask);
        const days = byDay(listed.map(seenBy(caller)), asked.brief === true);
        return { data: days, next_page: nextPage, ...more };
      },
      {
        version: ({ offset, ...asked }, caller) => versionOf(events, caller, offset ?? 1, questionOf(asked)),
      },
    ),

    answer(historyFile, async ({ asked, caller, request }) => {
      const pages = orders.every(caller.userId, await filtersOf(catalog, asked));
      const headers = {
        "content-type": "text/csv; charset=utf-8; header=present",
        "content-disposition": `attachment; filename="activations-${now().toISOString().slice(0, 10)}.csv"`,
      };
      return download(headers, csvOf(pages, idsOf(db)), request);
    }),
  ];
}

/** Words may hold anything; a header may not. */
const questionOf = (asked: object): string => {
  const given = Object.entries(asked).filter(([, value]) => value !== undefined);
  return given.length === 0 ? "" : encodeURIComponent(JSON.stringify(given));
};

async function filtersOf(
  catalog: Catalog,
  { state, site, domain, since, until }: Asked<typeof historyFile>,
): Promise<Filters> {
  return {
    state,
    siteId: site === undefined ? undefined : await siteIdOf(catalog, site),
    domainId: domain === undefined ? undefined : await domainIdOf(catalog, domain),
    since: momentOf(since),
    until: momentOf(until),
  };
}

async function siteIdOf(catalog: Catalog, text: string): Promise<number> {
  const site = await catalog.siteOf(text);
  return "id" in site ? site.id : 0;
}

async function domainIdOf(catalog: Catalog, text: string): Promise<number> {
  const name = text.toLowerCase();
  return (await catalog.domains()).find((domain) => domain.name === name)?.id ?? 0;
}

/** Lists are the account's; a token for some sites sees no letters and notes of others. */
const seenBy = (caller: Caller) => (order: Order) =>
  mayUse(caller, order.siteId) ? order : { ...order, note: null, letters: [] };

/** Lists are polled: a letter's own pictures, which may be large, come when it is read. */
const inList = (letter: OrderLetter) => showLetter(letter, "none").html;

function withoutBody(order: Order): z.input<typeof Activation> {
  const [letter] = order.letters;
  return {
    ...wireOrder(order),
    message: "",
    attachments: [],
    ...(letter && { ...wireLetter(letter), ...found(letter) }),
  };
}

function activationOf(order: Order): z.input<typeof Activation> {
  const [letter] = order.letters;
  return {
    ...withoutBody(order),
    message: letter ? inList(letter) : "",
    attachments: letter?.attachments ?? [],
  };
}

function byDay(listed: Order[], isBrief: boolean): Record<string, z.input<typeof HistoryItem>[]> {
  const days: Record<string, z.input<typeof HistoryItem>[]> = {};
  for (const order of listed)
    (days[order.createdAt.toISOString().slice(0, 10)] ??= []).push(historyItemOf(order, isBrief));
  return days;
}

function historyItemOf(order: Order, isBrief: boolean): z.input<typeof HistoryItem> {
  const { status, letters } = order;
  const [letter] = letters;
  return {
    id: String(order.orderId),
    from: order.site,
    email: order.email,
    status: historyStatus[status],
    ...((status === "canceled" || status === "expired") && { ended: status }),
    messages: letters.map((each) => (isBrief ? "" : inList(each))),
    letters: letters.map((each) => ({
      ...wireLetter(each),
      attachments: isBrief ? [] : each.attachments,
    })),
    price: usdNumber(order.price),
    ...noted(order),
    created_at: unixSeconds(order.createdAt),
    received_at: unixSeconds(letter?.arrivedAt ?? order.createdAt),
  };
}
