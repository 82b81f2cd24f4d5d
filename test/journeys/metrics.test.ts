// @module-tag slow
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { createLog } from "../../src/server/platform/log.ts";
import { numberOf } from "../kit/numbers.ts";
import { startShop, type TestShop } from "../kit/shop.ts";
import { soon } from "../kit/soon.ts";

// Metrics beside chains, mail servers, webhooks and bot.

let shop: TestShop;
beforeAll(async () => {
  shop = await startShop();
});
afterAll(() => shop.stop());

const metrics = async () => (await fetch(`${shop.url}/metrics`)).text();

test("what is left to sell is told for each mail domain on sale", async () => {
  expect(await metrics()).toMatch(/^postern_stock\{domain="letters\.test"\} 1000$/m);
  await shop.db`update mail_domain set enabled = false where name = 'quill.test'`;
  const told = [...(await metrics()).matchAll(/^postern_stock\{domain="([^"]+)"\}/gm)];
  expect(told.map(([, name]) => name)).toEqual([
    "courier.test",
    "envelope.test",
    "inbox.test",
    "letters.test",
    "post.test",
  ]);
});

/** A number of the metrics, by the series as Prometheus writes it. */
const figure = async (series: string): Promise<number> =>
  Number(
    (await metrics())
      .split("\n")
      .find((line) => line.startsWith(`${series} `))
      ?.slice(series.length),
  );

/** By how much these series grow while `work` goes on, once they have grown by that much. */
async function growth(grown: Record<string, number>, work: () => Promise<unknown>): Promise<void> {
  const before = await Promise.all(Object.keys(grown).map(figure));
  await work();
  await vi.waitFor(async () => {
    const after = await Promise.all(Object.keys(grown).map(figure));
    const by = Object.keys(grown).map((series, nth) => [series, (after[nth] ?? 0) - (before[nth] ?? 0)]);
    expect(Object.fromEntries(by)).toEqual(grown);
  }, soon);
}

test("orders are counted by what became of them, letters by what their senders heard and by what became of them", async () => {
  const token = await shop.buyer();
  const poor = await shop.member();
  const letter = (to: string, from = "no-reply@mail.instagram.com") =>
    shop.send({ to, from, subject: "Welcome", text: "Your code is 482913." });
  await growth(
    {
      'postern_orders_total{outcome="placed"}': 2,
      'postern_orders_total{outcome="no balance"}': 1,
      'postern_orders_ended_total{end="received"}': 1,
      'postern_orders_ended_total{end="canceled"}': 1,
      'postern_smtp_replies_total{step="RCPT",reply="250"}': 3,
      'postern_smtp_replies_total{step="RCPT",reply="550"}': 1,
      'postern_smtp_replies_total{step="RCPT",reply="550 5.7.1"}': 1,
      'postern_smtp_replies_total{step="DATA",reply="250"}': 3,
      'postern_letters_total{outcome="delivered"}': 1,
      'postern_letters_total{outcome="unclaimed"}': 1,
      'postern_letters_total{outcome="postmaster"}': 1,
      'postern_codes_found_total{confidence="sure"}': 1,
    },
    async () => {
      const [one, other] = [await shop.order(token), await shop.order(token)];
      await shop.get("/email/order", { token: poor, site: "instagram.com", domain: "letters.test" });
      await letter(one.email);
      await letter(other.email, "someone@elsewhere.example");
      await letter("postmaster@letters.test");
      await expect(letter("nobody-8c1f@letters.test")).rejects.toThrow("550");
      await expect(letter("somebody@elsewhere.example")).rejects.toThrow("550");
      await shop.get("/email/cancel", { token, id: other.id });
    },
  );
});

test("a payment is counted by the state that it came to, and an order whose time is up as expired", async () => {
  let token = "";
  await growth({ 'postern_payment_states_total{state="credited"}': 1 }, async () => {
    token = await shop.buyer();
  });
  const { id } = await shop.order(token);
  await growth({ 'postern_orders_ended_total{end="expired"}': 1 }, async () => {
    await shop.db`update orders set expires_at = clock_timestamp() where id = ${await numberOf(shop.db, id)}`;
  });
});

test("with ACCESS_LOG a call, its order and the letter can be followed through the log, which names no address of a person", async () => {
  const lines: string[] = [];
  const log = createLog("info", { write: (line) => void lines.push(line) });
  const own = await startShop({ ACCESS_LOG: "on" }, undefined, undefined, log);
  onTestFinished(() => own.stop());
  const told = (msg: string) =>
    lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter((line) => line["msg"] === msg);
  const token = await own.buyer();
  const asked = new URLSearchParams({ token, site: "instagram.com", domain: "letters.test" });
  const answered = await fetch(`${own.url}/email/order?${asked}`);
  const { id, email } = (await answered.json()) as { id: string; email: string };
  const request = answered.headers.get("x-request-id");
  const order = String(await numberOf(own.db, id));
  expect(told("ordered")).toEqual([expect.objectContaining({ request, order, outcome: "placed" })]);
  await vi.waitFor(
    () => expect(told("answered").at(-1)).toMatchObject({ request, path: "/email/order", answer: "ok" }),
    soon,
  );
  await own.send({ to: email, from: "no-reply@mail.instagram.com", subject: "Welcome", text: "482913" });
  await expect(
    own.send({ to: "nobody-8c1f@letters.test", from: "a@b.example", subject: "", text: "" }),
  ).rejects.toThrow("550");
  const [mailbox] = await own.db<{ id: string }[]>`
    select mailbox_id::text as id from orders where id = ${order}::bigint`;
  expect(told("answered a sender")).toMatchObject([
    {
      step: "DATA",
      reply: "250",
      address: "127.0.0.1",
      from: "mail.instagram.com",
      mailboxes: [mailbox?.id],
    },
    { step: "RCPT", reply: "550", to: "letters.test", from: "b.example", mailboxes: [] },
  ]);
  const followed = lines.filter((line) => /"(?:ordered|answered|answered a sender)"/.test(line));
  expect(followed.join("")).not.toMatch(/@|482913/);
  expect(followed.join("")).not.toContain(token);
});

test("the version, the certificate of the reception and the connections to the database are told", async () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  expect(await figure(`postern_build_info{version="${version}"}`)).toBe(1);
  expect(await figure("postern_certificate_left_seconds")).toBeGreaterThan(24 * 3600);
  expect(await figure('postern_db_connections{pool="calls"}')).toBeGreaterThan(0);
  expect(await figure('postern_db_waiting{pool="calls"}')).toBe(0);
});

test("a job that fails is told by its name", async () => {
  await vi.waitFor(
    async () =>
      expect(await metrics()).toMatch(/^postern_job_failures\{name="forget what was fetched"\} 0$/m),
    soon,
  );
  await shop.db`
    update job set failures = 3, took_seconds = 1.5, due_at = now() + interval '30 minutes' where name = 'forget what was fetched'`;
  const text = await metrics();
  expect(text).toMatch(/^postern_job_failures\{name="forget what was fetched"\} 3$/m);
  expect(text).toMatch(/^postern_job_took_seconds\{name="forget what was fetched"\} 1.5$/m);
  expect(text).toMatch(/^postern_job_late_seconds\{name="forget what was fetched"\} 0$/m);
});

test("mail of ours that waits is told, and by how much it is late", async () => {
  await growth({ 'postern_mails_total{queue="codes",outcome="sent"}': 1 }, () => shop.member());
  await vi.waitFor(
    async () => expect(await metrics()).toMatch(/^postern_queue\{queue="codes",state="fresh"\} 0$/m),
    soon,
  );
  await shop.db`
    insert into task (queue, kind, key, due_at, failure)
    select 'codes', 'activation-code', 'example.com', now() + interval '1 hour', failure
    from (values ('refused'), ('refused'), (null)) tried (failure)`;
  expect(await metrics()).toMatch(/^postern_queue\{queue="codes",state="fresh"\} 1$/m);
  expect(await metrics()).toMatch(/^postern_queue\{queue="codes",state="retried"\} 2$/m);
  expect(await metrics()).toMatch(/^postern_queue_lag_seconds\{queue="codes"\} 0$/m);
});

test("how long ago the last audit was is told, and how much it found broken; before the first it counts from when the shop was made", async () => {
  const ageNow = async () => Number(/^postern_audit_age_seconds (\S+)$/m.exec(await metrics())?.[1]);
  expect(await ageNow()).toBeLessThan(24 * 3600);
  await shop.db`update applied set applied_at = applied_at - interval '3 days'`;
  expect(await ageNow()).toBeGreaterThanOrEqual(3 * 24 * 3600);
  await shop.db`insert into audit_outcome (broken, audited_at) values (2, now() - interval '2 days')`;
  expect(await metrics()).toMatch(/^postern_audit_broken 2$/m);
  const age = await ageNow();
  expect(age).toBeGreaterThanOrEqual(2 * 24 * 3600);
  expect(age).toBeLessThan(2 * 24 * 3600 + 600);
});
