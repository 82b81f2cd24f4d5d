import type { Endpoints } from "../../contract/api.ts";
import type { Asking, Reply } from "../../contract/endpoint.ts";

export type LimitedToken = Reply<Endpoints["tokens"]>["data"][number];

export interface TokenDraft {
  name: string;
  sites: string;
  priceMax: string;
  budgetDay: string;
  /** 0: no end. */
  days: number;
}

export const emptyDraft: TokenDraft = { name: "", sites: "", priceMax: "", budgetDay: "", days: 0 };

export const lifeDays = [0, 1, 7, 30, 90, 365] as const;

const secondsPerDay = 24 * 60 * 60;

/** The parameters of the call; an empty field sets no limit. */
export function askOf(draft: TokenDraft, nowSeconds: number): Asking<Endpoints["addToken"]> {
  return {
    name: draft.name.trim(),
    sites: draft.sites
      .split(/[\s,;]+/)
      .filter((site) => site !== "")
      .join(","),
    price_max: draft.priceMax,
    budget_day: draft.budgetDay,
    expires_at: draft.days === 0 ? undefined : Math.floor(nowSeconds) + draft.days * secondsPerDay,
  };
}

/** Keeps digits and one decimal point; accepts a comma for it. */
export function typedDollars(text: string): string {
  const [whole = "", ...rest] = text
    .replaceAll(",", ".")
    .replace(/[^0-9.]/g, "")
    .split(".");
  return rest.length === 0 ? whole : `${whole || "0"}.${rest.join("").slice(0, 8)}`;
}
