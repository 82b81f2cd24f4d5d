// @module-tag slow
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { textsFor } from "../../../test/kit/outbox.ts";
import { startShop, type TestShop } from "../../../test/kit/shop.ts";
import { soon } from "../../../test/kit/soon.ts";
import { OwnData } from "../../contract/account/owner.ts";
import { audit } from "../orders/orders.ts";

let shop: TestShop;

beforeAll(async () => {
  shop = await startShop();
  // The readers of letters start with the first one.
  await letterFor(await shop.buyer(), "that comes first");
});
afterAll(() => shop.stop());

const told = async (token: string) =>
  (await shop.get("/user/information", { token }))["data"] as Record<string, string>;
const idOf = async (token: string) => {
  const [row] = await shop.db<{ id: bigint }[]>`
    select id from users where email = ${(await told(token))["email"] ?? ""}`;
  return row?.id ?? 0n;
};
const close = (token: string, email: string, more: Record<string, string> = {}) =>
  shop.post("/user/close", { token, email, ...more });
const skip = (token: string) =>
  shop.post("/email/skips/add", { token, site: "instagram.com", domain: "letters.test" });
const broken = async () => (await audit(shop.db)).filter(({ bad }) => bad.length > 0);

/** A buyer with an e-mail address of his own, money, and a letter that came. */
async function buyer(dollars = "10") {
  const token = await shop.buyer(dollars);
  const { email = "" } = await told(token);
  return { token, email };
}

async function letterFor(token: string, text: string): Promise<string> {
  const order = await shop.order(token, { subject: "secret", note: `noted ${text}` });
  await shop.send({
    to: order.email,
    from: "no-reply@mail.instagram.com",
    subject: `secret ${text}`,
    text: `Hello, your code is 482910, ${text}`,
  });
  await vi.waitFor(
    async () =>
      expect(await shop.get("/email/getmessage", { token, id: order.id })).toMatchObject({
        status: "success",
      }),
    soon,
  );
  return order.id;
}

async function exported(token: string): Promise<{ text: string; data: Record<string, never> }> {
  const response = await fetch(`${shop.url}/user/data.json?token=${token}`);
  expect(response.headers.get("content-disposition")).toMatch(/postern-data-\d{4}-\d\d-\d\d\.json/);
  const text = await response.text();
  return { text, data: OwnData.parse(JSON.parse(text)) as never };
}

test("the export has all that the shop keeps of an account, under the told ids, and no secret", async () => {
  const { token, email } = await buyer();
  const limited = String((await shop.post("/user/tokens/add", { token, name: "my program" }))["token"]);
  const url = "https://program.example.com/events";
  const { secret } = await shop.post("/user/webhooks/add", { token, url, events: "payment" });
  const order = await letterFor(token, "for me alone");
  await shop.post("/user/addReferralWord", { token, word: "leaver_word" });
  await skip(token);
  await shop.db`insert into bot_chat (chat_id, language, user_id) values (4711, 'en', ${await idOf(token)})`;
  const { text, data } = await exported(token);
  expect(data).toMatchObject({
    account: { email, referral_words: ["leaver_word"], invited: false, telegram_id: null },
    sessions: [{ own: true, way: "registration" }],
    tokens: [{ name: "my program" }],
    webhooks: [{ url }],
    telegram_chats: [{ chat_id: "4711" }],
    notices: [{ kind: "webhook-added", address: email }, { kind: "token-added" }],
    identifiers: [{ kind: "email" }],
    skipped_domains: [{ site: "instagram.com", domain: "letters.test" }],
    statement: { balance: [{ kind: "hold" }, { kind: "topup", amount: "10.0" }] },
    payments: [{ state: "credited", transfers: [{ status: "credited" }] }],
    orders: [
      {
        id: order,
        from: "instagram.com",
        note: "noted for me alone",
        letters: [{ subject: "secret for me alone", code: "482910" }],
      },
    ],
  });
  expect(text).toContain("Hello, your code is 482910, for me alone");
  const program = (await told(token))["token"] ?? "";
  for (const hidden of [token, limited, program, String(secret), "argon2id"]) {
    expect(hidden.length).toBeGreaterThan(7);
    expect(text).not.toContain(hidden);
  }
});

test("the export has more than one page of each list, and nothing of another account", async () => {
  const { token } = await buyer("20");
  const other = await buyer();
  const theirs = await letterFor(other.token, "for another");
  const placed: string[] = [];
  for (let count = 0; count < 51; count++) {
    const { id } = await shop.order(token);
    await shop.get("/email/cancel", { token, id });
    placed.push(id);
  }
  const { text, data } = await exported(token);
  const { orders, statement } = data as unknown as {
    orders: { id: string }[];
    statement: { balance: object[] };
  };
  expect(orders.map(({ id }) => id).toSorted()).toEqual(placed.toSorted());
  expect(statement.balance).toHaveLength(103);
  expect(text).not.toContain(theirs);
  expect(text).not.toContain("for another");
});

test("neither a program, nor a limited token, nor a stranger gets the export or closes the account", async () => {
  const { token, email } = await buyer();
  const program = (await told(token))["token"] ?? "";
  expect(await shop.get("/user/data.json", { token: program })).toMatchObject({ value: "session" });
  expect(await shop.get("/user/closing", { token: program })).toMatchObject({ value: "session" });
  expect(await close(program, email, { give_up: "10" })).toMatchObject({ value: "session" });
  expect(await shop.get("/user/data.json", { token: "x".repeat(32) })).toMatchObject({ value: "token" });
});

test("an account with something open is not closed, and the answer says what", async () => {
  const { token, email } = await buyer();
  const order = await shop.order(token);
  const payment = await shop.get("/payments/create", { token, wallet: "trx", amount: "5" });
  expect(payment).toMatchObject({ status: "success" });
  const open = { orders: 1, payments: 1 };
  expect((await shop.get("/user/closing", { token }))["data"]).toMatchObject({ open });
  expect(await close(token, email, { give_up: "10" })).toMatchObject({ value: "account in use", open });
  await shop.get("/email/cancel", { token, id: order.id });
  await shop.db`update payment set state = 'expired' where user_id = ${await idOf(token)} and state = 'awaiting'`;
  expect((await shop.get("/user/closing", { token }))["data"]).toMatchObject({ open: {}, give_up: "10.0" });

  const userId = await idOf(token);
  await shop.db`update users set is_admin = true where id = ${userId}`;
  expect(await close(token, email, { give_up: "10" })).toMatchObject({ open: { role: 1 } });
  await shop.db`update users set is_admin = false where id = ${userId}`;
  await shop.db`
    with made as (insert into batch (investor_id, share_ppm) values (${userId}, 300000) returning id)
    insert into investor_batch (batch_id, user_id, created_at, taken, malformed, unknown_domain, duplicate_in_file, duplicate)
      select id, ${userId}, now(), 20, 0, 0, 0, 0 from made`;
  expect(await close(token, email, { give_up: "10" })).toMatchObject({ open: { batches: 1 } });
  await shop.db`delete from investor_batch where user_id = ${userId}`;
  await shop.db`delete from batch where investor_id = ${userId}`;
  expect(await shop.get("/user/balance", { token })).toMatchObject({ balance: "10.0" });
});

test("money is given up only by who names its exact sum, and becomes the shop's in a movement with a name", async () => {
  const { token, email } = await buyer();
  const left = { balance: "10.0", referrals: "0.0", soft: "0.0", investor: "0.0" };
  for (const more of [{}, { give_up: "9.99" }, { give_up: "10.00000001" }])
    expect(await close(token, email, more)).toMatchObject({ value: "give_up", left, give_up: "10.0" });
  expect(await close(token, "other@example.com", { give_up: "10" })).toMatchObject({
    value: "invalid email",
  });
  expect(await told(token)).toMatchObject({ email });
  const userId = await idOf(token);
  expect(await close(token, email, { give_up: "10.0" })).toMatchObject({ message: "account closed" });
  const moved = await shop.db`
    select t.credit, t.amount, t.kind::text, t.idempotency_key as key from transfer t join account a on a.id = t.debit
    where a.user_id = ${userId} and t.kind = 'forfeit'`;
  expect(moved).toEqual([
    { credit: 2n, amount: 1_000_000_000n, kind: "forfeit", key: `closed ${userId} balance` },
  ]);
  expect(await closingMail(email)).toContain("up with it: $10.0.");
  expect(await broken()).toEqual([]);
});

test("a closed account opens to nothing, nothing tells who it was, and the books stay", async () => {
  const { token, email } = await buyer();
  const limited = String((await shop.post("/user/tokens/add", { token, name: "my program" }))["token"]);
  const program = (await told(token))["token"] ?? "";
  await shop.post("/user/webhooks/add", {
    token,
    url: "https://program.example.com/events",
    events: "payment",
  });
  await shop.post("/user/addReferralWord", { token, word: "gone_word" });
  await skip(token);
  await letterFor(token, "of the leaver");
  const userId = await idOf(token);
  await shop.db`insert into bot_chat (chat_id, language, user_id) values (4712, 'en', ${userId})`;
  const invited = await shop.member();
  await shop.db`update users set referred_by = ${userId} where id = ${await idOf(invited)}`;
  const before = await shop.db`select id, user_id, price, status::text from orders where user_id = ${userId}`;
  const { data } = await shop.get("/user/closing", { token });
  const { give_up: giveUp } = data as { give_up: string };
  expect(await close(token, email, { give_up: giveUp })).toMatchObject({ message: "account closed" });

  for (const dead of [token, limited, program])
    expect(await shop.get("/user/balance", { token: dead })).toMatchObject({ value: "token" });
  const signIn = { email, password: "correct horse", captcha: "off" };
  expect(await shop.post("/user/authorize", signIn)).toMatchObject({ value: "user not found" });
  expect(await shop.get("/user/sendCodeReset", { email, captcha: "off" })).toMatchObject({
    value: "user not found",
  });
  const after = await shop.db`select id, user_id, price, status::text from orders where user_id = ${userId}`;
  expect(after).toEqual(before);
  const [kept] = await shop.db`
    select (select count(*)::int from user_session where user_id = u.id) as sessions,
           (select count(*)::int from user_token where user_id = u.id) as tokens,
           (select count(*)::int from webhook where user_id = u.id) as webhooks,
           (select count(*)::int from bot_chat where user_id = u.id) as chats,
           (select count(*)::int from user_mark where user_id = u.id) as marks,
           (select count(*)::int from owner_notice where user_id = u.id) as notices,
           (select count(*)::int from order_term where user_id = u.id) as terms,
           (select count(*)::int from skipped_domain where user_id = u.id) as skips,
           (select count(*)::int from referral_word where user_id = u.id) as words,
           (select count(*)::int from users where referred_by = u.id) as invited,
           (select count(*)::int from audit_log where did = 'users close' and about = 'user ' || u.id) as journal,
           u.name, u.email, u.blocked_at is not null as blocked
    from users u where id = ${userId}`;
  expect(kept).toEqual({
    sessions: 0,
    tokens: 0,
    webhooks: 0,
    chats: 0,
    marks: 0,
    notices: 0,
    terms: 0,
    skips: 0,
    words: 0,
    invited: 0,
    journal: 1,
    name: "",
    email: `closed-${userId}@closed.invalid`,
    blocked: true,
  });
  // The closing mail has the address until it is sent.
  await closingMail(email);
  await vi.waitFor(async () => expect(await whereIs(shop, [email, "of the leaver"])).toEqual([]), soon);
  expect(await broken()).toEqual([]);

  const again = { email, password: "correct horse", localization: "en", recaptcha: "off" };
  const { token: fresh } = await shop.post("/user/registration", again);
  expect(await told(String(fresh))).toMatchObject({ email, balance: "0.0" });
  expect(await idOf(String(fresh))).not.toBe(userId);
});

/** The mail that a closed account's address got. */
const closingMail = (email: string) =>
  vi.waitFor(async () => {
    const texts = await textsFor(shop.dataDir, email);
    const closed = texts.find((text) => text.includes("was closed"));
    expect(closed).toBeDefined();
    return closed;
  }, soon);

test("an account sets, reads and takes away the threshold of its warning, a limited token only reads it, and it ends with the account, as what waits for stock", async () => {
  const { token, email } = await buyer("5");
  const { token: limited } = await shop.post("/user/tokens/add", { token, name: "program" });
  const read = (by: string) => shop.get("/user/lowbalance", { token: by });
  const set = (threshold: string, by = token) => shop.post("/user/lowbalance/set", { token: by, threshold });
  expect((await read(token))["data"]).toEqual({ balance: "5.0", low: false });
  expect((await set("7.50"))["data"]).toEqual({ threshold: "7.5", balance: "5.0", low: true });
  expect((await set("2"))["data"]).toEqual({ threshold: "2.0", balance: "5.0", low: false });
  expect((await read(String(limited)))["data"]).toMatchObject({ threshold: "2.0" });
  expect(await set("1", String(limited))).toMatchObject({ value: "token limit" });
  for (const wrong of ["0", "-1", "much"]) expect(await set(wrong)).toMatchObject({ value: "threshold" });
  expect((await exported(token)).data["account"]).toMatchObject({ low_balance: "2.0" });
  expect((await set(""))["data"]).toEqual({ balance: "5.0", low: false });
  await set("2");
  const wish = { token, site: "sandbox-no-emails", domain: "all", max_price: "1" };
  await shop.post("/email/backorders/add", wish);
  expect((await exported(token)).data["backorders"]).toMatchObject([{ site: "sandbox-no-emails" }]);
  const userId = await idOf(token);
  expect(await close(token, email, { give_up: "5" })).toMatchObject({ status: "success" });
  for (const table of ["low_balance", "backorder"])
    expect(await shop.db`select from ${shop.db(table)} where user_id = ${userId}`).toEqual([]);
});

/** In which tables a text still is. */
async function whereIs({ db }: TestShop, texts: readonly string[]): Promise<string[]> {
  const tables = await db<{ name: string }[]>`
    select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition order by 1`;
  const found: string[] = [];
  for (const { name } of tables)
    for (const text of texts) {
      const rows = await db.unsafe(`select 1 from ${name} t where position('${text}' in t::text) > 0`);
      if (rows.length > 0) found.push(`${name}: ${text}`);
    }
  return found;
}

test("a closed account is nobody's to unblock, to give a role, or to earn by", async () => {
  const { token, email } = await buyer();
  const userId = await idOf(token);
  const { id = "" } = await told(token);
  await close(token, email, { give_up: "10" });
  const admin = await shop.post("/user/authorize", {
    email: "admin@example.com",
    password: "correct horse",
    captcha: "off",
  });
  const office = { token: (admin["data"] as { token: string }).token, user: id };
  expect(
    await shop.post("/api/admin/users/block", { ...office, blocked: "0", reason: "he asked" }),
  ).toMatchObject({
    value: "no user",
  });
  const grant = { ...office, role: "investor", granted: "1" };
  expect(await shop.post("/api/admin/users/grant", grant)).toMatchObject({ value: "no user" });
  const customer = await buyer();
  const order = await shop.order(customer.token, { soft_id: id });
  await shop.send({ to: order.email, from: "a@instagram.com", subject: "hello", text: "code 551234" });
  await vi.waitFor(async () => {
    const asked = { token: customer.token, id: order.id };
    expect(await shop.get("/email/getmessage", asked)).toMatchObject({ status: "success" });
  }, soon);
  expect(await shop.db`select from account where user_id = ${userId} and book = 'soft'`).toEqual([]);
  expect(await broken()).toEqual([]);
});
