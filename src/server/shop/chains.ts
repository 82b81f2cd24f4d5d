import { showUsd } from "../platform/money.ts";
import { type ChainView, paymentsOf } from "../payments/payments.ts";
import { type Act, ok, showCount, showTime, table } from "./answer.ts";
import type { Nouns } from "./nouns.ts";

export function addChainCommands({ noun, verb }: Nouns): void {
  const chains = noun("chains", "the blockchains of payments");
  verb(chains, "list", "shows the state of each chain, and what was received", () => listChains);
}

const listChains: Act = async (context) => {
  const chains = await paymentsOf(context).chains();
  const health = table(
    chains,
    [
      { title: "chain", of: ({ chain }) => chain },
      { title: "accepted", of: ({ isOnSale }) => (isOnSale ? "yes" : "no") },
      { title: "block", of: ({ height }) => (height === undefined ? "" : showCount(height)), right: true },
      {
        title: "age",
        of: ({ lagSeconds }) => (lagSeconds === undefined ? "" : `${showCount(lagSeconds)} s`),
        right: true,
      },
      { title: "to read", of: ({ behind }) => (behind === undefined ? "" : showCount(behind)), right: true },
      { title: "read at", of: ({ lookedAt }) => (lookedAt ? showTime(lookedAt) : "") },
      { title: "node", of: ({ nodes }) => nodes?.find(({ isInUse }) => isInUse)?.name ?? "" },
      { title: "open", of: ({ undecided }) => showCount(sum(Object.values(undecided))), right: true },
      { title: "dollars", of: ({ credited }) => showUsd(credited), right: true },
      {
        title: "coins",
        of: ({ takings }) => takings.map(({ currency, received }) => `${received} ${currency}`).join(", "),
      },
    ],
    "",
  );
  const troubles = chains.flatMap(troublesOf);
  const text = troubles.length === 0 ? health : `${health}\n\n${troubles.join("\n")}`;
  return ok(chains.map(wire), text);
};

function troublesOf({ chain, failingSince, error, nodes = [] }: ChainView): string[] {
  const isDown = failingSince ? `cannot be read since ${showTime(failingSince)}` : "was in trouble";
  return [
    ...(error ? [`${chain} ${isDown}; ${showTime(error.at)}: ${error.text}`] : []),
    ...nodes.flatMap(({ name, trouble, troubleAt }) =>
      trouble === null || troubleAt === null
        ? []
        : [`  ${name}, ${showTime(new Date(troubleAt))}: ${trouble}`],
    ),
  ];
}

function wire(chain: ChainView) {
  const takings = chain.takings.map((taken) => ({ ...taken, credited: showUsd(taken.credited) }));
  return { ...chain, credited: showUsd(chain.credited), takings };
}

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
