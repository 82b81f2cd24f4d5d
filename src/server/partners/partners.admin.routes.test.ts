import { afterAll, beforeAll, expect, test } from "vitest";
import { topUp } from "../../../test/kit/shelf.ts";
import { usd } from "../platform/money.ts";
import { type Answer, startShop, type TestShop } from "../../../test/kit/shop.ts";

let shop: TestShop;
let admin: string;
let other: string;

beforeAll(async () => {
  shop = await startShop({ TRUST_PROXY: "loopback" });
  admin = await shop.member("admin@example.com");
  other = await idOf(await shop.member());
});
afterAll(() => shop.stop());

const idOf = async (token: string) => {
  const { data } = await shop.get("/user/information", { token });
  return String((data as { id: string }).id);
};

async function enterFrom(email: string, address: string) {
  const body = new URLSearchParams({ email, password: "correct horse", captcha: "off" });
  const headers = { "x-forwarded-for": address };
  await fetch(`${shop.url}/user/authorize`, { method: "POST", body, headers });
}

async function receiveWith(token: string, softId: string) {
  const asked = { token, site: "instagram.com", domain: "letters.test", soft_id: softId };
  const { id, email } = await shop.get("/email/order", asked);
  const from = "no-reply@mail.instagram.com";
  await shop.send({ to: String(email), from, subject: "Welcome", text: "Your code is 482913." });
  expect(await shop.get("/email/getmessage", { token, id: String(id), wait: "60" })).toMatchObject({
    status: "success",
  });
}

const fails: [string, "get" | "post", Record<string, string>, string][] = [
  ["/api/admin/partners", "get", { page: "x" }, "page"],
  ["/api/admin/partners/payout", "post", { partner: "1", way: "both", amount: "1" }, "way"],
  ["/api/admin/partners/payout", "post", { partner: "1", way: "soft", amount: "0" }, "payout"],
  ["/api/admin/partners/payout", "post", { partner: "99999", way: "soft", amount: "1" }, "no partner"],
  ["/api/admin/partners/payout", "post", { partner: "other", way: "soft", amount: "1" }, "more than due"],
  ["/api/admin/partners/decide", "post", { partner: "1", buyer: "2", decision: "keep" }, "decision"],
  [
    "/api/admin/partners/decide",
    "post",
    { partner: "other", buyer: "2", decision: "refuse" },
    "nothing held",
  ],
];

test.each(fails)("%s (%s %j) is refused: %s", async (path, method, asked, value) => {
  const of = asked["partner"] === "other" ? { ...asked, partner: other } : asked;
  expect(await shop[method](path, { token: admin, ...of })).toMatchObject({ status: "error", value });
});

test("only administrators see partners, pay them and decide", async () => {
  const token = await shop.member();
  const asked = { token, partner: "1", buyer: "1", way: "soft", amount: "1", decision: "refuse" };
  const answers: Answer[] = [
    await shop.get("/api/admin/partners", asked),
    await shop.get("/api/admin/partners/held", asked),
    await shop.post("/api/admin/partners/payout", asked),
    await shop.post("/api/admin/partners/decide", asked),
  ];
  expect(answers.map(({ value }) => value)).toEqual(Array.from({ length: 4 }, () => "no access"));
});

test("no administrator pays himself or decides about his own earnings", async () => {
  const self = await idOf(admin);
  const pay = { token: admin, partner: self, way: "soft", amount: "1" };
  expect(await shop.post("/api/admin/partners/payout", pay)).toMatchObject({ value: "yourself" });
  const decide = { token: admin, partner: self, buyer: "1", decision: "release" };
  expect(await shop.post("/api/admin/partners/decide", decide)).toMatchObject({ value: "yourself" });
});

test("a partner is listed, earnings by an account from the same address wait for a decision, and are paid once", async () => {
  const partner = await shop.member("partner@example.com");
  await enterFrom("partner@example.com", "198.51.100.7");
  const partnerId = await idOf(partner);
  const buyerEmail = "buyer@example.com";
  const buyer = await shop.member(buyerEmail);
  const buyerId = await idOf(buyer);
  await topUp(shop.db, BigInt(buyerId), usd("1"));
  await enterFrom(buyerEmail, "198.51.100.7");
  await receiveWith(buyer, partnerId);

  const held = await shop.get("/api/admin/partners/held", { token: admin });
  const [kept] = held["data"] as Record<string, string>[];
  expect(kept).toMatchObject({
    partner: { id: partnerId, email: "partner@example.com" },
    buyer: { id: buyerId, email: buyerEmail },
    reasons: ["address"],
    referrals: "0.0",
    referrals_count: 0,
    soft_count: 1,
  });
  const amount = String(kept?.["soft"]);
  expect(await softOf(partner)).toMatchObject({ earned: "0.0", held: amount, to_withdraw: "0.0" });
  const asked = { token: admin, partner: partnerId, buyer: buyerId, decision: "release", note: "one office" };
  expect(await shop.post("/api/admin/partners/decide", asked)).toMatchObject({ data: { soft: amount } });
  expect(await softOf(partner)).toMatchObject({ earned: amount, held: "0.0", to_withdraw: amount, count: 1 });

  const pay = { token: admin, partner: partnerId, way: "soft", amount, key: "first" };
  expect(await shop.post("/api/admin/partners/payout", pay)).toMatchObject({
    to_withdraw: "0.0",
    repeated: false,
  });
  expect(await shop.post("/api/admin/partners/payout", pay)).toMatchObject({
    to_withdraw: "0.0",
    repeated: true,
  });
  const { data: listed } = await shop.get("/api/admin/partners", { token: admin });
  expect(listed).toMatchObject([{ id: partnerId, blocked: false, soft: { payed: amount } }]);
  const { data: lines } = await shop.get("/user/statement", { token: partner, book: "soft" });
  expect(lines).toMatchObject([
    { kind: "payout", amount: `-${amount}`, balance: "0.0" },
    { kind: "release", amount, balance: amount },
  ]);
});

const softOf = async (token: string) =>
  ((await shop.get("/user/information", { token }))["data"] as { soft: object }).soft;
