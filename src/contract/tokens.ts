import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import {
  BudgetDay,
  DollarText,
  ExpiresAt,
  IdText,
  PriceMax,
  TokenId,
  TokenName,
  TokenSites,
  UnixSeconds,
} from "./fields.ts";

export const LimitedToken = z.object({
  id: IdText,
  name: z.string(),
  sites: z.optional(z.array(z.string())),
  price_max: z.optional(DollarText),
  budget_day: z.optional(DollarText),
  spent_today: DollarText,
  created_at: UnixSeconds,
  expires_at: z.optional(UnixSeconds),
});

export const tokens = endpoint({
  name: "tokens",
  method: "GET",
  path: "/user/tokens",
  access: "user",
  summary: "The account’s limited tokens",
  ask: {},
  reply: z.object({ data: z.array(LimitedToken) }),
  refusals: ["token"],
});

export const addToken = endpoint({
  name: "addToken",
  method: "POST",
  path: "/user/tokens/add",
  access: "active",
  summary: "Create a token for one program: it can only order and read, within limits; it is shown only once",
  ask: {
    name: TokenName,
    sites: TokenSites,
    price_max: PriceMax,
    budget_day: BudgetDay,
    expires_at: ExpiresAt,
  },
  reply: z.object({ token: z.string(), data: LimitedToken }),
  refusals: ["token", "name", "sites", "price_max", "budget_day", "expires_at", "too many"],
});

export const removeToken = endpoint({
  name: "removeToken",
  method: "POST",
  path: "/user/tokens/remove",
  access: "user",
  caution: "ends",
  summary: "Revoke a limited token: it stops working at once",
  ask: { id: TokenId },
  reply: z.object({}),
  refusals: ["token", "no token"],
});
