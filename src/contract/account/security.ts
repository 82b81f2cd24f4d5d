import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { optional, UnixSeconds } from "../fields.ts";

/** Calls that open an account, or change who may enter it. Each is logged and counted, and kept for ninety days. */
export const securityCalls = [
  "authorize",
  "registration",
  "activate",
  "sendCodeReset",
  "changePassword",
  "disown",
  "setPassword",
  "changeEmail",
  "confirmEmail",
  "ownData",
  "closeAccount",
  "signOut",
  "endSession",
  "endOtherSessions",
  "replaceToken",
  "addToken",
  "removeToken",
  "addWebhook",
  "changeWebhook",
  "replaceWebhookSecret",
  "telegramLink",
  "prove",
  "openToPrograms",
  "grantRole",
  "authorizeFactor",
  "addPasskey",
  "addApp",
  "removeFactor",
  "newRecoveryCodes",
  "resetFactors",
] as const;
export type SecurityCall = (typeof securityCalls)[number];

export const BeforeEvent = optional(
  z.pipe(
    z.string().check(z.regex(/^[0-9]{1,15}\.[0-9]{1,18}$/)),
    z.transform((cursor: string) => {
      const [at = "", id = ""] = cursor.split(".");
      return { at: new Date(Number(at)), id: BigInt(id) };
    }),
  ),
  "before",
  "Where the next page begins: `next` of the previous page",
  { kind: "cursor" },
);

/** `refused` is the value of the refusal. What it does not say is not known. */
export const SecurityEvent = z.object({
  at: UnixSeconds,
  call: z.string(),
  refused: z.optional(z.string()),
  network: z.optional(z.string()),
  program: z.optional(z.string()),
});

/** Beyond the specification. */
export const securityEvents = endpoint({
  name: "securityEvents",
  method: "GET",
  path: "/user/security",
  access: "user",
  session: "begun",
  summary:
    "What concerned the security of the account in the last 90 days, newest first: sign-ins, failures, changes; call is the name of the call, refused the value of its refusal; 50 at a time",
  ask: { before: BeforeEvent },
  reply: z.object({ data: z.array(SecurityEvent), next: z.optional(z.string()) }),
  refusals: ["before"],
});
