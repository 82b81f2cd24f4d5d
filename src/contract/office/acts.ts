import type { Act, WordsOf } from "./act.ts";
import { moneyActs } from "./money-acts.ts";
import { orderActs } from "./order-acts.ts";
import { peopleActs } from "./people-acts.ts";
import { priceActs } from "./price-acts.ts";
import { stockActs } from "./stock-acts.ts";
import { taskActs } from "./tasks.ts";
import { withdrawalActs } from "./withdrawal-acts.ts";

/** Every act of the back office. */
export const acts = {
  ...stockActs,
  ...priceActs,
  ...peopleActs,
  ...orderActs,
  ...moneyActs,
  ...withdrawalActs,
  ...taskActs,
} satisfies Record<string, Act>;

export type Acts = typeof acts;
export type ActName = keyof Acts;
/** "users block", as the command says it and the journal keeps it. */
export type ActWords = { [Name in ActName]: WordsOf<keyof Acts[Name]["commands"]> }[ActName];
