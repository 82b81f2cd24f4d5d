import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import {
  BudgetDay,
  DollarText,
  ExpiresAt,
  IdText,
  PriceMax,
  SessionId,
  TokenId,
  TokenName,
  TokenSites,
  UnixSeconds,
} from "./fields.ts";

/** A sign-in in a browser. What it does not say is not known. */
export const Session = z.object({
  id: IdText,
  own: z.boolean(),
  way: z.string(),
  program: z.optional(z.string()),
  network: z.optional(z.string()),
  created_at: UnixSeconds,
  used_at: UnixSeconds,
});

/** Beyond the specification, like the two below: for people, who list and end where they are signed in. */
export const sessions = endpoint({
  name: "sessions",
  method: "GET",
  path: "/user/sessions",
  access: "user",
  session: "begun",
  summary:
    "Where the account is signed in, the newest use first: program and network as far as they are known, how, first and last use (noted every five minutes); own is the session that asks",
  ask: {},
  reply: z.object({ data: z.array(Session) }),
});

export const endSession = endpoint({
  name: "endSession",
  method: "POST",
  path: "/user/sessions/end",
  access: "user",
  session: "begun",
  caution: "ends",
  summary: "End one session: its token stops working at once",
  ask: { id: SessionId },
  reply: z.object({}),
  refusals: ["no session"],
});

export const endOtherSessions = endpoint({
  name: "endOtherSessions",
  method: "POST",
  path: "/user/sessions/endothers",
  access: "user",
  session: "begun",
  caution: "ends",
  summary: "End all sessions but the one that asks; programs keep their tokens",
  ask: {},
  reply: z.object({ ended: z.int() }),
});

/** With the token of a program it ends nothing: what a program holds is replaced or revoked. */
export const signOut = endpoint({
  name: "signOut",
  method: "POST",
  path: "/user/signout",
  access: "user",
  caution: "ends",
  clears: true,
  idempotent: true,
  summary: "Sign out: end the session whose token the call carries; the token of a program goes on working",
  ask: {},
  reply: z.object({ ended: z.boolean() }),
});

export const LimitedToken = z.object({
  id: IdText,
  name: z.string(),
  sites: z.optional(z.array(z.string())),
  price_max: z.optional(DollarText),
  budget_day: z.optional(DollarText),
  spent_today: DollarText,
  created_at: UnixSeconds,
  expires_at: z.optional(UnixSeconds),
  used_at: z.optional(UnixSeconds),
});

export const tokens = endpoint({
  name: "tokens",
  method: "GET",
  path: "/user/tokens",
  access: "user",
  summary:
    "The account’s limited tokens; used_at is the last use of each, and of the account’s own token (noted every five minutes); open says whether that token may add and change them and webhooks, or only its person",
  ask: {},
  reply: z.object({
    data: z.array(LimitedToken),
    open: z.boolean(),
    used_at: z.optional(UnixSeconds),
  }),
});

export const addToken = endpoint({
  name: "addToken",
  method: "POST",
  path: "/user/tokens/add",
  access: "active",
  session: "where closed",
  summary: "Create a token for one program: it can only order and read, within limits; it is shown only once",
  ask: {
    name: TokenName,
    sites: TokenSites,
    price_max: PriceMax,
    budget_day: BudgetDay,
    expires_at: ExpiresAt,
  },
  reply: z.object({ token: z.string(), data: LimitedToken }),
  refusals: ["name", "sites", "price_max", "budget_day", "expires_at", "too many"],
});

export const removeToken = endpoint({
  name: "removeToken",
  method: "POST",
  path: "/user/tokens/remove",
  access: "user",
  session: "where closed",
  caution: "ends",
  summary: "Revoke a limited token: it stops working at once",
  ask: { id: TokenId },
  reply: z.object({}),
  refusals: ["no token"],
});
