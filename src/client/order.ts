import { type Letter, waitForLetter, type WaitOptions } from "./letters.ts";
import { PosternError } from "./refusal.ts";
import { askShop, type CallOptions, type Shop } from "./shop.ts";
import type { Calls } from "./wire.ts";

type Ordered = Calls["reorderEmail"]["reply"];

export type Filters = Pick<
  Calls["reorderEmail"]["ask"],
  "subject" | "regex" | "max_price" | "note" | "client_order_id"
>;

/** One order. Its fields are those of the API's answer. */
export class Order implements Ordered {
  readonly id: string;
  readonly email: string;
  readonly site: string;
  readonly domain: string;
  /** In dollars. */
  readonly price: number;
  /** In dollars, after the order. */
  readonly balance: string;
  /** Unix seconds. */
  readonly expires_at: number;
  readonly #shop: Shop;

  constructor(shop: Shop, ordered: Ordered) {
    this.#shop = shop;
    this.id = ordered.id;
    this.email = ordered.email;
    this.site = ordered.site;
    this.domain = ordered.domain;
    this.price = ordered.price;
    this.balance = ordered.balance;
    this.expires_at = ordered.expires_at;
  }

  /** Waits for the newest letter: `code`, `link`, what `regex` found as `value`, and the HTML. */
  waitForLetter(options?: WaitOptions): Promise<Letter> {
    return waitForLetter(this.#shop, this.id, options);
  }

  /** Changes the note of the order; an empty one removes it. */
  async setNote(note: string, options?: CallOptions): Promise<void> {
    await askShop(this.#shop, "noteOrder", { id: this.id, note }, options);
  }

  /** Cancels the order and refunds its price, while no letter has come. */
  cancel(options?: CallOptions): Promise<Canceled> {
    return cancel(this.#shop, this.id, options);
  }

  /** Orders another letter at the same address. */
  reorder(filters: Filters = {}, options?: CallOptions): Promise<Order> {
    return reorder(this.#shop, { ...filters, id: this.id }, options);
  }
}

/** The balance after the refund, in dollars. */
export type Canceled = { balance: string };

/** Cancels an order; succeeds too if an earlier try, whose answer was lost, canceled it. */
export async function cancel(shop: Shop, id: string, options: CallOptions = {}): Promise<Canceled> {
  try {
    const { balance } = await askShop(shop, "cancelEmail", { id }, options);
    return { balance };
  } catch (error) {
    const isDone = error instanceof PosternError && error.value === "activation already canceled";
    if (!isDone || error.tries === 1) throw error;
    const { balance } = await askShop(shop, "balance", {}, options);
    return { balance };
  }
}

export async function reorder(
  shop: Shop,
  ask: Calls["reorderEmail"]["ask"],
  options?: CallOptions,
): Promise<Order> {
  return new Order(shop, await askShop(shop, "reorderEmail", ask, options));
}
