// The client of a Postern shop: Node.js from 20.3, Deno, Bun, browsers. Names are those of the API; what the client adds is in camelCase.
import type { CallName } from "./call.ts";
import {
  followEvents,
  followLetters,
  type FollowedEvent,
  type FollowOptions,
  type NewLetter,
} from "./events.ts";
import { type Letter, waitForLetter, type WaitOptions } from "./letters.ts";
import { cancel, type Canceled, Order, reorder } from "./order.ts";
import { askShop, type CallOptions, type Shop } from "./shop.ts";
import type { Calls } from "./wire.ts";

export { PosternError, type PosternErrorValue } from "./refusal.ts";
export type { Alternative, WayOut } from "./request.ts";
export { verifyWebhook, WebhookError, type WebhookMessage } from "./webhook.ts";
export type { ShopEvent, TokenLimit } from "./wire.ts";
export type {
  CallName,
  CallOptions,
  Calls,
  Canceled,
  FollowedEvent,
  FollowOptions,
  Letter,
  NewLetter,
  Order,
  WaitOptions,
};

export interface PosternOptions {
  /** The account's token; a limited one is safer. */
  token: string;
  /** Such as https://shop.example. */
  url: string;
  /** How often a call is tried again where that is safe. */
  retries?: number;
  /** For one answer; a call that waits for a letter gets its waiting time on top. */
  timeoutSeconds?: number;
  /** Another `fetch`, for example through a proxy. */
  fetch?: typeof fetch;
}

type OrderAsk = Omit<Calls["orderEmail"]["ask"], "quantity">;

/** `refused` says why there are fewer orders than asked for. */
export interface Orders {
  orders: Order[];
  balance: string;
  refused?: string | undefined;
}

/** A shop with the token of an account. Calls throw a PosternError with the shop's `value`, or the reason of an aborted signal. */
export class Postern {
  readonly #shop: Shop;

  constructor({ token, url, retries = 3, timeoutSeconds = 30, fetch = globalThis.fetch }: PosternOptions) {
    if (!token) throw new TypeError("A Postern needs a token: it is on the shop's dashboard.");
    if (!URL.canParse(url)) throw new TypeError(`A Postern needs the url of the shop, not ${url}.`);
    this.#shop = { url: url.replace(/\/+$/, ""), token, retries, timeoutSeconds, fetch };
  }

  /** Makes any call of the API that answers JSON, by its name in the documentation. */
  ask<Name extends Exclude<CallName, "events" | "statementFile" | "historyFile" | "letterSource">>(
    name: Name,
    ask: Calls[Name]["ask"],
    options?: CallOptions,
  ): Promise<Calls[Name]["reply"]> {
    return askShop(this.#shop, name, ask, options);
  }

  /** The exact balance in dollars, as text. */
  async balance(options?: CallOptions): Promise<string> {
    return (await this.ask("balance", {}, options)).balance;
  }

  /** The mail domains for a site, with stock and price. */
  async quantity(
    ask: Calls["quantity"]["ask"],
    options?: CallOptions,
  ): Promise<Calls["quantity"]["reply"]["data"]> {
    return (await this.ask("quantity", ask, options)).data;
  }

  /** Orders an address. A repeated try is the same order and is charged once. */
  async order(ask: OrderAsk, options?: CallOptions): Promise<Order> {
    const ordered = await this.ask("orderEmail", ask, options);
    if ("data" in ordered) throw new Error("one order was answered by a list");
    return new Order(this.#shop, ordered);
  }

  /** Orders up to ten addresses: as many as there are and the balance covers. */
  async orderSeveral(ask: OrderAsk & { quantity: number }, options?: CallOptions): Promise<Orders> {
    const ordered = await this.ask("orderEmail", ask, options);
    if (!("data" in ordered)) throw new Error("several orders were answered by one");
    const { data, balance, refused } = ordered;
    return { orders: data.map((each) => new Order(this.#shop, each)), balance, refused };
  }

  /** Waits for another letter at an address that received one, given by `id` or by `email` and `site`. */
  reorder(ask: Calls["reorderEmail"]["ask"], options?: CallOptions): Promise<Order> {
    return reorder(this.#shop, ask, options);
  }

  /** Waits for the newest letter of an order. */
  waitForLetter(id: string, options?: WaitOptions): Promise<Letter> {
    return waitForLetter(this.#shop, id, options);
  }

  /** Each letter of the account as it comes: `for await (const letter of postern.letters())`. */
  letters(options?: FollowOptions): AsyncGenerator<NewLetter, void, undefined> {
    return followLetters(this.#shop, options);
  }

  /** What happens to the account: orders, letters, money. */
  events(options?: FollowOptions): AsyncGenerator<FollowedEvent, void, undefined> {
    return followEvents(this.#shop, options);
  }

  /** Cancels an order without a letter; the price is refunded. */
  cancel(id: string, options?: CallOptions): Promise<Canceled> {
    return cancel(this.#shop, id, options);
  }

  /** One page of all orders, newest first, grouped by day; the first page is 1. */
  history(page = 1, options?: CallOptions): Promise<Calls["history"]["reply"]> {
    return this.ask("history", { offset: page }, options);
  }
}
