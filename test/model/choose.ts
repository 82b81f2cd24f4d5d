// Chooses by number.
import type { ModelOrder } from "./model.ts";

export const at = <Item>(list: readonly Item[], number: number): Item | undefined =>
  list[number % list.length];
export const always = <Item>(list: readonly Item[], number: number): Item =>
  list[number % list.length] as Item;

export const preferring = (orders: ModelOrder[], status: string) => [
  ...orders.filter((order) => order.status === status),
  ...orders.filter((order) => order.status === status),
  ...orders,
];
