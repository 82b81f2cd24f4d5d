import type { PaymentStateName } from "../../contract/payments.ts";

/** What the payment page shows for the number of the server (spec B §4). */
export type PaymentView = "pending" | "confirmed" | "rejected" | "unknown";

const views = new Map<string, PaymentView>([
  ["0", "pending"],
  ["1", "confirmed"],
  ["-1", "rejected"],
]);

/** 0 waits, 1 is confirmed, -1 is rejected; anything else is unknown. */
export function viewOf(status: unknown): PaymentView {
  return views.get(String(status)) ?? "unknown";
}

/** After these nothing changes any more: the page stops asking. */
export function isFinal(view: PaymentView): boolean {
  return view === "confirmed" || view === "rejected";
}

/** A view, said more exactly where the server says more. */
export type PaymentState =
  | PaymentView
  | Extract<PaymentStateName, "underpaid" | "confirming" | "review" | "expired" | "expired_partial">;

const finer: Partial<Record<PaymentStateName, PaymentView>> = {
  underpaid: "pending",
  confirming: "pending",
  review: "pending",
  expired: "rejected",
  expired_partial: "rejected",
};

/** How a payment stands. The number rules: a state that belongs to another one is not believed. */
export function stateOf(
  answer: { payment_status?: unknown; state?: PaymentStateName } | undefined,
): PaymentState {
  const view = viewOf(answer?.payment_status);
  const state = answer?.state;
  return state !== undefined && finer[state] === view ? (state as PaymentState) : view;
}

/** Is there anything left to send? While it is confirmed or looked at, more would only be paid twice. */
export function isToPay(state: PaymentState): boolean {
  return state === "pending" || state === "underpaid" || state === "unknown";
}

export type StatusFault = "network" | "nodata" | "unexpected" | "error";

/** The status without the `value` that it may be wrapped in (spec B §7). */
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

/** Why there is no status to show. `error` is any other refusal. */
export function statusFault(refusal: string | undefined, answer: unknown): StatusFault | undefined {
  if (refusal !== undefined) return refusal === "connection" ? "network" : "error";
  if (answer === undefined || answer === null) return "nodata";
  return typeof answer === "object" && "payment_status" in answer ? undefined : "unexpected";
}

/** What a QR code may hold: the payment URI, or the plain address. */
export type QrContent = "whole" | "plain";

/**
 * What the QR code holds at first. A wallet app that reads the URI fills in the exact amount, so that is better where it is
 * safe: when the URI is the scheme of the coin's own chain and names our address first. The scanner of an exchange often
 * takes whatever address it meets. In the URI of a token that is the token's contract (EIP-681), where coins are lost for
 * ever, and in that of BSC the scheme says Ethereum; there the plain address comes first, which everybody reads alike.
 */
export function firstQr(uri: string | undefined, wallet: string): QrContent {
  if (uri === undefined) return "plain";
  const own = [`litecoin:${wallet}?`, `ethereum:${wallet}@1?`, `ton://transfer/${wallet}?`];
  const isToken = uri.includes("jetton=");
  return !isToken && own.some((start) => uri.startsWith(start)) ? "whole" : "plain";
}

/** Minutes and seconds, hours before them when there are any: 4:05, 1:00:09. */
export function clock(seconds: number): string {
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, "0"));
  const hours = Math.floor(seconds / 3600);
  return hours > 0 ? [hours, ...parts].join(":") : parts.join(":").replace(/^0(?=\d:)/, "");
}

const spokenAt = [0, 1, 5, 10];

/** The minutes to speak of while so many seconds are left: the same text for a while, so that it is said once. Undefined: too early. */
export function spokenMinutes(seconds: number): number | undefined {
  return spokenAt.find((minutes) => seconds <= minutes * 60);
}

/** The ends of a long id, enough to know it again by. */
export function shortId(id: string): string {
  return id.length > 20 ? `${id.slice(0, 8)}…${id.slice(-6)}` : id;
}
