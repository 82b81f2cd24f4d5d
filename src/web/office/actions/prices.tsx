import { Tag, Tags, TrendingUp, Undo2, X } from "lucide-react";
import type { Row } from "../table/tableState.ts";
import { actsOn, type Showing } from "./ActDialog.tsx";
import { PricePreview } from "./PricePreview.tsx";

type Price = Row<"prices">;

const namesOf = (rows: readonly Price[]) => rows.map(({ name }) => name ?? "");

const namedShown = 3;

/** The first names, and how many more there are. */
const namedIn = (rows: readonly Price[], { t }: Showing) => {
  const [names, more] = [namesOf(rows), rows.length - namedShown];
  const shown = names.slice(0, namedShown).join(", ");
  return more > 0 ? `${shown}, ${t("office.more", { count: more })}` : shown;
};

const changing = {
  act: "changePrices",
  done: "office.prices.done",
  fields: {
    how: { choices: ["to", "by", "percent"] },
    amount: { label: "office.prices.amount", hint: "office.prices.amount.hint", isNeeded: true },
    from: { Below: PricePreview },
  },
  result: ({ count }: { count: number }) => ({ count }),
} as const;

export const severalPrices = actsOn<readonly Price[]>()({
  ...changing,
  title: "office.prices.several",
  says: "office.prices.change.says",
  Icon: Tags,
  of: (rows) => ({ prices: namesOf(rows).join(",") }),
  holes: (rows, show) => ({ name: namedIn(rows, show) }),
});

export const priceTableActions = [
  actsOn<undefined>()({ ...changing, title: "office.prices.rule", Icon: TrendingUp }),
];

export const priceActions = [
  actsOn<Price>()({
    ...changing,
    title: "office.prices.change",
    Icon: Tag,
    of: ({ name }) => ({ prices: name ?? "" }),
    holes: ({ name }) => ({ name: name ?? "" }),
  }),
  actsOn<Price>()({
    act: "changePrices",
    title: "office.prices.general",
    done: "office.prices.done",
    Icon: X,
    fits: ({ site }) => site !== "",
    isDangerous: true,
    of: ({ name }) => ({ prices: name ?? "", how: "general" as const, amount: undefined }),
    holes: ({ name }) => ({ name: name ?? "" }),
    result: ({ count }) => ({ count }),
  }),
];

export const priceChangeActions = [
  actsOn<Row<"price_changes">>()({
    act: "undoPrices",
    title: "office.prices.undo",
    Icon: Undo2,
    fits: ({ state }) => state === "waits" || state === "applies",
    isDangerous: true,
    of: ({ number }) => ({ id: number ?? "" }),
    holes: ({ number }) => ({ number: number ?? "" }),
  }),
];
