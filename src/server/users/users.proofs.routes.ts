import { openToPrograms, proof, prove, type ProofWay } from "../../contract/account/proof.ts";
import { proofSeconds } from "../../contract/limits.ts";
import { now, secondsAfter, unixSeconds } from "../platform/clock.ts";
import { answer, Limited, type Route } from "../platform/http/answer.ts";
import type { Limits } from "../platform/http/rate-limits.ts";
import { entering, unlessBusy } from "./users.routes.ts";
import type { Users } from "./users.ts";

interface Services {
  readonly users: Users;
  readonly limits: Limits;
}

/** How the person of an account can prove who it is. */
const waysOf = async (): Promise<ProofWay[]> => ["password"];

/** Proving anew who one is, and whether programs may do what is asked a proof for. */
export function proofRoutes({ users, limits }: Services): Route[] {
  const until = (provedAt: Date) => unixSeconds(secondsAfter(provedAt, proofSeconds));
  return [
    answer(proof, async ({ caller: { session }, refuse }) =>
      session ? { ways: await waysOf(), proved_until: until(session.provedAt) } : refuse("session"),
    ),

    answer(prove, ({ asked: { password }, caller: { userId, session }, request, refuse }) =>
      unlessBusy(async () => {
        if (!session) return refuse("session");
        if (password === undefined) return refuse("invalid password");
        const { email } = await users.information(userId);
        // As a sign-in: who found an open page, or a session, guesses the password no faster here.
        const who = await entering(users, email, request.address);
        const wait = await limits.take("login", who, now());
        if (wait !== undefined) return new Limited(wait);
        const found = await users.authorize({ email, password });
        if (typeof found === "string") return refuse("invalid password");
        await limits.forgive("login", who);
        const at = now();
        const isThere = await users.sessions.prove(userId, session.id, at);
        return isThere ? { proved_until: until(at) } : refuse("token");
      }),
    ),

    answer(openToPrograms, async ({ asked: { open }, caller: { userId } }) => {
      await users.setOpen(userId, open);
      return { open };
    }),
  ];
}
