// Proving anew who one is, for what a session alone must not do (docs/decisions/102).
import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { field, flag, flagged, optional, Password, UnixSeconds } from "../fields.ts";
import { FactorCode, Passkey } from "./factors.ts";

/** How a person can prove who it is. */
export const proofWays = ["password", "passkey", "app", "recovery"] as const;
export type ProofWay = (typeof proofWays)[number];

export const proof = endpoint({
  name: "proof",
  method: "GET",
  path: "/user/proof",
  access: "user",
  session: "begun",
  summary:
    "How the person of this session can prove again who it is (by a factor where the account has one; a browser answers passkey), and until when the last proof counts; signing in counts too",
  ask: {},
  reply: z.object({
    ways: z.array(z.literal(proofWays)),
    passkey: z.optional(z.looseObject({ challenge: z.string() })),
    proved_until: UnixSeconds,
  }),
});

export const ProvePassword = optional(
  Password.schema,
  "invalid password",
  "Password of the account, where that is the way",
  Password.form,
);

export const prove = endpoint({
  name: "prove",
  method: "POST",
  path: "/user/prove",
  access: "user",
  session: "begun",
  idempotent: true,
  summary:
    "Prove again who you are, with the password, or with a factor where the account has one: for ten minutes the session may do what needs that",
  ask: { password: ProvePassword, code: FactorCode, passkey: Passkey },
  reply: z.object({ proved_until: UnixSeconds }),
  refusals: ["invalid password", "invalid code", "invalid passkey"],
});

export const ProgramsOpen = field(
  flag,
  "open",
  "1: programs with the token of the account may add and change limited tokens and webhooks; 0: only a person may, who has proved who it is",
  flagged,
);

export const openToPrograms = endpoint({
  name: "openToPrograms",
  method: "POST",
  path: "/user/programs",
  access: "active",
  session: "proved",
  idempotent: true,
  summary:
    "Whether programs with the token of the account may add and change limited tokens and webhooks; of administrators they may not unless this says so",
  ask: { open: ProgramsOpen },
  reply: z.object({ open: z.boolean() }),
  refusals: ["open"],
});
