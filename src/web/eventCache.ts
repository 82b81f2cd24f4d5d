import type { QueryClient } from "@tanstack/react-query";
import type { Endpoints } from "../contract/api.ts";
import type { Reply } from "../contract/endpoint.ts";
import type { EventBody, ShopEvent } from "../contract/events.ts";

type List = Reply<Endpoints["activations"]>;
type Row = List["data"][number];

const gatherMilliseconds = 500;
/** What to reload after each event: an event says less than the page shows. */
const touched: Partial<Record<ShopEvent["name"], readonly string[]>> = {
  activation: ["activations", "history", "timeline"],
  letter: ["activations", "history", "timeline", "letter"],
  refund: ["activations", "history", "timeline"],
  payment: ["payment", "payments"],
  backorder: ["backorders"],
};

/** Updates cached pages from events: at once where the event says all, by a reload otherwise. */
export class EventCache {
  readonly #client: QueryClient;
  readonly #stale = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(client: QueryClient) {
    this.#client = client;
  }

  apply(event: ShopEvent): void {
    if (event.name === "balance" || event.name === "refund") this.#setBalance(event.data.balance);
    if (event.name === "letter") this.#change((row) => withLetter(row, event.data));
    if (event.name === "activation") this.#change((row) => withState(row, event.data));
    for (const name of touched[event.name] ?? []) this.#stale.add(name);
    // The bot's bonus comes with the confirmation, which has no event of its own.
    if (event.name === "balance" && this.#isUnconfirmed()) this.#stale.add("account");
    // Gathers events: a program may order a thousand times a second.
    if (this.#stale.size > 0) this.#timer ??= setTimeout(() => this.#readStale(), gatherMilliseconds);
  }

  /** Reloads everything shown, after events may have been missed. */
  readAll(): void {
    for (const name of [...new Set(Object.values(touched).flat()), "balance", "account"])
      void this.#client.invalidateQueries({ queryKey: [name] });
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  /** A reading under way may be older than the event: it is given up. */
  #setBalance(balance: string): void {
    this.#client.setQueryData(["balance"], balance);
    void this.#client.cancelQueries({ queryKey: ["balance"] });
  }

  #isUnconfirmed(): boolean {
    const known = this.#client.getQueriesData<{ telegramConfirmed: boolean }>({ queryKey: ["account"] });
    return known.some(([, account]) => account?.telegramConfirmed === false);
  }

  #readStale(): void {
    const names = [...this.#stale];
    this.#stale.clear();
    this.#timer = undefined;
    for (const name of names) void this.#client.invalidateQueries({ queryKey: [name] });
  }

  #change(change: (row: Row) => Row | undefined): void {
    for (const query of this.#client.getQueryCache().findAll({ queryKey: ["activations"] })) {
      const list = query.state.data as List | undefined;
      const data = list?.data.map(change).filter((row) => row !== undefined);
      if (
        !list ||
        !data ||
        (data.length === list.data.length && data.every((row, at) => row === list.data[at]))
      )
        continue;
      // Keeps the time: a row changed, the list was not reloaded.
      const { dataUpdatedAt: updatedAt } = query.state;
      this.#client.setQueryData<List>(query.queryKey, { ...list, data }, { updatedAt });
    }
  }
}

function withLetter(row: Row, { activation_id, code, link, value }: EventBody<"letter">): Row {
  if (row.activation_id !== activation_id) return row;
  return {
    ...row,
    status: 1,
    ...(code !== undefined && { code }),
    ...(link !== undefined && { link }),
    ...(value !== undefined && { value }),
  };
}

/** Canceled and expired rows leave the list. */
function withState(row: Row, { activation_id, status }: EventBody<"activation">): Row | undefined {
  if (row.activation_id !== activation_id || row.status === status) return row;
  return status === -1 ? undefined : { ...row, status };
}
