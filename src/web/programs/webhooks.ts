import type { Endpoints } from "../../contract/api.ts";
import type { Reply } from "../../contract/endpoint.ts";
import type { AccountKey } from "../../i18n/t.ts";
import type { Tone } from "../ui/feedback/Badge.tsx";

export type Webhook = Reply<Endpoints["webhooks"]>["data"][number];
export type Delivery = Reply<Endpoints["webhookDeliveries"]>["data"][number];

const deliveryTones = { waiting: "accent", delivered: "good", failed: "bad" } as const satisfies Record<
  Delivery["state"],
  Tone
>;

export const toneOf = ({ state }: Delivery): Tone => deliveryTones[state];

export function stateOf({ enabled, disabled_reason, last_failure }: Webhook): {
  text: AccountKey;
  tone: Tone;
} {
  if (enabled && last_failure !== undefined) return { text: "webhook.failing", tone: "warn" };
  if (enabled) return { text: "webhook.on", tone: "good" };
  return disabled_reason === undefined
    ? { text: "webhook.off", tone: "plain" }
    : { text: "webhook.offByItself", tone: "bad" };
}
