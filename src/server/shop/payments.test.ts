import { expect, test, onTestFinished } from "vitest";
import { sayTo } from "../../../test/kit/command.ts";
import { createDatabase } from "../../../test/kit/database.ts";
import { openMarket, sellingAt } from "../../../test/kit/market.ts";
import * as clocks from "../platform/clock.ts";
import { readConfig } from "../platform/config/config.ts";
import { createLog } from "../platform/log.ts";
import { usd } from "../platform/money.ts";
import { paymentsOf } from "../payments/payments.ts";

const { db } = await createDatabase();
const log = createLog("silent");

const say = (settings: Record<string, string>, ...words: string[]) => sayTo(db, words, settings);

test("what came to a payment is credited or rejected by the operator, with a reason, and its history is told in words", async () => {
  const payments = paymentsOf({ db, config: readConfig({}), log });
  const created = await payments.create({ userId: 7n, currency: "eth", usd: usd("100") });
  if (typeof created === "string") throw new Error(created);
  const id = String(created.id);
  expect(await say({}, "payments", "decide", id, "credit", "--reason", "x")).toMatchObject({
    status: 1,
    err: `#${id}: The payment is not under review; "payments show" shows its state.\n`,
  });
  await payments.confirm(created.id, "operator", "0.0001");
  await db`update payment set created_at = now() - interval '3 days', expires_at = now() - interval '2 days', judge_at = now()`;
  await payments.poll();

  const wrong = await say({}, "payments", "decide", id, "burn", "--reason", "x");
  expect(wrong).toMatchObject({ status: 2 });
  expect(wrong.err).toContain("there are credit, credit_locked, reject");
  expect((await say({}, "payments", "decide", id, "credit")).status).toBe(2);
  expect(await say({}, "payments", "decide", id, "reject", "--locked", "--reason", "x")).toMatchObject({
    status: 2,
    err: expect.stringContaining("--locked does not go with reject") as string,
  });
  expect(await say({}, "payments", "decide", id, "credit", "--reason", "he asked for it")).toMatchObject({
    status: 0,
    out: `The payment ${id} is credited: 0.299994 dollars in all.\n`,
  });
  const { out } = await say({}, "payments", "show", id);
  for (const sentence of [
    "requested; 0.033334 eth for 100.0 dollars; rate 3000.0 (fixed)",
    "a transfer was seen; 0.0001 eth; sandbox:1:0",
    "too little has come",
    "expired, and too little came to be credited",
    "decided; credit by operator: he asked for it; 0.299994 dollars",
  ])
    expect(out).toContain(sentence);
});

test("a payment is found by what a buyer says of it: the account, its address, or the transaction", async () => {
  const payments = paymentsOf({ db, config: readConfig({}), log });
  const [payer] = await db<{ id: bigint }[]>`
    insert into users (email, password_hash, token_hash, token_sealed, name, activated_at)
    values ('payer@example.com', '', 'payer'::bytea, '', 'Pat', now()) returning id`;
  const make = async (userId: bigint) => {
    const created = await payments.create({ userId, currency: "eth", usd: usd("100") });
    if (typeof created === "string") throw new Error(created);
    return created;
  };
  const [own, others] = [await make(payer!.id), await make(9n)];
  await payments.confirm(others.id, "operator", "0.0001");
  const [{ txid } = { txid: "" }] = await db<{ txid: string }[]>`
    select txid from chain_transfer where payment_id = ${others.id}`;
  const [{ address } = { address: "" }] = await db<{ address: string }[]>`
    select address from payment where id = ${own.id}`;
  const ids = async (...words: string[]) => {
    const { out, err } = await say({}, "payments", "list", "--json", ...words);
    expect(err).toBe("");
    return (JSON.parse(out) as { id: string }[]).map((payment) => payment.id);
  };
  const [all] = [await ids()];
  expect(all.length).toBeGreaterThanOrEqual(2);
  expect(await ids("--user", "payer@example.com")).toEqual([String(own.id)]);
  expect(await ids("--find", address)).toEqual([String(own.id)]);
  expect(await ids("--find", txid)).toContain(String(others.id));
  expect(await ids("--find", txid)).not.toContain(String(own.id));
  expect(await ids("--find", "nothing-of-ours")).toEqual([]);
  expect(await say({}, "payments", "list", "--user", "nobody@example.com")).toMatchObject({ status: 1 });
});

test("rates are shown with who told them, and one that has jumped is released", async () => {
  const market = await openMarket(clocks.now());
  onTestFinished(market.close);
  const settings = sellingAt(market);
  const { rates } = paymentsOf({ db, config: readConfig(settings), log });
  const poll = async (price: string) => {
    market.sayAll("ETH", price);
    await rates.poll(new AbortController().signal);
  };
  await poll("3000");
  market.say("kraken", "ETH", "3300");
  await rates.poll(new AbortController().signal);
  const { out } = await say(settings, "rates", "list");
  expect(out).toMatch(/ETH +3000\.0 +binance 3000\.0 \(\d+ s\).*kraken 3300\.0 \(\d+ s, outvoted\)/);
  expect(out).toMatch(/coingecko +20\d\d-/);
  await poll("4000");
  expect((await say(settings, "rates", "list")).out).toContain('it has jumped: "rates release" accepts it');
  const { out: json } = await say(settings, "rates", "list", "--json");
  expect(JSON.parse(json)).toMatchObject({
    rates: [{ coin: "ETH", usd: null, why: "held", held: { from: "3000.0", to: "4000.0" } }, { usd: "1.0" }],
  });
  expect(await say(settings, "rates", "release", "doge")).toMatchObject({
    status: 2,
    err: expect.stringContaining("there are USDT, ") as string,
  });
  expect(await say(settings, "rates", "release", "eth")).toMatchObject({ status: 0 });
  expect((await rates.rateOf("eth"))?.usd).toBe(usd("4000"));
  expect((await say(settings, "rates", "release", "eth")).err).toBe(
    "ETH: The rate of this coin is not held.\n",
  );
});
