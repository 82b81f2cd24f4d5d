// What narrows the two lists, as it stands in the address bar.
import { listSizes, pageSize, searchLengthMax } from "../../../contract/limits.ts";
import type { OrderState } from "../../../contract/order-states.ts";
import { cleanSite } from "../form/siteInput.ts";

const states: readonly OrderState[] = ["pending", "received", "canceled", "expired"];

export interface ListQuery {
  readonly search: string;
  readonly state: OrderState | "";
  readonly site: string;
  readonly domain: string;
  /** A day of the reader, as YYYY-MM-DD. */
  readonly since: string;
  readonly size: number;
}

const names = {
  search: "q",
  state: "state",
  site: "site",
  domain: "mail",
  since: "since",
  size: "rows",
} as const satisfies Record<keyof ListQuery, string>;

const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));

/** Reads the address; what is malformed counts as absent. */
export function queryOf(address: string): ListQuery {
  const given = new URLSearchParams(address);
  const text = (name: keyof ListQuery) => given.get(names[name]) ?? "";
  const since = text("since");
  return {
    search: text("search").slice(0, searchLengthMax),
    state: states.find((state) => state === text("state")) ?? "",
    site: cleanSite(text("site")),
    domain: text("domain").trim().toLowerCase(),
    since: isDay(since) ? since : "",
    size: listSizes.find((size) => String(size) === text("size")) ?? pageSize,
  };
}

/** The address with another query; leaves its other parameters alone. */
export function withQuery(address: string, change: Partial<ListQuery>): string {
  const given = new URLSearchParams(address);
  for (const [name, value] of Object.entries({ ...queryOf(address), ...change })) {
    const parameter = names[name as keyof ListQuery];
    if (value === "" || value === pageSize) given.delete(parameter);
    else given.set(parameter, String(value));
  }
  return given.size > 0 ? `?${given}` : "";
}

/** Filters without the search: how many are set. */
export const filtersIn = ({ state, site, domain, since }: ListQuery): number =>
  [state, site, domain, since].filter((value) => value !== "").length;

export const isNarrowed = (query: ListQuery): boolean => query.search.trim() !== "" || filtersIn(query) > 0;

export const noFilters = { state: "", site: "", domain: "", since: "" } as const;

/** The filters as the file and both lists take them. */
export function filtersOf({ state, site, domain, since }: ListQuery) {
  return {
    ...(state !== "" && { state }),
    ...(site !== "" && { site }),
    ...(domain !== "" && { domain }),
    // The beginning of the day where the reader is.
    ...(since !== "" && { since: Math.floor(new Date(`${since}T00:00`).getTime() / 1000) }),
  };
}

/** The same with search and size. Long pages come without the text of letters, which opens with the letter. */
export function askOf(query: ListQuery) {
  const search = query.search.trim();
  return {
    ...filtersOf(query),
    ...(search !== "" && { search }),
    ...(query.size > pageSize && { size: String(query.size) as "50" | "100", brief: 1 as const }),
  };
}
