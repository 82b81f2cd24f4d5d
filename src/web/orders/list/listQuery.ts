// What narrows the two lists, as it stands in the address bar.
import { listSizes, pageSize, searchLengthMax } from "../../../contract/limits.ts";
import { type OrderState, orderStates } from "../../../contract/order-states.ts";
import { withParameters } from "../../period/addressQuery.ts";
import { hasPeriod, instantsOf, noPeriod, type Period, periodIn } from "../../period/period.ts";
import { cleanSite } from "../form/siteInput.ts";

export interface ListQuery extends Period {
  readonly search: string;
  readonly state: OrderState | "";
  readonly site: string;
  readonly domain: string;
  readonly size: number;
}

/** Reads the address; what is malformed counts as absent. */
export function queryOf(address: string): ListQuery {
  const given = new URLSearchParams(address);
  const text = (name: string) => given.get(name) ?? "";
  return {
    search: text("q").slice(0, searchLengthMax),
    state: orderStates.find((state) => state === text("state")) ?? "",
    site: cleanSite(text("site")),
    domain: text("mail").trim().toLowerCase(),
    ...periodIn(given),
    size: listSizes.find((size) => String(size) === text("rows")) ?? pageSize,
  };
}

/** The address with another query; leaves its other parameters alone. */
export function withQuery(address: string, change: Partial<ListQuery>): string {
  const { search, state, site, domain, since, until, size } = { ...queryOf(address), ...change };
  const rows = size === pageSize ? "" : String(size);
  return withParameters(address, { q: search, state, site, mail: domain, since, until, rows });
}

/** Filters without the search: how many are set. */
export const filtersIn = (query: ListQuery): number =>
  [query.state !== "", query.site !== "", query.domain !== "", hasPeriod(query)].filter(Boolean).length;

export const isNarrowed = (query: ListQuery): boolean => query.search.trim() !== "" || filtersIn(query) > 0;

export const noFilters = { state: "", site: "", domain: "", ...noPeriod } as const;

/** The filters as the file and both lists take them. */
export function filtersOf({ state, site, domain, since, until }: ListQuery) {
  return {
    ...instantsOf({ since, until }),
    ...(state !== "" && { state }),
    ...(site !== "" && { site }),
    ...(domain !== "" && { domain }),
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
