import type { Reply } from "../../contract/endpoint.ts";
import { eventNames } from "../../contract/event-names.ts";
import { pageSize } from "../../contract/limits.ts";
import {
  addWebhook,
  changeWebhook,
  redeliver,
  removeWebhook,
  replaceWebhookSecret,
  testWebhook,
  webhookDelivery,
  webhookDeliveries,
  webhooks as listWebhooks,
} from "../../contract/webhooks.ts";
import { answer, Limited, type Route } from "../platform/http/answer.ts";
import { now, unixSeconds } from "../platform/clock.ts";
import type { Limits } from "../platform/http/rate-limits.ts";
import type { Delivery, Webhook, Webhooks } from "./webhooks.ts";

interface Services {
  readonly webhooks: Webhooks;
  readonly limits: Limits;
}

/** Deeper pages cost too much. */
const pagesMax = 1_000;

export function webhookRoutes(services: Services): Route[] {
  return [...having(services), ...sending(services)];
}

function having({ webhooks }: Services): Route[] {
  return [
    answer(listWebhooks, async ({ caller }) => ({
      data: (await webhooks.list(caller.userId)).map(webhookOf),
    })),

    answer(addWebhook, async ({ asked, caller, request, refuse }) => {
      const wanted = { url: asked.url, events: asked.events ?? eventNames };
      const made = await webhooks.add(caller.userId, wanted, request);
      return typeof made === "string"
        ? refuse(made)
        : { webhook: webhookOf(made.webhook), secret: made.secret };
    }),

    answer(changeWebhook, async ({ asked: { id, ...change }, caller, request, refuse }) => {
      const changed = await webhooks.change(caller.userId, id, change, request);
      return typeof changed === "string" ? refuse(changed) : { webhook: webhookOf(changed) };
    }),

    answer(replaceWebhookSecret, async ({ asked, caller, refuse }) => {
      const made = await webhooks.replaceSecret(caller.userId, asked.id);
      return typeof made === "string"
        ? refuse(made)
        : { webhook: webhookOf(made.webhook), secret: made.secret };
    }),

    answer(removeWebhook, async ({ asked, caller, refuse }) => {
      const refused = await webhooks.remove(caller.userId, asked.id);
      return refused === undefined ? {} : refuse(refused);
    }),

    answer(webhookDeliveries, async ({ asked, caller, refuse }) => {
      const page = asked.page ?? 1;
      const size = page > pagesMax ? 0 : pageSize + 1;
      const skip = Math.min(page - 1, pagesMax) * pageSize;
      const found = await webhooks.deliveries(caller.userId, asked.id, { skip, size });
      if (typeof found === "string") return refuse(found);
      return {
        data: found.slice(0, pageSize).map(deliveryOf),
        next_page: found.length > pageSize && page < pagesMax,
      };
    }),

    answer(webhookDelivery, async ({ asked, caller, refuse }) => {
      const found = await webhooks.delivery(caller.userId, asked.id, asked.delivery);
      if (typeof found === "string") return refuse(found);
      const { delivery, body, exchange } = found;
      return { delivery: deliveryOf(delivery), ...(body !== undefined && { body }), ...exchange };
    }),
  ];
}

function sending({ webhooks, limits }: Services): Route[] {
  // The caller chooses the URL and the time of these requests.
  const tooOften = async (userId: bigint, address: string): Promise<Limited | undefined> => {
    const wait = await limits.take("webhook sends", { account: String(userId), address }, now());
    return wait === undefined ? undefined : new Limited(wait);
  };
  return [
    answer(testWebhook, async ({ asked, caller, request, refuse }) => {
      const no = await tooOften(caller.userId, request.address);
      if (no) return no;
      const sent = await webhooks.test(caller.userId, asked.id);
      return typeof sent === "string" ? refuse(sent) : { delivery: deliveryOf(sent) };
    }),

    answer(redeliver, async ({ asked, caller, request, refuse }) => {
      const no = await tooOften(caller.userId, request.address);
      if (no) return no;
      const sent = await webhooks.redeliver(caller.userId, asked.id, asked.delivery);
      return typeof sent === "string" ? refuse(sent) : { delivery: deliveryOf(sent) };
    }),
  ];
}

function webhookOf({
  id,
  url,
  events,
  disabledAt,
  disabledReason,
  lastFailure,
  createdAt,
}: Webhook): Reply<typeof changeWebhook>["webhook"] {
  return {
    id: String(id),
    url,
    events,
    enabled: disabledAt === null,
    ...(disabledReason === null ? {} : { disabled_reason: disabledReason }),
    ...(lastFailure === null ? {} : { last_failure: lastFailure }),
    created_at: unixSeconds(createdAt),
  };
}

function deliveryOf(delivery: Delivery): Reply<typeof redeliver>["delivery"] {
  const { id, messageId, event, tries, httpStatus, failure, createdAt, dueAt, doneAt, delivered } = delivery;
  return {
    id: String(id),
    message_id: messageId,
    event,
    state: stateOf(delivery),
    tries,
    ...(httpStatus === null ? {} : { http_status: httpStatus }),
    ...(failure === null ? {} : { failure }),
    created_at: unixSeconds(createdAt),
    ...(dueAt === null ? {} : { next_try_at: unixSeconds(dueAt) }),
    ...(delivered && doneAt ? { delivered_at: unixSeconds(doneAt) } : {}),
  };
}

function stateOf({ dueAt, delivered }: Delivery): "waiting" | "delivered" | "failed" {
  if (dueAt !== null) return "waiting";
  return delivered ? "delivered" : "failed";
}
