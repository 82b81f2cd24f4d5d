import { chains } from "../../contract/office/chains.ts";
import type { PaymentStateName } from "../../contract/payments.ts";
import { answer, type Route } from "../platform/http/answer.ts";
import { unixSeconds } from "../platform/clock.ts";
import { showUsd } from "../platform/money.ts";
import type { ChainView, Payments } from "./payments.ts";

/** The operator's view of the chains. Nothing can be sent from here: the shop has no private key. */
export function chainRoutes({ payments }: { payments: Payments }): Route[] {
  return [answer(chains, async () => ({ data: (await payments.chains()).map(onWire) }))];
}

function onWire(view: ChainView) {
  const { error, nodes = [] } = view;
  return {
    chain: view.chain,
    on_sale: view.isOnSale,
    ...given("height", view.height, Number),
    ...given("lag_seconds", view.lagSeconds, Number),
    ...given("blocks_behind", view.behind, Number),
    ...given("looked_at", view.lookedAt, unixSeconds),
    ...given("failures", view.failures, Number),
    ...given("failing_since", view.failingSince, unixSeconds),
    ...given("error", error?.text, String),
    ...given("error_at", error?.at, unixSeconds),
    nodes: nodes.map(({ name, isInUse, height, answeredAt, trouble, troubleAt }) => ({
      name,
      in_use: isInUse,
      ...given("height", height, Number),
      ...given("answered_at", answeredAt, secondsOf),
      ...given("trouble", trouble, String),
      ...given("trouble_at", troubleAt, secondsOf),
    })),
    undecided: Object.entries(view.undecided).map(([state, count]) => ({
      state: state as PaymentStateName,
      count,
    })),
    credited: showUsd(view.credited),
    takings: view.takings.map(({ currency, received, credited }) => ({
      currency,
      received,
      credited: showUsd(credited),
    })),
  };
}

const secondsOf = (text: string) => unixSeconds(new Date(text));

function given<Name extends string, Value, Shown>(
  name: Name,
  value: Value | null | undefined,
  show: (value: Value) => Shown,
): { [Key in Name]?: Shown } {
  return (value === null || value === undefined ? {} : { [name]: show(value) }) as { [Key in Name]?: Shown };
}
