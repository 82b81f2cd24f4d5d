import { telegramLink } from "../../contract/users.ts";
import { answer, Limited, type Route } from "../platform/http/answer.ts";
import { now, unixSeconds } from "../platform/clock.ts";
import type { Limits } from "../platform/http/rate-limits.ts";
import type { Bot } from "./bot.ts";

interface Services {
  readonly limits: Limits;
  /** Undefined: this shop has no bot. */
  readonly bot: Pick<Bot, "link"> | undefined;
}

export function botRoutes({ limits, bot }: Services): Route[] {
  return [
    answer(telegramLink, async ({ caller, request, refuse }) => {
      if (!bot) return refuse("no bot");
      const who = { account: String(caller.userId), address: request.address };
      const wait = await limits.take("links to the bot", who, now());
      if (wait !== undefined) return new Limited(wait);
      const made = await bot.link(caller.userId);
      if (typeof made === "string") return refuse(made);
      return { data: { link: made.link, expires_at: unixSeconds(made.expiresAt) } };
    }),
  ];
}
