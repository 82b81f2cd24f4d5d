import type { Endpoints } from "../contract/api.ts";
import type { RefusalOf } from "../contract/endpoint.ts";
import type { uploadBatch } from "../contract/investors.ts";
import type { commonRefusals } from "../contract/refusals.ts";
import type { AppKey, Translator } from "../i18n/t.ts";
import type { Refused } from "../client/request.ts";

type Asked =
  | "ownData"
  | "closing"
  | "closeAccount"
  | "chooseAvatar"
  | "addReferralWord"
  | "orderEmail"
  | "reorderEmail"
  | "cancelEmail"
  | "backorders"
  | "addBackorder"
  | "removeBackorder"
  | "getMessage"
  | "quantity"
  | "activations"
  | "telegramLink"
  | "history"
  | "createPayment"
  | "paymentStatus"
  | "confirmPayment"
  | "creditReceived"
  | "dropPayment"
  | "askQuestion"
  | "withdrawals"
  | "askWithdrawal"
  | "cancelWithdrawal"
  | "questions"
  | "timeline"
  | "releaseLetter"
  | "chooseCode"
  | "notFromSite"
  | "events"
  | "statement"
  | "statementFile"
  | "historyFile"
  | "letterSource"
  | "factors"
  | "beginPasskey"
  | "addPasskey"
  | "beginApp"
  | "addApp"
  | "removeFactor"
  | "newRecoveryCodes"
  | "tokens"
  | "addToken"
  | "removeToken"
  | "sessions"
  | "endSession"
  | "endOtherSessions"
  | "securityEvents"
  | "replaceToken"
  | "openToPrograms"
  | "lowBalance"
  | "setLowBalance"
  | "webhooks"
  | "addWebhook"
  | "changeWebhook"
  | "replaceWebhookSecret"
  | "testWebhook"
  | "removeWebhook"
  | "webhookDeliveries"
  | "webhookDelivery"
  | "redeliver";
type ShownRefusal =
  | RefusalOf<typeof uploadBatch>
  | RefusalOf<Endpoints[Asked]>
  | (typeof commonRefusals)[number]
  | "connection";

// A missing text does not compile.
export const refusalKeys: Record<ShownRefusal, AppKey> = {
  token: "refusal.token",
  session: "refusal.session",
  proof: "refusal.proof",
  captcha: "refusal.request",
  site: "refusal.site",
  domain: "refusal.domain",
  "no emails": "refusal.noEmails",
  "no balance": "refusal.noBalance",
  "wait message": "refusal.waitMessage",
  "activation canceled": "refusal.canceled",
  "not confirmed": "refusal.notConfirmed",
  "account in use": "refusal.accountInUse",
  give_up: "refusal.giveUp",
  "invalid email": "refusal.invalidEmail",
  "question limit": "refusal.questionLimit",
  "no bot": "refusal.noBot",
  "bot unreachable": "refusal.botUnreachable",
  "no activation": "refusal.noActivation",
  "email banned": "refusal.banned",
  "key used": "refusal.request",
  "too many open": "refusal.tooManyOpen",
  "price too high": "refusal.priceTooHigh",
  "reorder waits": "refusal.reorderWaits",
  "activation already canceled": "refusal.alreadyCanceled",
  "letter proved": "refusal.letterProved",
  "letter not checked": "refusal.letterNotChecked",
  "not complainable": "refusal.notComplainable",
  "already complained": "refusal.alreadyComplained",
  subject: "refusal.subject",
  regex: "refusal.regex",
  avatar: "refusal.request",
  word: "partner.word.invalid",
  "word taken": "refusal.wordTaken",
  "too many words": "refusal.tooManyWords",
  "account not activated": "refusal.accountNotActivated",
  page: "refusal.request",
  offset: "refusal.request",
  preview: "refusal.request",
  images: "refusal.request",
  client_order_id: "refusal.request",
  quantity: "refusal.request",
  wait: "refusal.request",
  stats: "refusal.request",
  letter: "refusal.noLetter",
  "no letter": "refusal.noLetter",
  "no candidate": "refusal.request",
  last_event_id: "refusal.request",
  before: "refusal.request",
  book: "refusal.request",
  name: "refusal.name",
  sites: "refusal.sites",
  max_price: "refusal.request",
  note: "refusal.request",
  price_max: "refusal.priceMax",
  budget_day: "refusal.budgetDay",
  expires_at: "refusal.expiresAt",
  "too many": "refusal.tooMany",
  "no session": "refusal.noSession",
  "no token": "refusal.noToken",
  ticket: "refusal.ticket",
  "invalid code": "refusal.code",
  "invalid passkey": "refusal.passkey",
  "no passkeys": "refusal.noPasskeys",
  "no factor": "refusal.noFactor",
  "token limit": "refusal.tokenLimit",
  url: "refusal.url",
  events: "refusal.request",
  enabled: "refusal.request",
  open: "refusal.request",
  threshold: "refusal.threshold",
  until: "refusal.request",
  "no backorder": "refusal.noBackorder",
  "no webhook": "refusal.noWebhook",
  "no delivery": "refusal.noDelivery",
  wallet: "refusal.wallet",
  amount: "refusal.amount",
  "no rate": "refusal.noRate",
  "no payment": "refusal.noPayment",
  "nothing to credit": "refusal.nothingToCredit",
  "no withdrawals": "refusal.noWithdrawals",
  way: "refusal.request",
  key: "refusal.request",
  payout: "refusal.threshold",
  "too small": "refusal.tooSmall",
  "too large": "refusal.tooLarge",
  "more than due": "refusal.moreThanDue",
  address: "refusal.address",
  "own address": "refusal.ownAddress",
  "no withdrawal": "refusal.withdrawalDecided",
  "withdrawal decided": "refusal.withdrawalDecided",
  "payment closed": "refusal.paymentClosed",
  "no access": "refusal.noAccess",
  "not an investor": "refusal.notInvestor",
  "account under review": "refusal.underReview",
  "upload under way": "refusal.uploadUnderWay",
  "upload too slow": "refusal.uploadTooSlow",
  type: "refusal.uploadType",
  size: "refusal.uploadSize",
  columns: "refusal.columns",
  "too few mailboxes": "refusal.tooFewMailboxes",
  limit: "refusal.limit",
  server: "refusal.server",
  request: "refusal.request",
  connection: "refusal.connection",
};

/** The sentence for a refusal (spec B §8); shows an unknown value as it is. */
export function refusalText(t: Translator<AppKey>, refused: Refused<string>): string {
  const key = (refusalKeys as Record<string, AppKey | undefined>)[refused.value];
  return key === undefined ? refused.value : t(key, { count: refused.more.retry_after ?? 1 });
}
