// @module-tag slow
import { expect, onTestFinished, test } from "vitest";
import { ask, openTill, settle } from "../../../test/kit/till.ts";
import { usd } from "../platform/money.ts";
import type { FakeChain } from "../../../test/kit/fakeChain.ts";
import type { Payments } from "./payments.ts";
import { graceSeconds } from "./payments.terms.ts";

function watched(payments: Payments): void {
  const watching = payments.watch();
  onTestFinished(() => watching.stop());
}

const ethereum = async (payments: Payments) =>
  (await payments.health()).find(({ chain }) => chain === "ethereum");

const pay = (chain: FakeChain, number: number, coins: bigint) =>
  chain.pay(`fake${number}`, coins * 1_000_000n);

test(
  "how a chain is doing is known to every process: its newest block, how old it is, the last trouble",
  { tags: ["full"] },
  async () => {
    const { real, sandbox, chain, later } = await openTill();
    chain.mine(7);
    watched(real);
    await expect.poll(() => ethereum(sandbox)).toMatchObject({ height: 7n, lagSeconds: 0, behind: 0n });
    later(90);
    expect(await ethereum(sandbox)).toMatchObject({ lagSeconds: 90, failures: 0n, failingSince: undefined });
    chain.isDown = true;
    await expect.poll(async () => (await ethereum(sandbox))?.failures).toBeGreaterThan(1n);
    expect(await ethereum(sandbox)).toMatchObject({
      height: 7n,
      failingSince: new Date("2030-01-01T00:01:30Z"),
      error: { text: "the node does not answer", at: new Date("2030-01-01T00:01:30Z") },
    });
    chain.isDown = false;
    await expect.poll(async () => (await ethereum(sandbox))?.failingSince).toBeUndefined();
    expect((await ethereum(sandbox))?.error?.text).toBe("the node does not answer");
  },
);

test("each chain has its open payments, the coins that came and the dollars that the ledger has of them", async () => {
  const { real, chain } = await openTill();
  await ask(real, "erc", "100");
  await ask(real, "erc", "50");
  await ask(real, "erc", "25");
  pay(chain, 1, 100n);
  pay(chain, 2, 50n);
  await settle(chain, real);
  const views = await real.chains();
  expect(views.map(({ chain: name }) => name).toSorted()).toEqual([
    "bsc",
    "ethereum",
    "litecoin",
    "ton",
    "tron",
  ]);
  expect(views.find(({ chain: name }) => name === "ethereum")).toMatchObject({
    isOnSale: true,
    undecided: { awaiting: 1 },
    credited: usd("150"),
    takings: [{ currency: "erc", received: "150", credited: usd("150") }],
  });
  expect(views.find(({ chain: name }) => name === "litecoin")).toMatchObject({
    isOnSale: false,
    undecided: {},
    credited: 0n,
    takings: [],
  });
  expect(await real.undecided()).toEqual([{ chain: "ethereum", state: "awaiting", count: 1 }]);
});

test("what needs a look is named with its reasons: late, too much, in review, undecided for too long", async () => {
  const { real, chain, later } = await openTill();
  const [plain, surplus, late] = [await ask(real), await ask(real), await ask(real)];
  const reasons = async () => (await real.reported(50)).map(({ id, reasons: why }) => [id, why]);
  pay(chain, 1, 100n);
  pay(chain, 2, 130n);
  await settle(chain, real);
  expect(await reasons()).toEqual([[surplus, ["surplus"]]]);
  later(3 * 3600 + graceSeconds + 1);
  pay(chain, 3, 100n);
  await settle(chain, real);
  expect(await reasons()).toEqual([
    [late, ["late"]],
    [surplus, ["surplus"]],
  ]);
  chain.forget(3);
  await real.poll();
  expect(await real.reported(50)).toMatchObject([
    { id: late, reasons: ["review", "late"], reviewWhy: "vanished" },
    { id: surplus, reasons: ["surplus"] },
  ]);
  const slow = await ask(real);
  later(8 * 24 * 3600);
  expect(await reasons()).toEqual([
    [slow, ["slow"]],
    [late, ["review"]],
  ]);
  expect((await real.list()).map(({ id }) => id)).toContain(plain);
  expect(await real.reported(1)).toHaveLength(1);
});
