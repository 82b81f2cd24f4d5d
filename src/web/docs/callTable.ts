import type { DocumentedName } from "../../contract/examples.ts";
import type { DocsPage } from "../paths.ts";

/** On which page a call stands, and the day since which it can be made (of the first release: since the beginning). */
const placed = <Name extends DocumentedName>(page: DocsPage, since: string, names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, { page, since }])) as Record<
    Name,
    { page: DocsPage; since: string }
  >;

/** The documented calls in the order of the pages; those of spec B §2 first. */
export const callTable: Record<DocumentedName, { page: DocsPage; since: string }> = {
  ...placed("start", "2026-11-21", [
    "balance",
    "quantity",
    "orderEmail",
    "getMessage",
    "reorderEmail",
    "cancelEmail",
    "aggregators",
  ]),
  ...placed("orders", "2026-11-21", ["activations", "history", "timeline", "releaseLetter"]),
  ...placed("orders", "2026-11-23", ["notFromSite"]),
  ...placed("orders", "2026-11-25", ["historyFile", "chooseCode", "letterSource"]),
  ...placed("orders", "2026-11-29", ["noteOrder", "backorders", "addBackorder", "removeBackorder"]),
  ...placed("orders", "2026-11-29", ["skips", "addSkip", "removeSkip"]),
  ...placed("events", "2026-11-21", ["events"]),
  ...placed("webhooks", "2026-11-21", [
    "webhooks",
    "addWebhook",
    "changeWebhook",
    "replaceWebhookSecret",
    "testWebhook",
    "removeWebhook",
    "webhookDeliveries",
    "redeliver",
  ]),
  ...placed("webhooks", "2026-11-29", ["webhookDelivery"]),
  ...placed("tokens", "2026-11-21", ["tokens", "addToken", "removeToken"]),
  ...placed("payments", "2026-11-21", ["createPayment", "paymentStatus", "statement", "statementFile"]),
  ...placed("payments", "2026-11-22", ["paymentCurrencies"]),
  ...placed("payments", "2026-11-23", ["payments"]),
  ...placed("payments", "2026-11-28", ["creditReceived"]),
  ...placed("payments", "2026-11-29", ["dropPayment"]),
  ...placed("account", "2026-11-29", ["askQuestion", "questions"]),
  ...placed("account", "2026-11-21", [
    "registration",
    "activate",
    "sendNewCode",
    "authorize",
    "sendCodeReset",
    "changePassword",
    "information",
    "replaceToken",
  ]),
  ...placed("account", "2026-11-22", ["telegramLink", "avatar", "chooseAvatar"]),
  ...placed("account", "2026-11-28", ["signOut", "proof", "prove"]),
  ...placed("tokens", "2026-11-28", ["openToPrograms"]),
  ...placed("payments", "2026-11-29", ["lowBalance", "setLowBalance"]),
  ...placed("account", "2026-11-29", ["authorizeFactor"]),
  ...placed("partners", "2026-11-22", ["addReferralWord", "statsReferral", "statsSoft"]),
  ...placed("investors", "2026-11-22", ["uploadBatch", "batches", "investorStats"]),
};
