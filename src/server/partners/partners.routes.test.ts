import { afterAll, beforeAll, expect, test } from "vitest";
import { startShop, type TestShop } from "../../../test/kit/shop.ts";

let shop: TestShop;
let newcomers = 0;

beforeAll(async () => {
  shop = await startShop();
});
afterAll(() => shop.stop());

async function register(ref: Record<string, string>, cookie = "") {
  const email = `newcomer${++newcomers}@example.com`;
  const body = new URLSearchParams({ email, password: "correct horse", recaptcha: "off", ...ref });
  const response = await fetch(`${shop.url}/user/registration`, {
    method: "POST",
    body,
    headers: { cookie },
  });
  const answer = (await response.json()) as { status: string; token: string };
  const [row] = await shop.db<{ by: bigint | null }[]>`
    select referred_by as by from users where email = ${email}`;
  return { email, by: row?.by, ...answer };
}

async function partner(word: string) {
  const token = await shop.member();
  const { data } = await shop.get("/user/information", { token });
  const chosen = await shop.get("/user/addReferralWord", { token, word });
  return { token, chosen, id: BigInt((data as { id: string }).id) };
}

const earningsOf = async (token: string) =>
  (await shop.get("/user/information", { token }))["data"] as Record<"referrals" | "soft", object>;

test("a visitor with a partner's word is referred for good; an unknown or malformed word is no obstacle", async () => {
  const first = await partner("First-Word");
  const second = await partner("second");
  expect((await register({}, "ref_code=first-word")).by).toBe(first.id);
  expect((await register({ ref: "FIRST-WORD" })).by).toBe(first.id);
  expect((await register({ ref: "second" }, "ref_code=first-word")).by).toBe(second.id);
  expect((await register({}, "ref_code=of-nobody")).by).toBeNull();
  expect((await register({}, "ref_code=no%20word")).by).toBeNull();
  expect((await register({}, 'ref_code="first-word"')).by).toBe(first.id);
  expect((await register({ ref: "of-nobody" }, "ref_code=first-word")).by).toBe(first.id);
  expect((await register({})).by).toBeNull();
  expect((await earningsOf(first.token)).referrals).toMatchObject({ count: 4 });
});

test("who registers from his partner's network or mailbox is told apart for good, also a month later", async () => {
  const { id, token } = await partner("watchful");
  await shop.db`update users set email = 'f.ox@gmail.com' where id = ${id}`;
  const ties = async (userEmail: string) => {
    const [tie] = await shop.db<{ reasons: string[] }[]>`
      select reasons from partner_tie t join users u on u.id = t.user_id where u.email = ${userEmail} and t.partner_id = ${id}`;
    return tie?.reasons;
  };
  const body = (email: string) => ({ email, password: "correct horse", recaptcha: "off", ref: "watchful" });
  await shop.post("/user/registration", body("fo.x+second@googlemail.com"));
  expect(await ties("fo.x+second@googlemail.com")).toEqual(["email"]);
  await shop.post("/user/registration", body("stranger@gmail.com"));
  expect(await ties("stranger@gmail.com")).toBeUndefined();
  expect(token).not.toBe("");
});

test("registering again under another word changes nothing", async () => {
  const [first, second] = [await partner("bound"), await partner("rival")];
  const { email } = await register({ ref: "bound" });
  await shop.post("/user/registration", {
    email,
    password: "correct horse",
    recaptcha: "off",
    ref: "rival",
  });
  const [row] = await shop.db<{ by: bigint }[]>`select referred_by as by from users where email = ${email}`;
  expect([row?.by, second.id]).toEqual([first.id, expect.any(BigInt)]);
});

test("a word is chosen, changed, refused when it is another's or malformed, and shown in the account", async () => {
  const { token, chosen } = await partner("nora");
  expect(chosen).toEqual({
    status: "success",
    success: true,
    word: "nora",
    link: `${shop.url}/?ref=nora`,
  });
  const today = new Date().toISOString().slice(0, 10);
  expect((await earningsOf(token)).referrals).toMatchObject({ link: `${shop.url}/?ref=nora`, date: today });
  const { token: other } = await partner("other");
  expect(await shop.post("/user/addReferralWord", { token: other, word: "NORA" })).toMatchObject({
    status: "error",
    value: "word taken",
  });
  expect(await shop.get("/user/addReferralWord", { token, word: "ProductHunt" })).toMatchObject({
    value: "word taken",
  });
  expect(await shop.get("/user/addReferralWord", { token, word: "no word" })).toMatchObject({
    value: "word",
  });
  expect(await shop.post("/user/addReferralWord", { token, word: "Nora-2" })).toMatchObject({
    link: `${shop.url}/?ref=Nora-2`,
  });
});

test("an account that is not activated has no link yet", async () => {
  const { token } = await register({});
  expect(await shop.get("/user/addReferralWord", { token, word: "early" })).toMatchObject({
    value: "account not activated",
  });
  expect(await earningsOf(token)).toMatchObject({
    referrals: { link: null, word: null, date: null, earned: "0.0", payed_date: null },
    soft: { earned: "0.0", payed: "0.0", payed_date: null, to_withdraw: "0.0", held: "0.0", count: 0 },
  });
});

test("a browser keeps the word of the link through the redirect and registers under it", async () => {
  const { id } = await partner("walked");
  const arrived = await fetch(`${shop.url}/?ref=walked`, {
    headers: { cookie: "language=hi" },
    redirect: "manual",
  });
  expect([arrived.status, arrived.headers.get("location")]).toEqual([302, "/hi"]);
  const [cookie = ""] = arrived.headers.getSetCookie();
  expect(cookie).toBe("ref_code=walked; Max-Age=7776000; Path=/; SameSite=Lax");
  expect((await register({}, cookie.split(";")[0])).by).toBe(id);
});

test("nothing was earned yet: both series are empty", async () => {
  const { token } = await partner("empty");
  expect(await shop.get("/stats/soft", { token })).toEqual({ status: "success", data: [] });
  expect(await shop.get("/stats/referral", { token })).toEqual({ status: "success", data: [] });
  expect(await shop.get("/stats/soft", {})).toMatchObject({ status: "error", value: "token" });
});
