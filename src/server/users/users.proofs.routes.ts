import { openToPrograms, proof, prove } from "../../contract/account/proof.ts";
import { proofSeconds } from "../../contract/limits.ts";
import { now, secondsAfter, unixSeconds } from "../platform/clock.ts";
import { answer, Limited, type RequestFacts, type Route } from "../platform/http/answer.ts";
import type { Limits } from "../platform/http/rate-limits.ts";
import { triesOfFactor } from "./factors/factors.routes.ts";
import { entering, unlessBusy } from "./users.routes.ts";
import type { Users } from "./users.ts";

interface Services {
  readonly users: Users;
  readonly limits: Limits;
}

/** Proving anew who one is, and whether programs may do what is asked a proof for. */
export function proofRoutes(services: Services): Route[] {
  const { users } = services;
  const until = (provedAt: Date) => unixSeconds(secondsAfter(provedAt, proofSeconds));
  return [
    answer(proof, async ({ caller: { userId, session }, refuse }) => {
      if (!session) return refuse("session");
      // By the password alone where there is no factor.
      const factor = await users.factors.ask(userId, "prove", now());
      return {
        ways: factor ? [...factor.kinds] : ["password" as const],
        ...(factor?.passkey && { passkey: { ...factor.passkey } }),
        proved_until: until(session.provedAt),
      };
    }),

    answer(prove, ({ asked, caller: { userId, session }, request, refuse }) =>
      unlessBusy(async () => {
        if (!session) return refuse("session");
        const proves = (await users.factors.has(userId)) ? byFactor : byPassword;
        const refused = await proves(services, { userId, ...asked }, request);
        if (refused instanceof Limited) return refused;
        if (refused) return refuse(refused);
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

type Given = Readonly<Partial<Record<"password" | "code" | "passkey", string | undefined>>> & {
  readonly userId: bigint;
};

/** As a sign-in: who found an open page, or a session, guesses the password no faster here. */
async function byPassword(
  { users, limits }: Services,
  { userId, password }: Given,
  { address }: RequestFacts,
): Promise<"invalid password" | Limited | undefined> {
  if (password === undefined) return "invalid password";
  const { email } = await users.information(userId);
  const who = await entering(users, email, address);
  const wait = await limits.take("login", who, now());
  if (wait !== undefined) return new Limited(wait);
  const found = await users.authorize({ email, password });
  if (typeof found === "string") return "invalid password";
  await limits.forgive("login", who);
  return undefined;
}

async function byFactor(
  { users, limits }: Services,
  { userId, code, passkey }: Given,
  request: RequestFacts,
): Promise<"invalid code" | "invalid passkey" | Limited | undefined> {
  const at = now();
  const who = triesOfFactor(userId, request.address, "home");
  const wait = await limits.take("tries", who, at);
  if (wait !== undefined) return new Limited(wait);
  const proved = await users.factors.verify(userId, { code, passkey }, at, request);
  if (proved !== "ok") return proved;
  await limits.forgive("tries", who);
  return undefined;
}
