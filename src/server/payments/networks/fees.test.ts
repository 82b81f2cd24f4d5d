import { expect, test } from "vitest";
import { now, secondsAfter } from "../../platform/clock.ts";
import { createLog } from "../../platform/log.ts";
import { usd } from "../../platform/money.ts";
import { fixedRates } from "../rates/rates.ts";
import { openFees } from "./fees.ts";
import type { Fee, Network } from "./network.ts";
import { NodeTrouble } from "./nodes/nodes.ts";

function shop(rates: Record<string, string> = { ltc: "80" }) {
  const asked: string[] = [];
  const told: { answer: () => Promise<Fee | undefined> } = {
    answer: async () => ({ units: 10_000n, coin: "ltc" }),
  };
  let at = now();
  const network = {
    name: "ltc",
    fee: (currency: string) => {
      asked.push(currency);
      return told.answer();
    },
  } as unknown as Network;
  const fees = openFees({ rates: fixedRates(rates), log: createLog("silent"), clock: () => at });
  return { network, fees, asked, told, pass: (seconds: number) => void (at = secondsAfter(at, seconds)) };
}

test("a fee is told in dollars, and the node is asked once in ten minutes", async () => {
  const { network, fees, asked, pass } = shop();
  expect(await Promise.all([fees(network, "ltc"), fees(network, "ltc")])).toEqual([
    usd("0.008"),
    usd("0.008"),
  ]);
  pass(599);
  expect(await fees(network, "ltc")).toBe(usd("0.008"));
  expect(asked).toEqual(["ltc"]);
  pass(1);
  await fees(network, "ltc");
  expect(asked).toEqual(["ltc", "ltc"]);
});

test("a node that fails is asked again after a minute and not before, and the fee is unknown meanwhile", async () => {
  const { network, fees, asked, told, pass } = shop();
  const { answer } = told;
  told.answer = () => Promise.reject(new NodeTrouble("it is down"));
  expect(await fees(network, "ltc")).toBeUndefined();
  told.answer = answer;
  pass(59);
  expect(await fees(network, "ltc")).toBeUndefined();
  expect(asked).toHaveLength(1);
  pass(1);
  expect(await fees(network, "ltc")).toBe(usd("0.008"));
});

test("without a rate, and of a chain that does not tell, there is no fee", async () => {
  const { network, fees, asked } = shop({});
  expect(await fees(network, "ltc")).toBeUndefined();
  expect(await fees({ ...network, fee: undefined } as unknown as Network, "ltc")).toBeUndefined();
  expect(asked).toHaveLength(1);
});
