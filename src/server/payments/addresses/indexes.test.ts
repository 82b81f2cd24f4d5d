// @module-tag slow
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ask, buyer, openTill, see } from "../../../../test/kit/till.ts";
import * as journal from "../../journal/journal.ts";
import { createLog } from "../../platform/log.ts";
import { usd } from "../../platform/money.ts";
import { type FakeChain, openFakeChain } from "../../../../test/kit/fakeChain.ts";
import { openIssuedAddresses } from "./issued.ts";
import { openPayments, skipIndexes } from "../payments.ts";
import { sandboxRates } from "../rates/rates.ts";

type Till = Awaited<ReturnType<typeof openTill>>;

/** Another process of the same shop after a start: it has asked no chain yet. */
function restart({ db, clock }: Till, networks: FakeChain[], { path }: { path?: string } = {}) {
  const lines: string[] = [];
  const log = createLog("info", { write: (line: string) => void lines.push(line) });
  const listed = path === undefined ? {} : { issued: openIssuedAddresses(path) };
  const payments = openPayments({ db, networks, rates: sandboxRates(), log, clock, ...listed });
  return { payments, lines };
}

function listPath(): string {
  const folder = mkdtempSync(join(tmpdir(), "postern-given-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, "data", "addresses.csv");
}

async function restore({ db }: Till, next: number) {
  await db`delete from payment_event`;
  await db`delete from payment where address_index >= ${next}`;
  await db`update address_counter set next_index = ${next}`;
}

const addressOf = async (payments: Till["real"]) => (await see(payments, await ask(payments))).address;

test("the first address of a wallet is never issued: its owner receives money there", async () => {
  const { real } = await openTill();
  expect(await addressOf(real)).toBe("Fake1");
  expect(await addressOf(real)).toBe("Fake2");
});

test("after a restore no address is given that a chain of its family knows, nor those that may have been given with it", async () => {
  const till = await openTill();
  const bsc = { ...openFakeChain("bep20", till.clock), family: till.chain.family };
  for (let made = 0; made < 5; made++) await ask(till.real);
  bsc.pay("fake5", 1n, "bep20");
  bsc.mine();
  till.chain.pay("fake4", 1n);
  till.chain.mine();
  await restore(till, 2);
  const { payments, lines } = restart(till, [till.chain, bsc]);
  expect(await addressOf(payments)).toBe("Fake1006");
  expect(lines.filter((line) => line.includes("as after a restore"))).toHaveLength(1);
  const calm = restart(till, [till.chain, bsc]);
  expect(await addressOf(calm.payments)).toBe("Fake1007");
  expect(calm.lines.filter((line) => line.includes("as after a restore"))).toEqual([]);
});

test("used addresses are found behind hundreds of unpaid ones", async () => {
  const till = await openTill();
  for (const index of [55, 300]) till.chain.pay(`fake${index}`, 1n);
  till.chain.mine();
  const { payments } = restart(till, [till.chain]);
  expect(await addressOf(payments)).toBe("Fake1301");
});

test("a shop that is restored without its list gives no address twice, however many strangers left theirs unpaid", async () => {
  const till = await openTill();
  const given = new Set<string>();
  const askAs = async (payments: Till["real"], userId: bigint) => {
    const created = await payments.create({ userId, currency: "erc", usd: usd("5") });
    if (typeof created === "string") throw new Error(created);
    const [row] = await till.db<{ address: string }[]>`select address from payment where id = ${created.id}`;
    return row?.address ?? "";
  };
  for (let nth = 0; nth < 150; nth++) given.add(await askAs(till.real, BigInt(100 + nth)));
  till.chain.pay("fake140", 1n);
  till.chain.mine();
  await restore(till, 2);
  const { payments } = restart(till, [till.chain]);
  expect(given).not.toContain(await askAs(payments, 7n));
});

test("a chain that cannot tell what was used is asked for balances", async () => {
  const till = await openTill();
  till.chain.pay("fake7", 1n);
  till.chain.mine();
  const { used: _, ...simple } = till.chain;
  const { payments } = restart(till, [simple as FakeChain]);
  expect(await addressOf(payments)).toBe("Fake1008");
});

test("the list of given addresses stands in for a counter that was restored, for what was never paid too", async () => {
  const till = await openTill();
  const path = listPath();
  const { payments } = restart(till, [till.chain], { path });
  for (let made = 0; made < 3; made++) await ask(payments);
  expect(readFileSync(path, "utf8").split("\n")).toEqual([
    "2030-01-01T00:00:00.000Z,fake ethereum,1,Fake1",
    "2030-01-01T00:00:00.000Z,fake ethereum,2,Fake2",
    "2030-01-01T00:00:00.000Z,fake ethereum,3,Fake3",
    "",
  ]);
  // A line cut short by a crash is no index, and the next line stays whole.
  appendFileSync(path, "2030-01-01T00:00:00.000Z,fake ethereum,99");
  await restore(till, 1);
  expect(await addressOf(restart(till, [till.chain], { path }).payments)).toBe("Fake4");
  await restore(till, 1);
  expect(await addressOf(restart(till, [till.chain], { path }).payments)).toBe("Fake5");
});

test("while a node is down nothing of its family is sold, and the rest of the shop is; it is asked again by itself", async () => {
  const till = await openTill();
  const bsc = { ...openFakeChain("bep20", till.clock), family: till.chain.family };
  const litecoin = openFakeChain("ltc", till.clock);
  till.chain.isDown = true;
  const { payments } = restart(till, [till.chain, bsc, litecoin]);
  const create = (currency: string) => payments.create({ userId: buyer, currency, usd: usd("10") });
  expect(await create("erc")).toBe("wallet");
  expect(await create("bep20")).toBe("wallet");
  expect(await create("ltc")).toHaveProperty("id");
  const whys = Object.fromEntries(
    (await payments.currencies()).map(({ currency, why }) => [currency.id, why]),
  );
  expect(whys).toMatchObject({ erc: "wallet", bep20: "wallet", ltc: undefined });
  till.chain.isDown = false;
  expect(await create("erc")).toBe("wallet");
  till.later(15);
  expect(await create("erc")).toHaveProperty("id");
  till.chain.isDown = true;
  till.later(60);
  expect(await create("bep20")).toHaveProperty("id");
});

test("a chain that is not the one of the settings sells nothing", async () => {
  const till = await openTill();
  const chain = { ...till.chain, check: () => Promise.reject(new Error("the chain id is 5 and not 1")) };
  const { payments, lines } = restart(till, [chain]);
  expect(await payments.create({ userId: buyer, currency: "erc", usd: usd("10") })).toBe("wallet");
  expect(lines.join()).toContain("the chain id is 5 and not 1");
});

test("processes that start together after a restore give no address twice", async () => {
  const till = await openTill();
  till.chain.pay("fake3", 1n);
  till.chain.mine();
  const processes = Array.from({ length: 5 }, () => restart(till, [till.chain]).payments);
  const ids = await Promise.all(processes.map((one) => ask(one)));
  const views = await Promise.all(ids.map((id) => see(till.real, id)));
  const addresses = views.map(({ address }) => address);
  expect(new Set(addresses).size).toBe(5);
  expect(addresses.every((address) => Number(address.slice(4)) >= 104)).toBe(true);
});

test("an operator skips numbers after a restore, and it is written down", async () => {
  const till = await openTill();
  await ask(till.real);
  const family = till.chain.family;
  expect(await skipIndexes(till.db, [family, "ton"], 1000n, "operator")).toEqual([
    { family, next: 1002n },
    { family: "ton", next: 1001n },
  ]);
  expect(await addressOf(till.real)).toBe("Fake1002");
  expect(await journal.list(till.db, { about: family })).toMatchObject([
    { by: "operator", did: "wallets skip", before: { next: "2" }, after: { next: "1002" } },
  ]);
});
