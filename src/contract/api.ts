import { avatar, chooseAvatar } from "./avatars.ts";
import { aggregators, quantity } from "./catalog.ts";
import { chains } from "./chains.ts";
import type { Endpoint } from "./endpoint.ts";
import { events } from "./events.ts";
import { batches, investorStats } from "./investors.ts";
import { addNews, adminCheck, changeNews, newsList, readNews, removeNews, testPost } from "./news.ts";
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
import { officeFile, officeOverview, officeTable } from "./office.ts";
import { decideHeld, heldEarnings, partnerList, payPartner } from "./partners-admin.ts";
import { addReferralWord, statsReferral, statsSoft } from "./partners.ts";
import {
  confirmPayment,
  createPayment,
  decidePayment,
  paymentCurrencies,
  paymentStatus,
} from "./payments.ts";
import { statement, statementFile } from "./statement.ts";
import {
  addStory,
  changeStory,
  markStory,
  moveStory,
  readStory,
  removeStory,
  storyList,
  viewedStories,
  viewStory,
} from "./stories.ts";
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
  telegramLink,
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
  avatar,
  chooseAvatar,
  replaceToken,
  telegramLink,
  statement,
  statementFile,
  addReferralWord,
  statsReferral,
  statsSoft,
  batches,
  investorStats,
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
  paymentCurrencies,
  captchaChallenge,
  newsList,
  storyList,
  viewedStories,
  viewStory,
  testPost,
  adminCheck,
  readNews,
  addNews,
  changeNews,
  removeNews,
  readStory,
  addStory,
  changeStory,
  moveStory,
  markStory,
  removeStory,
  confirmPayment,
  partnerList,
  heldEarnings,
  payPartner,
  decideHeld,
  decidePayment,
  chains,
  officeOverview,
  officeTable,
  officeFile,
} as const satisfies Record<string, Endpoint>;

export type Endpoints = typeof endpoints;
export type EndpointName = keyof Endpoints;
