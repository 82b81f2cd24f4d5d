// @module-tag slow
import { afterAll, beforeAll, expect, test, vi } from "vitest";
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

test("a job that fails is told by its name", async () => {
  await vi.waitFor(
    async () => expect(await metrics()).toMatch(/^postern_job_failures\{job="forget what was fetched"\} 0$/m),
    soon,
  );
  await shop.db`
    update job set failures = 3, took_seconds = 1.5, due_at = now() + interval '30 minutes' where name = 'forget what was fetched'`;
  const text = await metrics();
  expect(text).toMatch(/^postern_job_failures\{job="forget what was fetched"\} 3$/m);
  expect(text).toMatch(/^postern_job_took_seconds\{job="forget what was fetched"\} 1.5$/m);
  expect(text).toMatch(/^postern_job_late_seconds\{job="forget what was fetched"\} 0$/m);
});

test("mail of ours that waits is told, and by how much it is late", async () => {
  await shop.member();
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
