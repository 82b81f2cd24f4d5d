import { aggregators, quantity } from "./catalog.ts";
import type { Endpoint } from "./endpoint.ts";
import { events } from "./events.ts";
import {
  activations,
  cancelEmail,
  getMessage,
  history,
  orderEmail,
  releaseLetter,
  reorderEmail,
  timeline,
} from "./orders.ts";
import { confirmPayment, createPayment, paymentStatus } from "./payments.ts";
import { statement, statementFile } from "./statement.ts";
import { addToken, removeToken, tokens } from "./tokens.ts";
import {
  activate,
  authorize,
  balance,
  captchaChallenge,
  changePassword,
  information,
  registration,
  replaceToken,
  sendCodeReset,
  sendNewCode,
} from "./users.ts";
import {
  addWebhook,
  changeWebhook,
  redeliver,
  removeWebhook,
  replaceWebhookSecret,
  testWebhook,
  webhookDeliveries,
  webhooks,
} from "./webhooks.ts";

/** Every call of the API, in the order of the documentation page. */
export const endpoints = {
  balance,
  quantity,
  orderEmail,
  getMessage,
  reorderEmail,
  cancelEmail,
  aggregators,
  timeline,
  releaseLetter,
  history,
  activations,
  events,
  authorize,
  registration,
  activate,
  sendNewCode,
  sendCodeReset,
  changePassword,
  information,
  replaceToken,
  statement,
  statementFile,
  tokens,
  addToken,
  removeToken,
  webhooks,
  addWebhook,
  changeWebhook,
  replaceWebhookSecret,
  testWebhook,
  removeWebhook,
  webhookDeliveries,
  redeliver,
  createPayment,
  paymentStatus,
  captchaChallenge,
  confirmPayment,
} as const satisfies Record<string, Endpoint>;

export type Endpoints = typeof endpoints;
export type EndpointName = keyof Endpoints;
