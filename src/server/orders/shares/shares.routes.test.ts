import { numberOf } from "../../../../test/kit/numbers.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startShop, type TestShop } from "../../../../test/kit/shop.ts";
import { topUp } from "../../../../test/kit/shelf.ts";
import * as inventory from "../../inventory/inventory.ts";
import { usd } from "../../platform/money.ts";

let shop: TestShop;
const domain = "hosted.test";
let batchId = 0;
let [admin, investor, token] = ["", "", ""];
beforeAll(async () => {
  shop = await startShop();
  admin = await shop.member("admin@example.com");
  investor = await shop.member("investor@example.com");
  token = await shop.member();
  const [own] = await shop.db<{ id: bigint }[]>`select id from users order by id desc limit 1`;
  await topUp(shop.db, own?.id ?? 0n, usd("1"));
  await shop.post("/api/admin/domains/add", { token: admin, name: domain, price: "0.01", kind: "own" });
  const [{ id: domainId } = { id: 0 }] = await shop.db<
    { id: number }[]
  >`select id from mail_domain where name = ${domain}`;
  const [who] = await shop.db<{ id: bigint }[]>`
    update users set is_investor = true where email = 'investor@example.com' returning id`;
  batchId = await inventory.addBatch(shop.db, {
    title: "theirs",
    sharePpm: 300_000,
    investorId: who?.id ?? 0n,
  });
  await shop.db`insert into investor_batch (batch_id, user_id, state, created_at, taken, malformed, unknown_domain, duplicate_in_file, duplicate)
                values (${batchId}, ${who?.id ?? 0n}, 'active', now(), 20, 0, 0, 0, 0)`;
  await inventory.addMailboxes(
    shop.db,
    batchId,
    domainId,
    Array.from({ length: 20 }, (_, nth) => `box${nth}`),
  );
});
afterAll(() => shop.stop());

async function received() {
  const { id, email } = await shop.order(token, { site: "instagram.com", domain });
  await shop.send({
    to: email,
    from: "security@instagram.com",
    subject: "123456 is your code",
    text: "123456",
  });
  expect(await shop.get("/email/getmessage", { token, id, wait: 30 })).toMatchObject({ status: "success" });
  return id;
}

const stats = () => shop.get("/investor/stats", { token: investor });
const batch = async () =>
  (await shop.get<Record<string, unknown>>("/investor/packsinfo", { token: investor }))["0"];

test("a buyer gets the price back for a letter that was not from the site, and is told so everywhere", async () => {
  const id = await received();
  const soon = Math.floor(Date.now() / 1000) + 3 * 24 * 3600;
  expect(await stats()).toMatchObject({
    total_amount: "0.0",
    today_amount: "0.0",
    need_to_pay: "0.0",
    held_amount: "0.003",
    held_operator: "0.0",
  });
  const { held_next: next } = await stats();
  expect(Math.abs(Number(next) - soon)).toBeLessThan(120);
  expect(await batch()).toMatchObject({ amount: "0.0", held: "0.003" });
  expect(await shop.get("/email/getmessage", { token, id })).toMatchObject({ not_from_site: "possible" });

  const { token: elsewhere } = await shop.post("/user/tokens/add", { token, name: "other", sites: "x.com" });
  expect(await shop.get("/email/notfromsite", { token: String(elsewhere), id })).toMatchObject({
    value: "token limit",
    exceeded: "sites",
  });
  const { token: limited } = await shop.post("/user/tokens/add", {
    token,
    name: "own",
    sites: "instagram.com",
  });
  expect(await shop.post("/email/notfromsite", { token: String(limited), id })).toEqual({
    status: "success",
    value: "refunded",
    balance: "1.0",
  });
  expect(await shop.get("/email/notfromsite", { token, id })).toMatchObject({ value: "already complained" });
  expect(await shop.get("/email/getmessage", { token, id })).toMatchObject({ not_from_site: "refunded" });
  const { data: steps } = await shop.get<{ data: { step: string; amount?: string }[] }>("/email/timeline", {
    token,
    id,
  });
  expect(steps.map(({ step, amount }) => [step, amount])).toEqual([
    ["ordered", "0.01"],
    ["letter", undefined],
    ["charged", "0.01"],
    ["refunded", "0.01"],
  ]);
  const { data: lines } = await shop.get<{ data: object[] }>("/user/statement", { token });
  expect(lines[0]).toMatchObject({ kind: "refund", amount: "0.01", activation_id: id });
  expect(await stats()).toMatchObject({ held_amount: "0.0", held_next: null });
  expect(await batch()).toMatchObject({ amount: "0.0", held: "0.0" });
});

test("an administrator sees what is held and decides; need_to_pay is what was released", async () => {
  const [first, second] = [await received(), await received()];
  await shop.db`update investor_share set due_at = null, complaint = 'review', complained_at = now() where order_id = ${await numberOf(shop.db, second)}`;
  const table = async (name: string) =>
    (await shop.get<{ rows: object[] }>(`/api/admin/tables/${name}`, { token: admin })).rows;
  expect(await table("shares")).toMatchObject([
    {
      batch: String(batchId),
      site: "instagram.com",
      held: "0.006",
      orders: 2,
      waiting: 1,
      letters: 3,
      refused: false,
    },
  ]);
  expect(await table("complaints")).toMatchObject([
    { id: second, state: "review", price: "0.01", by_buyer: 2, by_batch: 2 },
    { state: "refunded", by_buyer: 2 },
  ]);
  expect(await table("investors")).toMatchObject([{ held: "0.006", due: "0.0" }]);
  expect(await shop.get("/api/admin/overview", { token: admin })).toMatchObject({
    waiting: { shares: 0, complaints: 1 },
  });
  const refuse = { token: admin, order: second, decision: "refuse", reason: "It is from them." };
  expect(await shop.post("/api/admin/complaints/decide", { ...refuse, token })).toMatchObject({
    value: "no access",
  });
  expect(await shop.post("/api/admin/complaints/decide", refuse)).toMatchObject({ price: "0.01" });
  expect(await shop.post("/api/admin/complaints/decide", refuse)).toMatchObject({ value: "no complaint" });
  const release = {
    token: admin,
    batch: batchId,
    site: "instagram.com",
    decision: "release",
    reason: "Looked.",
  };
  expect(await shop.post("/api/admin/shares/decide", { ...release, site: "nothing.example" })).toMatchObject({
    value: "site",
  });
  expect(await shop.post("/api/admin/shares/decide", release)).toMatchObject({ count: 2, amount: "0.006" });
  expect(await shop.post("/api/admin/shares/decide", release)).toMatchObject({ value: "nothing held" });
  expect(await stats()).toMatchObject({ need_to_pay: "0.006", today_amount: "0.006", held_amount: "0.0" });
  expect(await shop.get("/email/notfromsite", { token, id: first })).toMatchObject({
    value: "not complainable",
  });
  const did = await shop.db<
    { did: string }[]
  >`select did from audit_log where by like 'user %' and did like '%s re%' order by id`;
  expect(did.map((each) => each.did)).toEqual(["complaints refuse", "shares release"]);
});

test("nothing offers a complaint that came too late", async () => {
  const id = await received();
  await shop.db`update investor_share set earned_at = now() - interval '73 hours' where order_id = ${await numberOf(shop.db, id)}`;
  expect(await shop.get("/email/getmessage", { token, id })).not.toHaveProperty("not_from_site");
  expect(await shop.get("/email/notfromsite", { token, id })).toMatchObject({ value: "not complainable" });
});
