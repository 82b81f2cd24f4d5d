// @module-tag slow
import { numberOf } from "../../../test/kit/numbers.ts";
import { afterAll, beforeAll, expect, test, onTestFinished } from "vitest";
import { invariantNames } from "../../contract/office/audit.ts";
import { createDatabase } from "../../../test/kit/database.ts";
import { openMarket, sellingAt } from "../../../test/kit/market.ts";
import { meanwhile } from "../../../test/kit/backoffice.ts";
import { type Answer, startShop, type TestShop } from "../../../test/kit/shop.ts";
import * as journal from "../journal/journal.ts";
import { type Caller, Refused, type Route } from "../platform/http/answer.ts";
import * as clocks from "../platform/clock.ts";
import { readConfig } from "../platform/config/config.ts";
import { createLog } from "../platform/log.ts";
import { audit } from "../orders/orders.ts";
import { paymentsOf } from "../payments/payments.ts";
import type { ActServices } from "./office.acts.ts";
import { actRoutes } from "./office.acts.routes.ts";
import { lookRoutes } from "./office.letters.routes.ts";

let shop: TestShop;
let admin: string;

beforeAll(async () => {
  shop = await startShop();
  admin = await shop.member("admin@example.com");
});
afterAll(() => shop.stop());

const look = (path: string, asked: Record<string, string> = {}): Promise<Answer> =>
  shop.get(`/api/admin/${path}`, { token: admin, ...asked });

test(
  "letters to the postmaster are listed page by page and read; of a buyer's letter only the way is told, and every look is written down",
  { tags: ["full"] },
  async () => {
    for (let count = 0; count < 26; count++)
      await shop.send({
        to: "postmaster@letters.test",
        from: "who@elsewhere.example",
        subject: `Complaint ${count}`,
        text: "You sent me junk.",
      });
    await expect
      .poll(async () => (await shop.db`select 1 from letter where judged_at is null`).length)
      .toBe(0);
    const first = await look("letters");
    const listed = first["data"] as { id: string; subject: string }[];
    expect(listed.map(({ subject }) => subject)).toEqual(
      Array.from({ length: 25 }, (_, place) => `Complaint ${25 - place}`),
    );
    const rest = await look("letters", { before: String(first["next"]) });
    expect(rest["data"]).toMatchObject([{ subject: "Complaint 0", envelope: "who@elsewhere.example" }]);
    expect(rest).not.toHaveProperty("next");
    const mine = listed[0]?.id ?? "";
    const read = await look(`letters/${mine}`);
    expect(read).toMatchObject({ id: mine, is: "postmaster", subject: "Complaint 25" });
    expect(String(read["text"]).trim()).toBe("You sent me junk.");

    const token = await shop.member();
    const user = ((await shop.get("/user/information", { token }))["data"] as { id: string }).id;
    const money = { token: admin, user, amount: "1", reason: "to try", key: "first" };
    await shop.post("/api/admin/users/adjust", money);
    const order = { token, site: "instagram.com", domain: "letters.test" };
    const { id, email } = await shop.get("/email/order", order);
    const from = "no-reply@mail.instagram.com";
    await shop.send({ to: String(email), from, subject: "Code 482913", text: "Your code is 482913." });
    const { letter_id } = await shop.get("/email/getmessage", { token, id: String(id), wait: "60" });
    const way = await look(`letters/${String(letter_id)}`);
    expect(way).toMatchObject({ is: "given", subject: "Code ######", envelope: from });
    expect(String(way["headers"])).toContain("From:");
    expect(way).not.toHaveProperty("text");
    expect(JSON.stringify(way)).not.toContain("482913");
    expect(
      await journal.list(shop.db, { about: `letter ${await numberOf(shop.db, letter_id)}` }),
    ).toMatchObject([{ did: "letters show" }]);

    expect(await look("letters/999999999")).toMatchObject({ status: "error", value: "letter gone" });
    expect(await look("letters", { before: "x" })).toMatchObject({ status: "error", value: "before" });
  },
);

test("no table tells the code of a letter that was turned away, and its newest letter can be looked into", async () => {
  const token = await shop.member();
  const user = ((await shop.get("/user/information", { token }))["data"] as { id: string }).id;
  await shop.post("/api/admin/users/adjust", { token: admin, user, amount: "1", reason: "to try", key: "b" });
  const { email } = await shop.get("/email/order", { token, site: "discord.com", domain: "letters.test" });
  await shop.send({
    to: String(email),
    from: "codes@elsewhere.example",
    subject: "719204 is your code",
    text: "Your code is 719204.",
  });
  const rows = async () => {
    const told = await look("tables/turned_away", { search: "elsewhere.example" });
    return (told["rows"] as Record<string, string>[]).filter(({ site }) => site === "discord.com");
  };
  await expect.poll(async () => (await rows()).length).toBe(1);
  const [row] = await rows();
  expect(row).toMatchObject({ sender: "elsewhere.example", subject: "###### is your code" });
  const file = await fetch(
    `${shop.url}/api/admin/tables/turned_away/file.csv?token=${admin}&search=elsewhere.example`,
  );
  const text = await file.text();
  expect(text).toContain("###### is your code");
  expect(text).not.toContain("719204");
  const newest = await look(`letters/${row?.["letter"]}`);
  expect(newest).toMatchObject({ is: "turned away", subject: "###### is your code" });
  expect(newest).not.toHaveProperty("text");
});

test("an audit names every invariant and what breaks it, and only one runs at a time", async () => {
  const run = () => look("audit");
  const [whole, second] = await meanwhile(shop, "lock table transfer in access exclusive mode", run, run);
  expect(second).toMatchObject({ status: "error", value: "audit under way" });
  expect(whole).toMatchObject({ status: "success", holds: true });
  const names = (whole["invariants"] as { name: string }[]).map(({ name }) => name);
  expect(names.toSorted()).toEqual(invariantNames.toSorted());

  const [broken] = await shop.db<{ id: bigint }[]>`
    update account set balance = balance + 1 where id = (select min(id) from account where user_id is not null) returning id`;
  const after = await look("audit");
  expect(after).toMatchObject({ status: "success", holds: false });
  expect(JSON.stringify(after["invariants"])).toContain(`"account ${broken?.id}"`);
  await shop.db`update account set balance = balance - 1 where id = ${broken?.id ?? 0n}`;
});

test("an audit that takes longer than it may is given up", async () => {
  expect(await audit(shop.db, { seconds: 0 })).toBe("too long");
});

test("rates are shown; in a demonstration none is ever held", async () => {
  const { data } = await look("rates");
  expect(data).toContainEqual({ coin: "ETH", usd: "3000.0", quotes: [] });
  const coins = (data as { coin: string }[]).map(({ coin }) => coin);
  expect(new Set(coins).size).toBe(coins.length);
  const release = (coin: string) => shop.post("/api/admin/rates/release", { token: admin, coin });
  expect(await release("ETH")).toMatchObject({ status: "error", value: "not held" });
  expect(await release("DOGE")).toMatchObject({ status: "error", value: "coin" });
});

test("a rate that has jumped is shown as held and released by an administrator, once", async () => {
  const { db } = await createDatabase();
  const market = await openMarket(clocks.now());
  onTestFinished(market.close);
  const config = readConfig(sellingAt(market));
  const payments = paymentsOf({ db, config, log: createLog("silent") });
  const services = { db, payments };
  const routes = [...lookRoutes(services), ...actRoutes(services as unknown as ActServices)];
  const caller: Caller = { userId: 7n, active: true, admin: true, investor: false, token: "" };
  const ask = (name: string, asked: Record<string, unknown>) => {
    const route = routes.find(({ endpoint }) => endpoint.name === name) as Route;
    return route.handle(asked, caller, undefined as never);
  };
  for (const price of ["3000", "4000"]) {
    market.sayAll("ETH", price);
    await payments.rates.poll(new AbortController().signal);
  }
  const eth = async () => {
    const { data } = (await ask("rates", {})) as { data: { coin: string }[] };
    return data.find(({ coin }) => coin === "ETH");
  };
  expect(await eth()).toMatchObject({ why: "held", held: { from: "3000.0", to: "4000.0" } });
  expect(await ask("releaseRate", { coin: "ETH" })).toMatchObject({ coin: "ETH" });
  expect(await eth()).toMatchObject({ usd: "4000.0" });
  expect(await ask("releaseRate", { coin: "ETH" })).toBeInstanceOf(Refused);
  expect(await journal.list(db, { about: "rate ETH" })).toMatchObject([
    { by: "user 7", did: "rates release", before: { from: "3000.0", to: "4000.0" } },
  ]);
});
