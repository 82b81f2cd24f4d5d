import type * as z from "zod/mini";
import { Offer } from "./catalog.ts";
import { InvestorBatch } from "./investors.ts";
import { NewsItem, WrittenNews } from "./news.ts";
import {
  Activation,
  Attachment,
  HistoryItem,
  Ordered,
  OrderedList,
  ReadLetter,
  TimelineStep,
} from "./orders.ts";
import { EarningsDay, ReferralEarnings, SoftEarnings } from "./partners.ts";
import { CurrencyOnSale, ListedPayment, PaymentState, PaymentTransfer } from "./payments.ts";
import { StatementLine } from "./statement.ts";
import { Story } from "./stories.ts";
import { LimitedToken } from "./tokens.ts";
import { UserInformation } from "./users.ts";
import { Webhook, WebhookDelivery } from "./webhooks.ts";

/** The shapes of the API that programs handle, by the names that they have in openapi.json. */
export const schemas: Readonly<Record<string, z.ZodMiniType>> = {
  Activation,
  Attachment,
  Currency: CurrencyOnSale,
  EarningsDay,
  HistoryItem,
  InvestorBatch,
  Letter: ReadLetter,
  LimitedToken,
  ListedPayment,
  NewsItem,
  Offer,
  Order: Ordered,
  OrderList: OrderedList,
  Payment: PaymentState,
  PaymentTransfer,
  ReferralEarnings,
  SoftEarnings,
  StatementLine,
  Story,
  TimelineStep,
  UserInformation,
  Webhook,
  WebhookDelivery,
  WrittenNews,
};
