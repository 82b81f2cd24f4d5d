// Orders and letters in the words of the contract, for answers, events and webhooks.
import { wireStatus } from "../../contract/order-states.ts";
import { unixSeconds } from "../platform/clock.ts";
import { usdNumber } from "../platform/money.ts";
import type { LetterFields, OrderFields } from "./orders.sql.ts";

export function wireOrder(order: OrderFields) {
  return {
    activation_id: String(order.orderId),
    from: order.site,
    email: order.email,
    status: wireStatus[order.status],
    price: usdNumber(order.price),
    created_at: unixSeconds(order.createdAt),
    expires_at: unixSeconds(order.expiresAt),
    ...noted(order),
  };
}

/** What an event that names an order says of it. */
export function named(order: OrderFields) {
  return { activation_id: String(order.orderId), from: order.site, email: order.email, ...noted(order) };
}

export const noted = ({ note }: Pick<OrderFields, "note">) => (note === null ? {} : { note });

export function wireLetter(letter: Omit<LetterFields, "orderId">) {
  return {
    letter_id: String(letter.letterId),
    sender: letter.sender,
    subject: letter.subject,
    received_at: unixSeconds(letter.arrivedAt),
    ...found(letter),
  };
}

type FoundFields = Pick<
  LetterFields,
  "value" | "code" | "link" | "codeConfidence" | "codeCandidates" | "chosen"
>;

export function found({ value, code, link, codeConfidence, codeCandidates, chosen }: FoundFields) {
  const candidates = (codeCandidates ?? []).map((candidate) => candidate.value);
  const own = chosen === null ? undefined : candidates[chosen - 1];
  const shown = own ?? code;
  const others = candidates.filter((candidate) => candidate !== shown);
  const confidence = own === undefined ? codeConfidence : ("chosen" as const);
  return {
    ...(value === null ? {} : { value }),
    ...(shown === null ? {} : { code: shown }),
    ...(shown === null || confidence === null ? {} : { code_confidence: confidence }),
    ...(others.length === 0 ? {} : { code_candidates: others }),
    ...(link === null ? {} : { link }),
  };
}
