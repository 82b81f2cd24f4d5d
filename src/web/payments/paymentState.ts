import type { PaymentStateName } from "../../contract/payments.ts";
import type { Language } from "../../i18n/languages.ts";
import { spanText } from "../format.ts";

/** The view for the server's number (spec B §4). */
export type PaymentView = "pending" | "confirmed" | "rejected" | "unknown";

const views = new Map<string, PaymentView>([
  ["0", "pending"],
  ["1", "confirmed"],
  ["-1", "rejected"],
]);

/** 0: pending, 1: confirmed, -1: rejected; anything else: unknown. */
export function viewOf(status: unknown): PaymentView {
  return views.get(String(status)) ?? "unknown";
}

export function isFinal(view: PaymentView): boolean {
  return view === "confirmed" || view === "rejected";
}

export type PaymentState =
  | PaymentView
  | "dropped"
  | Extract<PaymentStateName, "underpaid" | "confirming" | "review" | "expired" | "expired_partial">;

const finer: Partial<Record<PaymentStateName, PaymentView>> = {
  underpaid: "pending",
  confirming: "pending",
  review: "pending",
  expired: "rejected",
  expired_partial: "rejected",
};

/** The state of a payment. The number wins over a state that contradicts it. */
export function stateOf(
  answer: { payment_status?: unknown; state?: PaymentStateName; dropped?: true | undefined } | undefined,
): PaymentState {
  const view = viewOf(answer?.payment_status);
  if (answer?.dropped && view === "pending") return "dropped";
  const state = answer?.state;
  return state !== undefined && finer[state] === view ? (state as PaymentState) : view;
}

/** Whether to show the instructions; while it is confirmed or reviewed, more coins would pay twice. */
export function isToPay(state: PaymentState): boolean {
  return state === "pending" || state === "underpaid" || state === "unknown";
}

export type StatusFault = "network" | "nodata" | "unexpected" | "none" | "error";

/** The status without its optional `value` wrapper (spec B §7). */
export function unwrap(answer: unknown): unknown {
  const isWrapped =
    typeof answer === "object" &&
    answer !== null &&
    !("payment_status" in answer) &&
    "value" in answer &&
    typeof answer.value === "object" &&
    answer.value !== null;
  return isWrapped ? answer.value : answer;
}

const refusalFaults = new Map<string, StatusFault>([
  ["connection", "network"],
  ["no payment", "none"],
]);

/** Why there is no status; `error` is any other refusal. */
export function statusFault(refusal: string | undefined, answer: unknown): StatusFault | undefined {
  if (refusal !== undefined) return refusalFaults.get(refusal) ?? "error";
  if (answer === undefined || answer === null) return "nodata";
  return typeof answer === "object" && "payment_status" in answer ? undefined : "unexpected";
}

export type QrContent = "whole" | "plain";

/**
 * The first content of the QR code. A URI fills in the amount, so it is preferred where safe: with the scheme
 * of the coin's own chain and our address first. An exchange's scanner may take the first address: in a
 * token's URI that is its contract (EIP-681), where coins are lost, and the URI for BSC says Ethereum. These
 * use the plain address.
 */
export function firstQr(uri: string | undefined, wallet: string): QrContent {
  if (uri === undefined) return "plain";
  const own = [`litecoin:${wallet}?`, `ethereum:${wallet}@1?`, `ton://transfer/${wallet}?`];
  const isToken = uri.includes("jetton=");
  return !isToken && own.some((start) => uri.startsWith(start)) ? "whole" : "plain";
}

/** How long until a payment is credited. From a minute on in whole minutes: no chain keeps to seconds. */
export const waitText = (language: Language, seconds: number): string =>
  spanText(language, seconds < 60 ? seconds : Math.max(120, Math.ceil(seconds / 60) * 60));

/** Formats minutes and seconds, with hours if any: 4:05, 1:00:09. */
export function clock(seconds: number): string {
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, "0"));
  const hours = Math.floor(seconds / 3600);
  return hours > 0 ? [hours, ...parts].join(":") : parts.join(":").replace(/^0(?=\d:)/, "");
}

const spokenAt = [0, 1, 5, 10];

/** The minutes to announce; constant for a while, so that they are spoken once. Undefined: too early. */
export function spokenMinutes(seconds: number): number | undefined {
  return spokenAt.find((minutes) => seconds <= minutes * 60);
}

export function shortId(id: string): string {
  return id.length > 20 ? `${id.slice(0, 8)}…${id.slice(-6)}` : id;
}
