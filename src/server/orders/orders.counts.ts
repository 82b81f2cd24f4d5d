// What becomes of orders, counted for /metrics, and told line by line with ACCESS_LOG.
import { alertsAt } from "../platform/alerts.ts";
import { Counts } from "../platform/counts.ts";
import { Lately } from "../platform/lately.ts";
import type { Log } from "../platform/log.ts";

/** What became of the orders that were asked for; of many at once, of each. Others are refusals. */
export const orderCounts = new Counts<string>(["placed", "no emails", "no balance"]);

const lately = new Lately();

/** Whether orders of the last five minutes found no address. */
export const findNoAddress = (): boolean => lately.isBeyond(alertsAt.NoAddressLeft);

/** How orders ended. */
export const endCounts = new Counts(["received", "canceled", "expired"]);

type Answer = { readonly refusal: string } | { readonly orderId: bigint; readonly isRepeat: boolean };

/** Counts an answer to who asked, tells it to `follow`, and gives it back. */
export function noted<Given extends Answer>(
  answer: Given,
  { userId }: { readonly userId: bigint },
  follow: Pick<Log, "info"> | undefined,
): Given {
  const isRefused = "refusal" in answer;
  const outcome = isRefused ? answer.refusal : answer.isRepeat ? "repeated" : "placed";
  orderCounts.add(outcome);
  lately.add(outcome === "no emails");
  const order = isRefused ? undefined : String(answer.orderId);
  follow?.info({ account: `user ${userId}`, outcome, order }, "ordered");
  return answer;
}
