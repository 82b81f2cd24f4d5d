import { captchaChallenge } from "../contract/users.ts";
import type { Reply } from "../contract/endpoint.ts";
import { eventRoutes } from "./events/events.routes.ts";
import { answer, type Route } from "./kit/answer.ts";
import type { Edge } from "./kit/mount.ts";
import { statementRoutes } from "./ledger/ledger.routes.ts";
import { orderRoutes } from "./orders/orders.routes.ts";
import { timelineRoutes } from "./orders/orders.timeline.routes.ts";
import { paymentRoutes } from "./payments/payments.routes.ts";
import type { Rooms } from "./rooms.ts";
import { tokenRoutes } from "./users/users.tokens.routes.ts";
import { userRoutes } from "./users/users.routes.ts";
import { webhookRoutes } from "./webhooks/webhooks.routes.ts";

/** Every call of the contract with what answers it. */
export function routes(rooms: Rooms): Route[] {
  return [
    ...userRoutes(rooms),
    ...tokenRoutes(rooms),
    ...statementRoutes(rooms),
    ...orderRoutes(rooms),
    ...eventRoutes(rooms),
    ...timelineRoutes(rooms),
    ...paymentRoutes(rooms),
    ...webhookRoutes(rooms),
    answer(captchaChallenge, async ({ refuse }) => {
      const challenge = await rooms.captcha.challenge();
      // With a captcha of a service there is no challenge of ours.
      return challenge ? (challenge as Reply<typeof captchaChallenge>) : refuse("request");
    }),
  ];
}

/** Who calls, and whether he calls too often. */
export function edge({ events, users, limits }: Rooms): Edge {
  return { callerOf: users.callerOf, admit: limits.admit, changed: events.changed };
}
