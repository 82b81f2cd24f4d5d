import { captchaChallenge } from "../contract/users.ts";
import type { Reply } from "../contract/endpoint.ts";
import type { Bot } from "./bot/bot.ts";
import { botRoutes } from "./bot/bot.routes.ts";
import { eventRoutes } from "./events/events.routes.ts";
import type { Db } from "./platform/db/db.ts";
import { answer, type Route } from "./platform/http/answer.ts";
import { idsOf } from "./platform/ids.ts";
import type { CallHooks } from "./platform/http/call.ts";
import { investorRoutes } from "./investors/investors.routes.ts";
import { statementRoutes } from "./ledger/ledger.routes.ts";
import { openAboutLines } from "./statement.ts";
import { newsRoutes } from "./news/news.routes.ts";
import { actRoutes, type Standing } from "./office/office.ts";
import { ownerRoutes } from "./owner/owner.routes.ts";
import { openAsk } from "./platform/http/ask.ts";
import { lookRoutes } from "./office/office.letters.routes.ts";
import { officeRoutes } from "./office/office.routes.ts";
import { orderRoutes } from "./orders/orders.routes.ts";
import { shareRoutes } from "./orders/shares/shares.routes.ts";
import { skipRoutes } from "./orders/skips/skips.routes.ts";
import { timelineRoutes } from "./orders/timeline/timeline.routes.ts";
import { partnerAdminRoutes } from "./partners/partners.admin.routes.ts";
import { partnerRoutes } from "./partners/partners.routes.ts";
import { questionRoutes } from "./questions/questions.routes.ts";
import { chainRoutes } from "./payments/payments.chains.routes.ts";
import { paymentRoutes } from "./payments/payments.routes.ts";
import type { Services } from "./services.ts";
import { storyRoutes } from "./stories/stories.routes.ts";
import { setupRoutes } from "./setup/setup.routes.ts";
import { avatarRoutes } from "./users/users.avatars.routes.ts";
import { factorRoutes } from "./users/factors/factors.routes.ts";
import { securityRoutes } from "./security/security.routes.ts";
import { proofRoutes } from "./users/users.proofs.routes.ts";
import { sessionRoutes, tokenRoutes } from "./users/users.tokens.routes.ts";
import { ownRoutes } from "./users/users.own.routes.ts";
import { userRoutes } from "./users/users.routes.ts";
import { webhookRoutes } from "./webhooks/webhooks.routes.ts";
import { withdrawalRoutes } from "./withdrawals/withdrawals.routes.ts";

export function routes(services: Services, bot: Bot | undefined, standing: () => Promise<Standing>): Route[] {
  return [
    ...shopRoutes(services),
    ...botRoutes({ limits: services.limits, bot }),
    ...officeRoutes(services.db, services.office, standing),
    ...setupRoutes({ setup: services.setup, bot }),
  ];
}

/** Every call but those to the bot, which uses the others itself. */
export function shopRoutes(services: Services): Route[] {
  const routes = moduleRoutes(services);
  const ask = openAsk(routes, { ...callHooks(services), admit: async () => undefined });
  return [...routes, ...ownerRoutes({ ...services, ask })];
}

function moduleRoutes(services: Services): Route[] {
  return [
    ...userRoutes(services),
    ...partnerRoutes(services),
    ...partnerAdminRoutes(services),
    ...investorRoutes(services),
    ...ownRoutes(services),
    ...avatarRoutes(services),
    ...sessionRoutes(services),
    ...factorRoutes(services),
    ...proofRoutes(services),
    ...tokenRoutes(services),
    ...securityRoutes(services),
    ...statementRoutes({ db: services.db, aboutLines: openAboutLines(services.db) }),
    ...orderRoutes(services),
    ...eventRoutes(services),
    ...timelineRoutes(services),
    ...skipRoutes(services),
    ...shareRoutes(services),
    ...questionRoutes(services),
    ...paymentRoutes(services),
    ...chainRoutes(services),
    ...webhookRoutes(services),
    ...withdrawalRoutes(services),
    ...newsRoutes(services),
    ...storyRoutes(services),
    ...actRoutes({ ...services, sealOf: async () => services.seal }),
    ...lookRoutes(services),
    answer(captchaChallenge, async ({ refuse }) => {
      const challenge = await services.captcha.challenge();
      // A captcha service has no challenge of ours.
      return challenge ? (challenge as Reply<typeof captchaChallenge>) : refuse("request");
    }),
  ];
}

interface HookParts {
  readonly db: Db;
  readonly events: Pick<Services["events"], "changed">;
  readonly users: Pick<Services["users"], "callerOf">;
  readonly limits: Pick<Services["limits"], "admit" | "isSpent" | "missed">;
  readonly adminsNeedFactor?: boolean;
}

export function callHooks({ db, events, users, limits, adminsNeedFactor = false }: HookParts): CallHooks {
  return {
    // Unknown tokens cost a query each: after too many, an address is allowed only tokens seen before.
    callerOf: (token, address) =>
      users.callerOf(token, {
        address,
        isSpent: () => limits.isSpent(address),
        missed: () => limits.missed(address),
      }),
    admit: limits.admit,
    changed: events.changed,
    ids: idsOf(db),
    adminsNeedFactor,
  };
}
