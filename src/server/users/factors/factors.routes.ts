import type { z } from "zod/mini";
import {
  addApp,
  addPasskey,
  askPasskey,
  authorizeFactor,
  beginApp,
  beginPasskey,
  type Factor as FactorReply,
  factors as listFactors,
  newRecoveryCodes,
  removeFactor,
} from "../../../contract/account/factors.ts";
import { now, unixSeconds } from "../../platform/clock.ts";
import { answer, Limited, type Route } from "../../platform/http/answer.ts";
import type { Limits } from "../../platform/http/rate-limits.ts";
import type { Users } from "../users.ts";
import type { Added, Factor } from "./factors.ts";

interface Services {
  readonly limits: Limits;
  readonly users: Users;
  /** Whether administrators must have a factor (ADMIN_SECOND_FACTOR). */
  readonly adminsNeedFactor: boolean;
}

export const factorRoutes = (services: Services): Route[] => [...own(services), ...signIn(services)];

function own({ limits, users, adminsNeedFactor }: Services): Route[] {
  const { factors } = users;
  return [
    answer(listFactors, async ({ caller }) => {
      const { factors: listed, recoveryLeft } = await factors.list(caller.userId);
      return {
        data: listed.map(factorReply),
        recovery_left: recoveryLeft,
        passkeys: factors.takesPasskeys,
        required: adminsNeedFactor && caller.admin,
      };
    }),

    answer(beginPasskey, async ({ caller, refuse }) => {
      const options = await factors.beginPasskey(caller.userId, now());
      return options === "no passkeys" ? refuse(options) : { options: { ...options } };
    }),

    answer(addPasskey, async ({ asked, caller: { userId, session }, request, refuse }) => {
      const added = await factors.addPasskey({ userId, session: session?.id, ...asked }, now(), request);
      return typeof added === "string" ? refuse(added) : addedReply(added);
    }),

    answer(beginApp, async ({ caller }) => factors.beginApp(caller.userId, now())),

    answer(addApp, async ({ asked, caller: { userId, session }, request, refuse }) => {
      const at = now();
      const wait = await limits.take("tries", triesOfFactor(userId, request.address, "home"), at);
      if (wait !== undefined) return new Limited(wait);
      const added = await factors.addApp({ userId, session: session?.id, ...asked }, at, request);
      return typeof added === "string" ? refuse(added) : addedReply(added);
    }),

    answer(removeFactor, async ({ asked, caller, request, refuse }) => {
      const removed = await factors.remove(caller.userId, asked.id, now(), request);
      return removed === "removed" ? {} : refuse(removed);
    }),

    answer(newRecoveryCodes, async ({ caller, refuse }) => {
      const codes = await factors.renewRecovery(caller.userId, now());
      return codes === "no factor" ? refuse(codes) : { recovery_codes: [...codes] };
    }),
  ];
}

/** Apart from tries of mailed codes, so that neither uses up the other. */
export const triesOfFactor = (userId: bigint, address: string, whence: "home" | "stranger") => ({
  account: `factor ${userId}`,
  address,
  whence,
});

function signIn({ limits, users }: Services): Route[] {
  const { factors } = users;
  return [
    answer(askPasskey, async ({ request: { address }, refuse }) => {
      const at = now();
      const wait = await limits.take("login", { address }, at);
      if (wait !== undefined) return new Limited(wait);
      const options = await factors.askPasskey(at);
      return options === "no passkeys" ? refuse(options) : { options: { ...options } };
    }),

    answer(authorizeFactor, async ({ asked, request, refuse }) => {
      const at = now();
      const { address } = request;
      const waiting = await factors.waiting(asked, at);
      if (!waiting) return refuse("ticket");
      const { userId: known } = waiting;
      const whence = known !== null && (await users.isAtHome(known, address, at)) ? "home" : "stranger";
      // A passkey cannot be guessed: without an account only its network is counted.
      const who = known === null ? { address } : triesOfFactor(known, address, whence);
      const wait = await limits.take("tries", who, at);
      if (wait !== undefined) return new Limited(wait);
      const entered = await factors.enter(asked, at, request);
      if (typeof entered === "string") return refuse(entered);
      const { userId, kind } = entered;
      await limits.forgive("tries", who);
      // Its question was counted as a sign-in.
      if (known === null) await limits.forgive("login", who);
      const { email } = await users.information(userId);
      await users.signedIn(userId, email, request, at);
      const token = await users.sessions.begin(
        userId,
        kind === "passkey" ? "passkey" : "password",
        request,
        at,
      );
      const left = kind === "recovery" ? (await factors.list(userId)).recoveryLeft : undefined;
      return {
        message: "authorized",
        data: { token },
        ...(left !== undefined && { recovery_left: left }),
      };
    }),
  ];
}

const factorReply = ({ id, kind, name, createdAt, usedAt }: Factor): z.input<typeof FactorReply> => ({
  id: String(id),
  kind,
  name,
  created_at: unixSeconds(createdAt),
  ...(usedAt && { used_at: unixSeconds(usedAt) }),
});

const addedReply = ({ factor, recoveryCodes }: Added) => ({
  data: factorReply(factor),
  ...(recoveryCodes && { recovery_codes: [...recoveryCodes] }),
});
