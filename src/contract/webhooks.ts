import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import {
  DeliveryId,
  Enabled,
  EventNames,
  IdText,
  Page,
  UnixSeconds,
  WebhookId,
  WebhookUrl,
  WebhookUrlOptional,
} from "./fields.ts";

/** A webhook; the secret is answered only when it is made or replaced. */
export const Webhook = z.object({
  id: IdText,
  url: z.string(),
  events: z.array(z.string()),
  enabled: z.boolean(),
  /** Why it was disabled automatically; else absent. */
  disabled_reason: z.optional(z.string()),
  /** The failure of the newest message, tests included; absent on success. */
  last_failure: z.optional(z.string()),
  created_at: UnixSeconds,
});

export const WebhookDelivery = z.object({
  id: IdText,
  message_id: z.string(),
  event: z.string(),
  state: z.literal(["waiting", "delivered", "failed"]),
  tries: z.int(),
  http_status: z.optional(z.int()),
  failure: z.optional(z.string()),
  created_at: UnixSeconds,
  next_try_at: z.optional(UnixSeconds),
  delivered_at: z.optional(UnixSeconds),
});

export const webhooks = endpoint({
  name: "webhooks",
  method: "GET",
  path: "/user/webhooks",
  access: "user",
  summary: "The account’s webhooks",
  ask: {},
  reply: z.object({ data: z.array(Webhook) }),
});

export const addWebhook = endpoint({
  name: "addWebhook",
  method: "POST",
  path: "/user/webhooks/add",
  access: "active",
  session: "where closed",
  summary:
    "Send events to an address, signed by Standard Webhooks, and retry until they are accepted; the secret is shown only once",
  ask: { url: WebhookUrl, events: EventNames },
  reply: z.object({ webhook: Webhook, secret: z.string() }),
  refusals: ["url", "events", "too many"],
});

export const changeWebhook = endpoint({
  name: "changeWebhook",
  method: "POST",
  path: "/user/webhooks/change",
  access: "active",
  session: "where closed",
  summary:
    "Change a webhook’s address or events, or switch it on or off; it is switched off automatically after 3 days without a success, or on a 410 reply",
  ask: { id: WebhookId, url: WebhookUrlOptional, events: EventNames, enabled: Enabled },
  reply: z.object({ webhook: Webhook }),
  refusals: ["no webhook", "url", "events", "enabled"],
});

export const replaceWebhookSecret = endpoint({
  name: "replaceWebhookSecret",
  method: "POST",
  path: "/user/webhooks/secret",
  access: "active",
  session: "where closed",
  caution: "ends",
  summary: "Replace a webhook’s secret; for one day messages are signed with the old one too",
  ask: { id: WebhookId },
  reply: z.object({ webhook: Webhook, secret: z.string() }),
  refusals: ["no webhook"],
});

export const testWebhook = endpoint({
  name: "testWebhook",
  method: "POST",
  path: "/user/webhooks/test",
  access: "active",
  summary: "Send one `test` event to a webhook now and get the result",
  ask: { id: WebhookId },
  reply: z.object({ delivery: WebhookDelivery }),
  refusals: ["no webhook"],
});

export const removeWebhook = endpoint({
  name: "removeWebhook",
  method: "POST",
  path: "/user/webhooks/remove",
  access: "user",
  session: "where closed",
  caution: "ends",
  summary: "Remove a webhook and its log",
  ask: { id: WebhookId },
  reply: z.object({}),
  refusals: ["no webhook"],
});

export const webhookDeliveries = endpoint({
  name: "webhookDeliveries",
  method: "GET",
  path: "/user/webhooks/deliveries",
  access: "user",
  summary: "What was sent to a webhook in the last 7 days, newest first, ten per page, up to page 1,000",
  ask: { id: WebhookId, page: Page },
  reply: z.object({ data: z.array(WebhookDelivery), next_page: z.boolean() }),
  refusals: ["no webhook", "page"],
});

export const webhookDelivery = endpoint({
  name: "webhookDelivery",
  method: "GET",
  path: "/user/webhooks/delivery",
  access: "user",
  summary:
    "One delivery with its body, the headers of its last try, and the first kilobyte of the answer, for a day after its end",
  ask: { id: WebhookId, delivery: DeliveryId },
  reply: z.object({
    delivery: WebhookDelivery,
    body: z.optional(z.string()),
    headers: z.optional(z.record(z.string(), z.string())),
    /** `type` is its Content-Type. */
    answer: z.optional(z.object({ type: z.string(), text: z.string() })),
  }),
  refusals: ["no webhook", "no delivery"],
});

export const redeliver = endpoint({
  name: "redeliver",
  method: "POST",
  path: "/user/webhooks/redeliver",
  access: "active",
  summary:
    "Resend a delivery with the same message id, within a day of its end, and get the result of the first attempt",
  ask: { id: WebhookId, delivery: DeliveryId },
  reply: z.object({ delivery: WebhookDelivery }),
  refusals: ["no webhook", "no delivery"],
});
