// @module-tag slow
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { outboxCode } from "../../../test/kit/outbox.ts";
import { outliveProofs, tokenOfPrograms } from "../../../test/kit/proofs.ts";
import { soon } from "../../../test/kit/soon.ts";
import { startShop, type TestShop } from "../../../test/kit/shop.ts";
import { proofSeconds } from "../../contract/limits.ts";
import { now, unixSeconds } from "../platform/clock.ts";

let shop: TestShop;
let admin: string;
const password = "correct horse";

beforeAll(async () => {
  // So that callers may have addresses of their own.
  shop = await startShop({ TRUST_PROXY: "loopback" });
  admin = await shop.member("admin@example.com");
});
afterAll(() => shop.stop());

const idOf = async (token: string) =>
  (await shop.get<{ data: { id: string } }>("/user/information", { token })).data.id;
const replace = (token: string) => shop.post("/user/replacetoken", { token });
const prove = (token: string, secret = password) => shop.post("/user/prove", { token, password: secret });

test("signing in is a proof for ten minutes; then the password is asked for again, and counts as long", async () => {
  const token = await shop.member();
  expect(await replace(token)).toMatchObject({ status: "success" });
  await outliveProofs(shop, token);
  expect(await replace(token)).toMatchObject({ value: "proof", message: "proof", next: "/user/prove" });
  expect(await shop.get("/user/proof", { token })).toMatchObject({ ways: ["password"] });
  expect(await prove(token, "wrong horse")).toMatchObject({ value: "invalid password" });
  expect(await shop.post("/user/prove", { token })).toMatchObject({ value: "invalid password" });
  expect(await replace(token)).toMatchObject({ value: "proof" });
  const { proved_until: until } = await prove(token);
  expect(Math.abs(Number(until) - unixSeconds(now()) - proofSeconds)).toBeLessThan(60);
  expect(await replace(token)).toMatchObject({ status: "success" });
});

test("a proof is of one session: another one of the account is asked for its own", async () => {
  const email = "two.places@example.com";
  const first = await shop.member(email);
  const said = await shop.post("/user/authorize", { email, password, captcha: "off" });
  const second = (said["data"] as { token: string }).token;
  await outliveProofs(shop, first);
  await prove(second);
  expect(await replace(first)).toMatchObject({ value: "proof" });
  expect(await replace(second)).toMatchObject({ status: "success" });
});

test("every process hears of a proof, and that one is too old", async () => {
  const elsewhere = await startShop({}, shop);
  onTestFinished(() => elsewhere.stop());
  const token = await shop.member();
  await outliveProofs(shop, token);
  await outliveProofs(elsewhere, token);
  expect(await elsewhere.post("/user/replacetoken", { token })).toMatchObject({ value: "proof" });
  await prove(token);
  await vi.waitFor(
    async () =>
      expect(await elsewhere.post("/user/replacetoken", { token })).toMatchObject({ status: "success" }),
    soon,
  );
});

test("who has found a session guesses its password no faster than by signing in", async () => {
  const token = await shop.member();
  const guess = async () => {
    const body = new URLSearchParams({ token, password: "wrong horse" });
    const headers = { "x-forwarded-for": "203.0.113.77" };
    return (await fetch(`${shop.url}/user/prove`, { method: "POST", body, headers })).status;
  };
  const statuses: number[] = [];
  for (let tries = 0; tries < 40 && statuses.at(-1) !== 429; tries++) statuses.push(await guess());
  expect(statuses.at(-1)).toBe(429);
});

test("the token that programs have proves nothing, and no limited token does", async () => {
  const session = await shop.member();
  const token = await tokenOfPrograms(shop, session);
  for (const path of ["/user/prove", "/user/replacetoken", "/user/telegramlink", "/user/programs"])
    expect([path, await shop.post(path, { token, password, open: "1" })]).toMatchObject([
      path,
      { value: "session", next: "/user/authorize" },
    ]);
  const { token: limited } = await shop.post("/user/tokens/add", { token, name: "checker" });
  expect(await prove(String(limited))).toMatchObject({ value: "token limit", exceeded: "calls" });
});

/** What the token of the account adds and changes of programs, each refused with this value, or done. */
async function programsOf(token: string): Promise<unknown[]> {
  const url = "https://program.example.com/events";
  const made = await shop.post("/user/tokens/add", { token, name: "checker" });
  const tokenId = String((made["data"] as { id?: string } | undefined)?.id ?? "1");
  const hook = await shop.post("/user/webhooks/add", { token, url });
  const id = String((hook["webhook"] as { id?: string } | undefined)?.id ?? "1");
  const rest = [
    await shop.post("/user/tokens/remove", { token, id: tokenId }),
    await shop.post("/user/webhooks/change", { token, id, enabled: "0" }),
    await shop.post("/user/webhooks/secret", { token, id }),
    await shop.post("/user/webhooks/remove", { token, id }),
  ];
  return [made, hook, ...rest].map(({ status, value }) => value ?? status);
}

test("programs add and change tokens and webhooks by the account's token, until the account is closed to them", async () => {
  const session = await shop.member();
  const token = await tokenOfPrograms(shop, session);
  const done = Array.from({ length: 6 }, () => "success");
  expect(await programsOf(token)).toEqual(done);
  expect(await shop.get("/user/tokens", { token })).toMatchObject({ open: true });
  expect(await shop.post("/user/programs", { token: session, open: "0" })).toMatchObject({ open: false });
  expect(await programsOf(token)).toEqual(done.map(() => "session"));
  expect(await shop.get("/user/tokens", { token })).toMatchObject({ open: false });
  expect(await programsOf(session)).toEqual(done);
  await outliveProofs(shop, session);
  expect(await programsOf(session)).toEqual(done.map(() => "proof"));
});

test("an administrator's account is closed to programs unless its person opens it", async () => {
  const token = await tokenOfPrograms(shop, admin);
  expect(await programsOf(token)).toEqual(Array.from({ length: 6 }, () => "session"));
  await prove(admin);
  await shop.post("/user/programs", { token: admin, open: "1" });
  expect(await programsOf(token)).toEqual(Array.from({ length: 6 }, () => "success"));
});

test("a stolen token of an administrator moves no money, grants no role, shows no stock password and changes nothing of its owner", async () => {
  const fresh = await startShop();
  onTestFinished(() => fresh.stop());
  const session = await fresh.member("admin@example.com");
  const stolen = await tokenOfPrograms(fresh, session);
  const thief = await idOfIn(fresh, await fresh.member());
  const tried = {
    "users/grant": { user: thief, role: "owner", granted: "1" },
    "users/adjust": { user: thief, amount: "99999", reason: "mine", key: "mine" },
    "partners/payout": { partner: thief, way: "soft", amount: "1", note: "mine" },
    "users/block": { user: thief, blocked: "0", reason: "mine" },
    "stock/add": { domain: "letters.test", count: "1" },
    "domains/set": { name: "letters.test", price: "0.0001" },
  };
  const refused: string[] = [];
  for (const [path, asked] of Object.entries(tried)) {
    const said = await fetch(`${fresh.url}/api/admin/${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${stolen}` },
      body: new URLSearchParams(asked as Record<string, string>),
    });
    const { status, value } = (await said.json()) as { status: string; value: string };
    if (status === "error") refused.push(value);
  }
  expect(refused.filter((value) => value === "session").length).toBeGreaterThanOrEqual(4);
  expect(refused).toHaveLength(Object.keys(tried).length);
  for (const table of ["users", "tokens", "hosts", "domains", "journal"])
    expect(await fresh.get(`/api/admin/tables/${table}`, { token: stolen })).toMatchObject({
      value: "session",
    });
  expect(
    (await fetch(`${fresh.url}/api/admin/tables/hosts/file.csv?token=${stolen}`)).headers.get("content-type"),
  ).toBe("application/json");
  const own = [
    "/user/replacetoken",
    "/user/telegramlink",
    "/user/programs",
    "/user/tokens/add",
    "/user/webhooks/add",
  ];
  for (const path of own) {
    const asked = { token: stolen, open: "1", name: "mine", url: "https://thief.example/" };
    expect([path, await fresh.post(path, asked)]).toMatchObject([path, { value: "session" }]);
  }
  expect(await fresh.get("/user/information", { token: stolen })).toMatchObject({ status: "success" });
});

const idOfIn = async (where: TestShop, token: string) =>
  (await where.get<{ data: { id: string } }>("/user/information", { token })).data.id;

test("OFFICE_TOKEN_ACTS=on opens the back office to the token of an administrator, but not the account's own acts", async () => {
  const scripted = await startShop({ OFFICE_TOKEN_ACTS: "on" });
  onTestFinished(() => scripted.stop());
  const session = await scripted.member("admin@example.com");
  const token = await tokenOfPrograms(scripted, session);
  const user = await idOfIn(scripted, await scripted.member());
  const change = { token, user, amount: "2", reason: "by script", key: "script" };
  expect(await scripted.post("/api/admin/users/adjust", change)).toMatchObject({ balance: "2.0" });
  expect(await scripted.get("/api/admin/tables/users", { token })).toMatchObject({ status: "success" });
  expect(await scripted.get("/api/admin/setup", { token })).toMatchObject({ token_acts: true });
  expect(await scripted.post("/user/replacetoken", { token })).toMatchObject({ value: "session" });
  await outliveProofs(scripted, session);
  expect(
    await scripted.post("/api/admin/users/adjust", { ...change, token: session, key: "page" }),
  ).toMatchObject({
    value: "proof",
  });
});

test("the setup page does not warn of a setting that is off", async () => {
  expect(await shop.get("/api/admin/setup", { token: admin })).toMatchObject({ token_acts: false });
  expect(await idOf(admin)).not.toBe("");
});

test("support resets the access of an account, which nobody enters then but its owner with the mailed code; not of a colleague", async () => {
  const own = await startShop();
  onTestFinished(() => own.stop());
  const owner = await own.member("admin@example.com");
  const support = await own.member();
  const grant = { token: owner, user: await idOfIn(own, support), role: "support", granted: "1" };
  await own.post("/api/admin/users/grant", grant);
  const email = "locked.out@example.com";
  const session = await own.member(email);
  const token = await tokenOfPrograms(own, session);
  const { token: limited } = await own.post("/user/tokens/add", { token, name: "checker" });
  const reset = (user: string) =>
    own.post("/api/admin/users/reset", { token: support, user, reason: "a stranger was in" });
  expect(await reset(await idOfIn(own, owner))).toMatchObject({ value: "office account" });
  const said = await reset(await idOfIn(own, session));
  expect(said).toMatchObject({ status: "success", email });
  expect(JSON.stringify(said)).not.toMatch(/\d{6}/);
  for (const old of [session, token, String(limited)])
    expect(await own.get("/user/balance", { token: old })).toMatchObject({ value: "token" });
  const signIn = { email, password, captcha: "off" };
  expect(await own.post("/user/authorize", signIn)).toMatchObject({ value: "invalid password" });
  const code = await outboxCode(own.dataDir, email, 2);
  await own.post("/user/changepassword", { email, code, password: "newer horse" });
  expect(await own.post("/user/authorize", { ...signIn, password: "newer horse" })).toMatchObject({
    status: "success",
  });
});
