// @module-tag slow
import { numberOf } from "../kit/numbers.ts";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import {
  sandboxOrdersDay,
  sandboxOrdersMinute,
  sandboxOrdersWaiting,
  sandboxSites,
} from "../../src/contract/sandbox.ts";
import { type Answer, startShop, type TestShop } from "../kit/shop.ts";
import { soon } from "../kit/soon.ts";
import { audit, openOrders } from "../../src/server/orders/orders.ts";

// Each scenario of the sandbox over a whole shop.

let shop: TestShop;
beforeAll(async () => {
  shop = await startShop();
});
afterAll(() => shop.stop());

async function order(token: string, site: string, more: Record<string, string> = {}) {
  const answer = await shop.get("/email/order", { token, site, domain: "letters.test", ...more });
  expect(answer).toMatchObject({
    status: "success",
    site,
    domain: `${site.slice("sandbox-".length)}.sandbox.test`,
    price: 0,
  });
  return { id: String(answer["id"]), email: String(answer["email"]) };
}

/** Begins the references of what an order will get. */
const refOf = async (id: string) => `${await numberOf(shop.db, id)} `;

const hurry = async (id: string) =>
  shop.db`update task set due_at = clock_timestamp() where queue = 'sandbox' and starts_with(ref, ${await refOf(id)}) and due_at is not null`;

const read = (token: string, id: string): Promise<Answer> => shop.get("/email/getmessage", { token, id });

const received = (token: string, id: string): Promise<Answer> =>
  vi.waitFor(async () => {
    const answer = await read(token, id);
    if (answer.value === "wait message") throw new Error("not yet");
    return answer;
  }, soon);

const quiet = (id: string) =>
  vi.waitFor(async () => {
    const left = await shop.db`
      select 1 from task where queue = 'sandbox' and starts_with(ref, ${await refOf(id)}) and due_at is not null
      union all select 1 from letter where judged_at is null`;
    if (left.length > 0) throw new Error("not yet");
  }, soon);

const secondsLeft = async (id: string): Promise<number[]> => {
  const rows = await shop.db<{ left: number }[]>`
    select extract(epoch from due_at - created_at)::float8 as left
    from task where queue = 'sandbox' and starts_with(ref, ${await refOf(id)}) and due_at is not null order by 1`;
  return rows.map(({ left }) => left);
};

test(
  "programs that begin with different sandbox sites at the same moment all get an address",
  { tags: ["full"] },
  async () => {
    const token = await shop.member();
    const sites = sandboxSites.filter((site) => site !== "sandbox-no-emails");
    const ordered = await Promise.all(sites.map((site) => order(token, site)));
    expect(new Set(ordered.map(({ email }) => email)).size).toBe(sites.length);
  },
);

test("sandbox-ok: without money, a letter with the code and a link after 2 seconds", async () => {
  const token = await shop.member();
  const { id } = await order(token, "sandbox-ok", { subject: "verify", regex: "code is (\\d{6})" });
  expect(await read(token, id)).toMatchObject({ value: "wait message" });
  expect(await secondsLeft(id)).toEqual([2]);
  await hurry(id);
  expect(await received(token, id)).toMatchObject({
    status: "success",
    code: "482915",
    value: "482915",
    link: "https://sandbox-ok.test/confirm?code=482915",
    subject: "Confirm your address: verify",
    sender: expect.stringContaining("no-reply@sandbox-ok.test") as string,
    messages: 1,
  });
  const balance = { balance: "0.0" };
  expect(await shop.get("/user/balance", { token })).toMatchObject(balance);
  const [moved] =
    await shop.db`select count(*)::integer as count from transfer where order_id = ${await numberOf(shop.db, id)}`;
  expect(moved).toEqual({ count: 0 });
});

test("the same every time: two orders get the same letter", async () => {
  const token = await shop.member();
  const [first, second] = [await order(token, "sandbox-ok"), await order(token, "sandbox-ok")];
  expect(first.email).not.toBe(second.email);
  await Promise.all([hurry(first.id), hurry(second.id)]);
  const [one, other] = [await received(token, first.id), await received(token, second.id)];
  const same = ({ message, code, link, subject, sender }: Answer) => ({
    message,
    code,
    link,
    subject,
    sender,
  });
  expect(same(one)).toEqual(same(other));
});

test(
  "sandbox-delay-20: the letter is due after 20 seconds, and not sent before",
  { tags: ["full"] },
  async () => {
    const token = await shop.member();
    const { id } = await order(token, "sandbox-delay-20");
    expect(await secondsLeft(id)).toEqual([20]);
    const other = await order(token, "sandbox-ok");
    await hurry(other.id);
    await received(token, other.id);
    expect(await read(token, id)).toMatchObject({ value: "wait message" });
    await hurry(id);
    expect(await received(token, id)).toMatchObject({ code: "482915" });
  },
);

test("sandbox-html-only: a letter without a text part is read all the same", { tags: ["full"] }, async () => {
  const token = await shop.member();
  const { id } = await order(token, "sandbox-html-only", { regex: "\\d{6}" });
  await hurry(id);
  const letter = await received(token, id);
  expect(letter).toMatchObject({ code: "482915", value: "482915" });
  const [{ raw } = { raw: Buffer.alloc(0) }] = await shop.db<{ raw: Buffer }[]>`
    select raw from delivery join letter_raw using (letter_id) where order_id = ${await numberOf(shop.db, id)}`;
  expect(raw.toString()).toMatch(/^Content-Type: text\/html/m);
  expect(raw.toString()).not.toMatch(/text\/plain|multipart/);
});

test.each(["verify", "h", "n", "NEWS", "hi"])(
  "sandbox-wrong-subject: the letter comes and has not the word %s",
  async (subject) => {
    const token = await shop.member();
    const { id } = await order(token, "sandbox-wrong-subject", { subject });
    await hurry(id);
    await quiet(id);
    expect(await read(token, id)).toMatchObject({ value: "wait message" });
    const letters = await shop.db<{ sender_domain: string }[]>`
      select l.sender_domain from letter l join recipient r on r.letter_id = l.id
      join orders o on o.mailbox_id = r.mailbox_id where o.id = ${await numberOf(shop.db, id)}`;
    expect(letters).toEqual([{ sender_domain: "sandbox-wrong-subject.test" }]);
  },
);

test("sandbox-wrong-subject: the timeline tells what the letter missed, and the letter can be released", async () => {
  const token = await shop.member();
  const { id } = await order(token, "sandbox-wrong-subject", { subject: "verify" });
  await hurry(id);
  await quiet(id);
  const { data } = await shop.get<{
    data: { step: string; letter_id: string }[];
  }>("/email/timeline", { token, id });
  expect(data).toMatchObject([
    { step: "ordered" },
    { step: "letter", subject: "Hi", fits: false, missed: "subject", releasable: true },
  ]);
  const released = await shop.get("/email/release", { token, id, letter: data[1]?.letter_id });
  expect(released).toMatchObject({ status: "success", code: "482915", subject: "Hi" });
  expect(await read(token, id)).toMatchObject({ status: "success", code: "482915", messages: 1 });
});

test(
  "sandbox-two-letters: two letters with different codes, the second after the first",
  { tags: ["full"] },
  async () => {
    const token = await shop.member();
    const { id } = await order(token, "sandbox-two-letters");
    expect(await secondsLeft(id)).toEqual([2, 4]);
    await shop.db`update task set due_at = clock_timestamp() where queue = 'sandbox' and starts_with(ref, ${await refOf(id)}) and kind = 'code'`;
    expect(await received(token, id)).toMatchObject({ code: "482915", messages: 1 });
    await hurry(id);
    await vi.waitFor(async () => {
      expect(await read(token, id)).toMatchObject({ code: "730264", messages: 2 });
    }, soon);
  },
);

test("a letter that a process of the release before planned, and did not send, is sent", async () => {
  const token = await shop.member();
  const { id } = await order(token, "sandbox-ok");
  const number = await numberOf(shop.db, id);
  await shop.db`
    with planned as (delete from task where queue = 'sandbox' and ref = ${`${number} code`} returning ref)
    insert into sandbox_letter (order_id, kind, due_at) select ${number}, 'code', now() - interval '1 minute' from planned`;
  expect(await received(token, id)).toMatchObject({ code: "482915", messages: 1 });
  expect(await shop.db`select from sandbox_letter where order_id = ${number}`).toEqual([]);
});

test("sandbox-never: no letter is planned, and the order expires", async () => {
  const token = await shop.member();
  const { id } = await order(token, "sandbox-never");
  expect(await secondsLeft(id)).toEqual([]);
  await shop.db`update orders set expires_at = clock_timestamp() where id = ${await numberOf(shop.db, id)}`;
  await vi.waitFor(async () => {
    expect(await read(token, id)).toMatchObject({ value: "activation canceled" });
  }, soon);
});

test("sandbox-no-emails: told as sold out by quantity and by the order", async () => {
  const token = await shop.member();
  const asked = { token, site: "sandbox-no-emails", domain: "letters.test" };
  expect(await shop.get("/email/order", asked)).toMatchObject({ value: "no emails", alternatives: [] });
  const { data } = await shop.get<{
    data: Record<string, { count: number; price: number }>;
  }>("/email/quantity", asked);
  expect(data["letters.test"]).toEqual({ count: 0, price: 0 });
});

test("a sandbox order is canceled, reordered, listed and told like any other", async () => {
  const token = await shop.member();
  const canceled = await order(token, "sandbox-ok");
  expect(await shop.get("/email/cancel", { token, id: canceled.id })).toMatchObject({
    value: "activation canceled",
  });
  await hurry(canceled.id);
  await quiet(canceled.id);
  const { id, email } = await order(token, "sandbox-ok");
  await hurry(id);
  await received(token, id);
  const again = await shop.get("/email/reorder", { token, id });
  expect(again).toMatchObject({ status: "success", email, site: "sandbox-ok", price: 0 });
  await hurry(String(again["id"]));
  expect(await received(token, String(again["id"]))).toMatchObject({ code: "482915", messages: 1 });
  const listed = await shop.get<{ data: object[] }>("/user/activations", { token });
  expect(listed.data).toMatchObject([
    { activation_id: again["id"], from: "sandbox-ok", price: 0, status: 1 },
    { activation_id: id, from: "sandbox-ok", price: 0, status: 1 },
  ]);
});

test("quantity of a sandbox site names every domain on sale for nothing, and the sandbox's own is shown nowhere", async () => {
  const token = await shop.member();
  const asked = (site: string) =>
    shop.get<{ data: Record<string, object> }>("/email/quantity", { token, site });
  const [sandbox, real] = [await asked("sandbox-ok"), await asked("instagram.com")];
  expect(Object.keys(sandbox.data)).toEqual(Object.keys(real.data));
  expect(sandbox.data["letters.test"]).toEqual({ count: 1000, price: 0 });
  const shown = [
    JSON.stringify(real),
    JSON.stringify(sandbox),
    JSON.stringify(await shop.get("/email/aggregators")),
    await (await fetch(shop.url, { headers: { accept: "text/html" } })).text(),
  ];
  for (const text of shown) expect(text).not.toMatch(/sandbox\.test/);
});

test("nobody gets an address of the sandbox for a real site, or one that is sold for a sandbox site", async () => {
  const token = await shop.buyer("1");
  for (const domain of ["ok.sandbox.test", "ok", "no-emails.sandbox.test"]) {
    const real = await shop.get("/email/order", { token, site: "instagram.com", domain });
    expect(real).toMatchObject({ value: "domain" });
    expect(JSON.stringify(real)).not.toContain("sandbox");
    expect(await shop.get("/email/order", { token, site: "sandbox-ok", domain })).toMatchObject({
      value: "domain",
    });
  }
  // The database refuses to mix them, too.
  const idOf = async (table: "site" | "mail_domain", name: string) =>
    (await shop.db<{ id: number }[]>`select id from ${shop.db(table)} where name = ${name}`)[0]!.id;
  const [{ userId } = { userId: 0n }] = await shop.db<
    { userId: bigint }[]
  >`select max(id) as "userId" from users`;
  const orders = openOrders(shop.db, { ttlSeconds: 60 });
  for (const [site, domain] of [
    ["instagram.com", "ok.sandbox.test"],
    ["sandbox-ok", "letters.test"],
    ["sandbox-ok", "never.sandbox.test"],
  ] as const) {
    const asked = {
      userId,
      siteId: await idOf("site", site),
      domainIds: [await idOf("mail_domain", domain)],
    };
    expect(await orders.place(asked)).toEqual({ refusal: "domain" });
  }
});

test("letters from outside to addresses of the sandbox are refused", async () => {
  const token = await shop.member();
  const { email } = await order(token, "sandbox-never");
  const letter = { to: email, from: "no-reply@sandbox-never.test", subject: "x", text: "x" };
  await expect(shop.send(letter)).rejects.toThrow(/550 5\.7\.1/);
});

test(
  "free orders are bounded: so many a minute, so many waiting, and one more is HTTP 429; money changes nothing",
  { tags: ["full"] },
  async () => {
    const token = await shop.buyer("1");
    const ask = async (site = "sandbox-never") => {
      const query = new URLSearchParams({ token, site, domain: "letters.test" });
      return fetch(`${shop.url}/email/order?${query}`);
    };
    const answers = await Promise.all(Array.from({ length: sandboxOrdersMinute + 5 }, () => ask()));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(sandboxOrdersMinute);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.headers.get("retry-after")).toBe("60");
    expect(await refused?.json()).toMatchObject({ status: "error", value: "limit" });
    expect((await ask("instagram.com")).status).toBe(200);

    const [{ user } = { user: 0n }] = await shop.db<
      { user: bigint }[]
    >`select user_id as user from orders order by id desc limit 1`;
    const age = () =>
      shop.db`update orders set created_at = created_at - interval '2 minutes' where user_id = ${user}`;
    await age();
    const more = await Promise.all(Array.from({ length: sandboxOrdersMinute }, () => ask()));
    expect(more.filter(({ status }) => status === 200)).toHaveLength(
      sandboxOrdersWaiting - sandboxOrdersMinute,
    );
    await age();
    expect((await ask()).status).toBe(429);
    await shop.db`update orders set expires_at = clock_timestamp() where user_id = ${user}`;
    await vi.waitFor(async () => expect((await ask()).status).toBe(200), soon);
  },
);

test(
  "free orders are bounded by the day too, and so cannot fill the shop slowly",
  { tags: ["full"] },
  async () => {
    const token = await shop.member();
    const { id } = await order(token, "sandbox-never");
    const undone = new Error("undone");
    const number = await numberOf(shop.db, id);
    const room = (orders: number) => {
      let left: number | undefined;
      const counted = shop.db.begin(async (tx) => {
        await tx`insert into orders (user_id, mailbox_id, price, created_at, expires_at, site_id, domain_id, number, status)
               select user_id, mailbox_id, 0, now() - interval '2 hours', expires_at, site_id, domain_id, number + n, 'canceled'
               from orders, generate_series(1, ${orders}::int) as n where id = ${number}`;
        const [row] = await tx<{ left: number }[]>`
        select sandbox_orders_left(user_id) as left from orders where id = ${number}`;
        left = row?.left;
        throw undone;
      });
      return counted.catch((fault: unknown) => (fault === undone ? left : Promise.reject(fault as Error)));
    };
    expect(await room(sandboxOrdersDay - 11)).toBe(10);
    expect(await room(sandboxOrdersDay - 1)).toBe(0);
  },
);

test("reorders are bounded like orders", { tags: ["full"] }, async () => {
  const token = await shop.member();
  const { id } = await order(token, "sandbox-ok");
  await hurry(id);
  await received(token, id);
  for (let count = 1; count < sandboxOrdersMinute; count++) await order(token, "sandbox-never");
  const answer = await fetch(`${shop.url}/email/reorder?${new URLSearchParams({ token, id })}`);
  expect(answer.status).toBe(429);
});

test("a mistyped sandbox site is answered with the one that was meant", async () => {
  const token = await shop.member();
  expect(
    await shop.get("/email/order", { token, site: "sandbox-never-", domain: "letters.test" }),
  ).toMatchObject({
    value: "site",
  });
  expect(
    await shop.get("/email/order", { token, site: "sandbox-okay", domain: "letters.test" }),
  ).toMatchObject({
    value: "site",
    did_you_mean: "sandbox-ok",
  });
});

test("the documentation names exactly the sandbox sites that there are", async () => {
  const rows = await shop.db<{ name: string }[]>`select name from site where sandbox_domain_id is not null`;
  expect(rows.map(({ name }) => name).toSorted()).toEqual(sandboxSites.toSorted());
});

test("free orders are in no statistics, and after all of this every invariant holds", async () => {
  const [counted] = await shop.db`
    select count(*)::integer as count from outcome join site on site.id = site_id where sandbox_domain_id is not null`;
  expect(counted).toEqual({ count: 0 });
  expect((await audit(shop.db)).filter(({ bad }) => bad.length > 0)).toEqual([]);
});
