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

export type StatusFault = "network" | "nodata" | "unexpected" | "error";

/** Why there is no status to show. `error` is any other refusal. */
export function faultOf(refusal: string | undefined, answer: unknown): StatusFault | undefined {
  if (refusal !== undefined) return refusal === "connection" ? "network" : "error";
  if (answer === undefined || answer === null) return "nodata";
  return typeof answer === "object" && "payment_status" in answer ? undefined : "unexpected";
}

/** Is it more than nothing? Amounts of coins come as decimal strings. */
export function isSome(amount: string): boolean {
  return Number(amount) > 0;
}

/** Minutes and seconds, hours before them when there are any: 4:05, 1:00:09. */
export function clock(seconds: number): string {
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, "0"));
  const hours = Math.floor(seconds / 3600);
  return hours > 0 ? [hours, ...parts].join(":") : parts.join(":").replace(/^0(?=\d:)/, "");
}
