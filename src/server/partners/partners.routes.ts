import { addReferralWord, statsReferral, statsSoft } from "../../contract/partners.ts";
import { answer, type Route } from "../platform/http/answer.ts";
import { now } from "../platform/clock.ts";
import { daysOnWire } from "../ledger/ledger.ts";
import type { Users } from "../users/users.ts";
import type { Partners } from "./partners.ts";

interface Services {
  readonly partners: Partners;
  readonly users: Pick<Users, "identifiers">;
}

export function partnerRoutes({ partners, users }: Services): Route[] {
  return [
    answer(addReferralWord, async ({ asked, caller, request, refuse }) => {
      if (!caller.active) return refuse("account not activated");
      const at = now();
      const chosen = await partners.chooseWord(caller.userId, asked.word, at);
      if (typeof chosen === "string") return refuse(chosen);
      // Also notes long sessions, which never log in again.
      await users.identifiers.note(caller.userId, { address: request.address }, at);
      return { success: true as const, ...chosen };
    }),
    answer(statsReferral, async ({ caller }) => ({
      data: daysOnWire(await partners.days(caller.userId, "referrals")),
    })),
    answer(statsSoft, async ({ caller }) => ({
      data: daysOnWire(await partners.days(caller.userId, "soft")),
    })),
  ];
}
