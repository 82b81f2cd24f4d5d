import { captchaChallenge } from "../contract/users.ts";
import type { Reply } from "../contract/endpoint.ts";
import type { Bot } from "./bot/bot.ts";
import { botRoutes } from "./bot/bot.routes.ts";
import { eventRoutes } from "./events/events.routes.ts";
import { answer, type Route } from "./platform/http/answer.ts";
import type { Edge } from "./platform/http/mount.ts";
import { investorRoutes } from "./investors/investors.routes.ts";
import { statementRoutes } from "./ledger/ledger.routes.ts";
import { newsRoutes } from "./news/news.routes.ts";
import { actRoutes } from "./office/office.acts.routes.ts";
import { lookRoutes } from "./office/office.letters.routes.ts";
import { officeRoutes } from "./office/office.routes.ts";
import { orderRoutes } from "./orders/orders.routes.ts";
import { shareRoutes } from "./orders/orders.shares.routes.ts";
import { timelineRoutes } from "./orders/orders.timeline.routes.ts";
import { partnerAdminRoutes } from "./partners/partners.admin.routes.ts";
import { partnerRoutes } from "./partners/partners.routes.ts";
import { chainRoutes } from "./payments/payments.chains.routes.ts";
import { paymentRoutes } from "./payments/payments.routes.ts";
import type { Rooms } from "./rooms.ts";
import { storyRoutes } from "./stories/stories.routes.ts";
import { setupRoutes } from "./setup/setup.routes.ts";
import { avatarRoutes } from "./users/users.avatars.routes.ts";
import { tokenRoutes } from "./users/users.tokens.routes.ts";
import { userRoutes } from "./users/users.routes.ts";
import { webhookRoutes } from "./webhooks/webhooks.routes.ts";

/** Every call of the contract with what answers it. */
export function routes(
  rooms: Rooms,
  bot: Bot | undefined,
  /** Names the parts of this process that are not up. */
  down: () => Promise<readonly string[]>,
): Route[] {
  return [
    ...shopRoutes(rooms),
    ...botRoutes({ limits: rooms.limits, bot }),
    ...officeRoutes(rooms.office, down),
    ...setupRoutes({ setup: rooms.setup, bot }),
  ];
}

/** Every call but those that lead to the bot, which asks the others itself. */
export function shopRoutes(rooms: Rooms): Route[] {
  return [
    ...userRoutes(rooms),
    ...partnerRoutes(rooms),
    ...partnerAdminRoutes(rooms),
    ...investorRoutes(rooms),
    ...avatarRoutes(rooms),
    ...tokenRoutes(rooms),
    ...statementRoutes(rooms),
    ...orderRoutes(rooms),
    ...eventRoutes(rooms),
    ...timelineRoutes(rooms),
    ...shareRoutes(rooms),
    ...paymentRoutes(rooms),
    ...chainRoutes(rooms),
    ...webhookRoutes(rooms),
    ...newsRoutes(rooms),
    ...storyRoutes(rooms),
    ...actRoutes(rooms),
    ...lookRoutes(rooms),
    answer(captchaChallenge, async ({ refuse }) => {
      const challenge = await rooms.captcha.challenge();
      // With a captcha of a service there is no challenge of ours.
      return challenge ? (challenge as Reply<typeof captchaChallenge>) : refuse("request");
    }),
  ];
}

interface Doors {
  readonly events: Pick<Rooms["events"], "changed">;
  readonly users: Pick<Rooms["users"], "callerOf">;
  readonly limits: Pick<Rooms["limits"], "admit" | "isSpent" | "missed">;
}

/** Who calls, and whether he calls too often. */
export function edge({ events, users, limits }: Doors): Edge {
  return {
    // Tokens that nobody has could be asked for without end, each at the price of a look-up: an address that has done so for a
    // while is let in with those alone that were seen before.
    callerOf: (token, address) =>
      users.callerOf(token, {
        isSpent: () => limits.isSpent(address),
        missed: () => limits.missed(address),
      }),
    admit: limits.admit,
    changed: events.changed,
  };
}
