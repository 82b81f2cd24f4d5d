import type { QueryClient } from "@tanstack/react-query";
import type { Endpoints } from "../contract/api.ts";
import type { Reply } from "../contract/endpoint.ts";
import type { EventBody, ShopEvent } from "../contract/events.ts";

type List = Reply<Endpoints["activations"]>;
type Row = List["data"][number];

const gatherMilliseconds = 500;
/** What is read anew when an event of the name came: the event tells less than the page shows. */
const touched: Record<ShopEvent["name"], readonly string[]> = {
  activation: ["activations", "history", "timeline"],
  letter: ["activations", "history", "timeline", "letter"],
  balance: [],
  payment: ["payment", "payments"],
};

/** Keeps what the pages show true to the events: at once where an event says it all, by reading anew where not. */
export class EventCache {
  readonly #client: QueryClient;
  readonly #stale = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(client: QueryClient) {
    this.#client = client;
  }

  /** Shows what happened. */
  apply(event: ShopEvent): void {
    if (event.name === "balance") this.#client.setQueryData(["balance"], event.data.balance);
    if (event.name === "letter") this.#change((row) => withLetter(row, event.data));
    if (event.name === "activation") this.#change((row) => withState(row, event.data));
    for (const name of touched[event.name] ?? []) this.#stale.add(name);
    // The bonus of the bot comes with the confirmation, which no event of its own tells.
    if (event.name === "balance" && this.#isUnconfirmed()) this.#stale.add("account");
    // A program may order a thousand times a second: the page reads for all of them once.
    if (this.#stale.size > 0) this.#timer ??= setTimeout(() => this.#readStale(), gatherMilliseconds);
  }

  /** Something may have been missed: reads what is shown of all that events tell. */
  readAll(): void {
    for (const name of [...new Set(Object.values(touched).flat()), "balance", "account"])
      void this.#client.invalidateQueries({ queryKey: [name] });
  }

  close(): void {
    clearTimeout(this.#timer);
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
      // It is as old as before: a row was changed, the list was not read.
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

/** What was canceled or has expired stands in the list no more. */
function withState(row: Row, { activation_id, status }: EventBody<"activation">): Row | undefined {
  if (row.activation_id !== activation_id || row.status === status) return row;
  return status === -1 ? undefined : { ...row, status };
}
