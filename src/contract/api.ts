import { aggregators, quantity } from "./catalog.ts";
import type { Endpoint } from "./endpoint.ts";
import { activations, cancelEmail, getMessage, history, orderEmail, reorderEmail } from "./orders.ts";
import { confirmPayment, createPayment, paymentStatus } from "./payments.ts";
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

/** Every call of the API, in the order of the documentation page. */
export const endpoints = {
  balance,
  quantity,
  orderEmail,
  getMessage,
  reorderEmail,
  cancelEmail,
  aggregators,
  history,
  activations,
  authorize,
  registration,
  activate,
  sendNewCode,
  sendCodeReset,
  changePassword,
  information,
  replaceToken,
  createPayment,
  paymentStatus,
  captchaChallenge,
  confirmPayment,
} as const satisfies Record<string, Endpoint>;

export type Endpoints = typeof endpoints;
export type EndpointName = keyof Endpoints;
