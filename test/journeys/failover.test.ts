// @module-tag full
// Two PostgreSQL servers, the shop on both by one DATABASE_URL, orders, letters and credits under way: the primary dies or freezes,
// the standby takes over. With FAILOVER_RATE, orders and letters a second, it prints what it measured.
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { once } from "node:events";
import nodemailer from "nodemailer";
import { expect, onTestFinished, test, vi } from "vitest";
import { addStock } from "../../src/server/inventory/inventory.ts";
import { audit } from "../../src/server/orders/orders.ts";
import { readConfig } from "../../src/server/platform/config/config.ts";
import { connect, type Db } from "../../src/server/platform/db/db.ts";
import { createSeal } from "../../src/server/platform/seal.ts";
import { numberOf } from "../kit/numbers.ts";
import { freePort } from "../kit/port.ts";
import { environment, type Place, ready, spawnShop } from "../kit/process.ts";
import { startPair } from "../kit/servers.ts";

const asked = process.env["FAILOVER_RATE"];
const rate = Number(asked ?? 40);
const secretKey = "ef494d78e3f38f737d28cc5f0ffe2a4af3044c29f3a096309e48b2dcdbe23602";

/** The shop as two processes, as a proxy would share its callers among them. */
async function startShops(databaseUrl: string): Promise<Place[]> {
  const dataDir = await mkdtemp(join(tmpdir(), "postern-failover-"));
  const places: Place[] = [];
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  for (let process = 0; process < 2; process++) {
    const place = { port: await freePort(), smtpPort: await freePort(), dataDir };
    const settings = {
      DATABASE_URL: databaseUrl,
      SECRET_KEY: secretKey,
      CAPTCHA: "off",
      DEMO: "true",
      LOG_LEVEL: "fatal",
      ACTIVATION_TTL_S: "3600",
      // The load credits for longer than a proof of the person counts.
      OFFICE_TOKEN_ACTS: "on",
    };
    const child = spawnShop({ ...environment(place), ...settings });
    onTestFinished(async () => {
      if (child.exitCode !== null) return;
      const gone = once(child, "exit");
      child.kill("SIGTERM");
      await gone;
    });
    await ready(child);
    places.push(place);
  }
  return places;
}

/** Buyers with tokens and money, of whom the first is an administrator. */
async function addBuyers(db: Db, count: number): Promise<{ tokens: string[]; userId: string }> {
  const seal = createSeal(readConfig({ SECRET_KEY: secretKey, DATA_DIR: "/nonexistent" }).secretKey!);
  const tokens = Array.from({ length: count }, () => randomBytes(16).toString("hex"));
  const hashes = tokens.map((token) => seal.hash("token", token).toString("hex"));
  await db`insert into users (email, password_hash, token_hash, token_sealed, name, activated_at, is_admin)
    select 'buyer' || n || '@buyers.test', 'none', decode(hash, 'hex'), '', 'buyer ' || n, now(), n = 1
    from unnest(${hashes}::text[]) with ordinality as t (hash, n)`;
  await db`select open_accounts(array_agg(id), array_agg('balance'::text)) from users where email like '%@buyers.test'`;
  await db`select move_money(4, a.id, 1000000000000, 'adjust', 'test ' || a.id, 'for the test', 0)
    from account a join users u on u.id = a.user_id where a.book = 'balance' and u.email like '%@buyers.test'`;
  const [domain] = await db<{ id: number }[]>`select id from mail_domain where name = 'letters.test'`;
  await addStock(db, domain!.id, 50_000);
  const [user] = await db<{ id: bigint }[]>`select id from users where email = 'buyer2@buyers.test'`;
  return { tokens, userId: String(user!.id) };
}

type Kind = "orders" | "orders with a key" | "letters" | "credits";
interface Outcome {
  readonly kind: Kind;
  readonly askedAt: number;
  readonly answeredAt: number;
  /** What is acknowledged: the id of an order, the subject of a letter, the key of a credit. */
  readonly done: string | undefined;
  readonly why?: string;
}

/** Orders, each with its letter, and credits, at their rates whatever becomes of those before, until it is stopped. */
function trade(places: readonly Place[], tokens: readonly string[], userId: string) {
  const outcomes: Outcome[] = [];
  // A connection for each letter, as its sender has: a pool would keep letters waiting before they are sent.
  const mailers = places.map(({ smtpPort: port }) =>
    nodemailer.createTransport({ host: "127.0.0.1", port, ignoreTLS: true }),
  );
  const call = async (nth: number, path: string, fields: Record<string, string>) => {
    const { port } = places[nth % places.length]!;
    const url = `http://127.0.0.1:${port}${path}`;
    const answer = await fetch(url, { method: "POST", body: new URLSearchParams(fields) });
    const said = (await answer.json()) as Record<string, unknown>;
    if (said["status"] !== "success") throw new Error(String(said["value"]));
    return said;
  };
  const note = async (kind: Kind, work: () => Promise<string>) => {
    const askedAt = performance.now();
    const outcome = await work().then(
      (done) => ({ done }),
      (fault: Error) => ({ done: undefined, why: fault.message }),
    );
    outcomes.push({ kind, askedAt, answeredAt: performance.now(), ...outcome });
    return outcome.done;
  };
  const one = async (nth: number) => {
    const token = tokens[nth % tokens.length]!;
    const key: Record<string, string> = nth % 4 < 2 ? {} : { client_order_id: `key-${nth}` };
    let to = "";
    await note("client_order_id" in key ? "orders with a key" : "orders", async () => {
      const placed = await call(nth, "/email/order", {
        token,
        site: "instagram.com",
        domain: "letters.test",
        ...key,
      });
      to = String(placed["email"]);
      return String(placed["id"]);
    });
    if (to === "") return;
    await note("letters", async () => {
      const [from, subject] = ["no-reply@mail.instagram.com", `Letter ${nth}`];
      const text = `Your code is ${100_000 + nth}.`;
      await mailers[(nth + 1) % 2]!.sendMail({ from, to, subject, text });
      return subject;
    });
  };
  const credit = (nth: number) =>
    note("credits", async () => {
      const fields = { token: tokens[0]!, user: userId, amount: "0.01", reason: "goodwill" };
      await call(nth, "/api/admin/users/adjust", { ...fields, key: `credit-${nth}` });
      return `credit-${nth}`;
    });
  const running: Promise<unknown>[] = [];
  const startedAt = performance.now();
  let [orders, credits] = [0, 0];
  const timer = setInterval(() => {
    const seconds = (performance.now() - startedAt) / 1000;
    while (orders < seconds * rate) running.push(one(orders++));
    while (credits < seconds * 5) running.push(credit(credits++));
  }, 10);
  return {
    outcomes,
    async stop() {
      clearInterval(timer);
      await Promise.all(running);
    },
  };
}

const doneOf = (outcomes: readonly Outcome[], ...kinds: Kind[]) =>
  outcomes.flatMap(({ kind, done }) => (kinds.includes(kind) && done !== undefined ? [done] : []));

/** Everything acknowledged is there, once. */
async function expectAllThere(db: Db, outcomes: readonly Outcome[]): Promise<void> {
  const told = doneOf(outcomes, "orders", "orders with a key");
  const ids = await Promise.all(told.map((id) => numberOf(db, id)));
  const [orders] = await db`select count(*)::integer as count from orders where id = any(${ids}::bigint[])`;
  expect(orders?.["count"]).toBe(new Set(ids).size);
  expect(new Set(ids).size).toBe(ids.length);
  const subjects = doneOf(outcomes, "letters");
  const given = () => db`
    select distinct l.subject from letter l join delivery d on d.letter_id = l.id where l.subject = any(${subjects})`;
  await expect.poll(async () => (await given()).length, { timeout: 30_000 }).toBe(subjects.length);
  const keys = doneOf(outcomes, "credits");
  const credits = await db`
    select 1 from transfer where substring(idempotency_key from 'credit-[0-9]+$') = any(${keys})`;
  expect(credits).toHaveLength(keys.length);
  expect((await audit(db)).filter(({ bad }) => bad.length > 0)).toEqual([]);
}

/** Seconds from `since` to the first success of what was asked after it, by kind. */
function secondsToSuccess(outcomes: readonly Outcome[], since: number): Record<Kind, number> {
  const of = (kind: Kind) => {
    const done = outcomes.filter(
      (each) => each.kind === kind && each.askedAt > since && each.done !== undefined,
    );
    return (Math.min(...done.map(({ answeredAt }) => answeredAt)) - since) / 1000;
  };
  return {
    orders: of("orders"),
    "orders with a key": of("orders with a key"),
    letters: of("letters"),
    credits: of("credits"),
  };
}

function tell(what: string, outcomes: readonly Outcome[], seconds: Record<Kind, number>): void {
  if (asked === undefined) return;
  const kinds = Object.entries(seconds).map(([kind, taken]) => {
    const [done, others] = [true, false].map(
      (is) => outcomes.filter((each) => each.kind === kind && (each.done !== undefined) === is).length,
    );
    return `${kind}: ${done} acknowledged, ${others} not, next success after ${taken.toFixed(1)} s`;
  });
  process.stdout.write(
    `the primary ${what} under ${rate} orders/s and ${rate} letters/s\n  ${kinds.join("\n  ")}\n`,
  );
}

test.each(["dies", "freezes"] as const)(
  "a primary that %s under load loses nothing that was acknowledged, and the shop goes on with the standby within seconds",
  { timeout: 180_000 },
  async (what) => {
    const { url, primary, standby } = await startPair();
    const places = await startShops(`${url}?target_session_attrs=read-write`);
    const before = connect(primary.url, { max: 2 });
    const { tokens, userId } = await addBuyers(before, 20);
    expect(await before`select sync_state as state from pg_stat_replication`).toEqual([{ state: "sync" }]);
    await before.end();

    const { outcomes, stop } = trade(places, tokens, userId);
    const lettersSince = (since: number) =>
      outcomes.filter((each) => each.kind === "letters" && each.askedAt > since && each.done !== undefined)
        .length;
    const trades = (since: number) =>
      vi.waitFor(() => expect(lettersSince(since)).toBeGreaterThan(3 * rate), { timeout: 60_000 });
    await trades(0);
    await primary.signal(what === "dies" ? "SIGKILL" : "SIGSTOP");
    const since = performance.now();
    await standby.promote();
    await trades(since);
    if (what === "freezes") {
      await primary.signal("SIGCONT");
      await trades(performance.now());
    }
    await stop();

    const seconds = secondsToSuccess(outcomes, since);
    tell(what, outcomes, seconds);
    const db = connect(standby.url, { max: 4 });
    onTestFinished(() => db.end());
    await expectAllThere(db, outcomes);
    for (const each of Object.values(seconds)) expect(each).toBeLessThan(15);
    // Whoever named an order by a key heard what became of it.
    const unknown = outcomes.filter(({ kind, done }) => kind === "orders with a key" && done === undefined);
    expect(unknown).toEqual([]);
  },
);
