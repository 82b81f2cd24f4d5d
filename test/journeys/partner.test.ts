// @module-tag slow
import { afterAll, beforeAll, expect, test } from "vitest";
import { languageCodes } from "../../src/i18n/languages.ts";
import { usd } from "../../src/server/platform/money.ts";
import { startShop, type TestShop } from "../kit/shop.ts";

// A partner's link from the first click to the 5 %, over pages, HTTP, SMTP and the outbox.

let shop: TestShop;
let admin: string;
let partner: string;
let softId: string;

beforeAll(async () => {
  shop = await startShop();
  admin = await shop.member("admin@example.com");
  partner = await shop.member("partner@example.com");
  await shop.post("/user/addReferralWord", { token: partner, word: "Nora_K" });
  softId = (await standing()).soft.id;
});
afterAll(() => shop.stop());

type Earned = { earned: string; held: string; to_withdraw: string; count: number };

async function standing() {
  const { data } = await shop.get("/user/information", { token: partner });
  return data as { referrals: Earned & { link: string }; soft: Earned & { id: string } };
}

/** Follows redirects; answers the cookies and the last address. */
async function arrive(address: string, language: string) {
  const jar = new Map([["language", language]]);
  let at = new URL(address, shop.url);
  for (;;) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await fetch(at, { redirect: "manual", headers: { cookie } });
    for (const set of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      jar.set(name, value);
    }
    const next = answer.headers.get("location");
    if (next === null) return { status: answer.status, at: at.pathname + at.search, jar };
    at = new URL(next, at);
  }
}

/** Registers with the cookies, activates, tops up by a sandbox payment. */
async function join(email: string, jar: ReadonlyMap<string, string>) {
  const body = new FormData();
  const form = { email, password: "correct horse", localization: "ru", recaptcha: "off" };
  for (const [name, value] of Object.entries(form)) body.append(name, value);
  const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
  const sent = { method: "POST", body, headers: { cookie } };
  const { token } = (await (await fetch(`${shop.url}/user/registration`, sent)).json()) as { token: string };
  await shop.post("/user/activate", { token, code: await shop.codeFor(email) });
  const { id } = await shop.get("/payments/create", { token, wallet: "trx", amount: "5" });
  expect(await shop.post(`/api/admin/payments/confirm/${String(id)}`, { token: admin })).toMatchObject({
    payment_status: 1,
  });
  return token;
}

async function receive(token: string, more: Record<string, string> = {}) {
  const asked = { token, site: "instagram.com", domain: "letters.test", ...more };
  const { id, email, soft_id } = await shop.get("/email/order", asked);
  expect(soft_id).toBe(more["soft_id"]?.trim());
  const from = "no-reply@mail.instagram.com";
  await shop.send({ to: String(email), from, subject: "Welcome", text: "Your code is 482913." });
  const read = await shop.get("/email/getmessage", { token, id: String(id), wait: "60" });
  expect(read).toMatchObject({ status: "success", code: "482913" });
}

/** The sum of a series: a test at midnight has two days. */
async function seriesOf(path: string) {
  const { data } = await shop.get(path, { token: partner });
  const days = data as { date: string; earned: string; count: number }[];
  for (const { date } of days) expect(date).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  const sum = (total: bigint, { earned }: { earned: string }) => total + usd(earned);
  return { earned: days.reduce(sum, 0n), count: days.reduce((total, day) => total + day.count, 0) };
}

test.each(languageCodes)(
  "in %s the word is kept through the redirect and is in no later address",
  async (language) => {
    for (const [from, to] of [
      ["/?ref=nora_k", `/${language}`],
      ["/docs?ref=nora_k&x=1", `/${language}/docs?x=1`],
      [`/${language}/docs?ref=nora_k`, `/${language}/docs`],
    ] as const) {
      const { status, at, jar } = await arrive(from, language);
      expect([status, at, jar.get("ref_code")]).toEqual([200, to, "nora_k"]);
    }
    expect((await arrive("/?ref=no%20word", language)).jar.get("ref_code")).toBeUndefined();
  },
);

test("a visitor comes by the link, registers, tops up, orders and receives; the partner sees him and 5 % at once", async () => {
  const { jar } = await arrive("/?ref=nora_k", "hi");
  const visitor = await join("visitor@example.com", jar);
  const link = `${shop.url}/?ref=Nora_K`;
  expect((await standing()).referrals).toMatchObject({ link, count: 1, earned: "0.0" });

  await receive(visitor);
  // The address costs 0.0035 dollars.
  expect((await standing()).referrals).toMatchObject({
    earned: "0.000175",
    to_withdraw: "0.000175",
    held: "0.0",
  });
  expect((await standing()).soft).toMatchObject({ earned: "0.0", count: 0 });

  await receive(visitor, { soft_id: ` ${softId}` });
  await receive(visitor, { soft_id: "999999" });
  const { id } = await shop.get("/email/order", {
    token: visitor,
    site: "instagram.com",
    domain: "letters.test",
  });
  await shop.get("/email/cancel", { token: visitor, id: String(id) });
  expect(await standing()).toMatchObject({
    referrals: { earned: "0.000525", count: 1 },
    soft: { earned: "0.000175", count: 1 },
  });
  expect(await seriesOf("/stats/referral")).toEqual({ earned: usd("0.000525"), count: 3 });
  expect(await seriesOf("/stats/soft")).toEqual({ earned: usd("0.000175"), count: 1 });
  const statement = await shop.get("/user/statement", { token: partner, book: "referrals" });
  expect(statement["data"]).toMatchObject(
    Array.from({ length: 3 }, () => ({ kind: "referral", amount: "0.000175" })),
  );
  // Whoever earns by an order of another learns nothing of it.
  for (const line of statement["data"] as object[]) {
    expect(line).not.toHaveProperty("site");
    expect(line).not.toHaveProperty("email");
  }
});

test("a partner earns nothing from his own orders, with his own Soft ID neither", async () => {
  const before = await standing();
  const { id } = await shop.get("/payments/create", { token: partner, wallet: "trx", amount: "5" });
  await shop.post(`/api/admin/payments/confirm/${String(id)}`, { token: admin });
  await receive(partner, { soft_id: softId });
  expect(await standing()).toMatchObject({ referrals: before.referrals, soft: before.soft });
});
