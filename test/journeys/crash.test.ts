// @module-tag slow
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import nodemailer from "nodemailer";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { freePort } from "../kit/port.ts";
import { type Place, type ShopProcess, shopProcess, type } from "../kit/process.ts";
import { outboxCode } from "../kit/outbox.ts";

// kill -9 under load loses nothing that was acknowledged.

/** Enough to fill every batcher, few enough that letters and orders mix. */
const clients = 100;
const email = "crash@example.com";

let place: Place;
let shop: ShopProcess;
let token: string;

beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "postern-killed-"));
  place = { port: await freePort(), smtpPort: await freePort(), dataDir };
  // Under load more orders wait for their letters than one account may usually have open.
  shop = shopProcess(place, { ACTIVATION_TTL_S: "3600", CAPTCHA: "off", OPEN_ORDERS: "10000" });
  await shop.start();
  const registered = await write("/user/registration", {
    email,
    password: "correct horse",
    recaptcha: "off",
  });
  token = String(registered["token"]);
  const code = await outboxCode(dataDir, email);
  await write("/user/activate", { token, code });
  await type(
    place,
    "src/server/shop.ts",
    "users",
    "credit",
    email,
    "1000",
    "--reason",
    "enough for every order",
  );
});
afterAll(() => shop.remove());

type Answer = Record<string, unknown>;

async function read(path: string, parameters: Record<string, string>): Promise<Answer> {
  return (await (await fetch(`${shop.url}${path}?${new URLSearchParams(parameters)}`)).json()) as Answer;
}

async function write(path: string, parameters: Record<string, string>): Promise<Answer> {
  const body = new URLSearchParams(parameters);
  return (await (await fetch(shop.url + path, { method: "POST", body })).json()) as Answer;
}

/** Everything acknowledged before the kill. */
interface Acknowledged {
  readonly placed: Map<string, string>;
  readonly letters: Map<string, string>;
}

async function trade(count: number, said: Acknowledged, onPlaced: (total: number) => void): Promise<void> {
  const mailer = nodemailer.createTransport({
    host: "127.0.0.1",
    port: place.smtpPort,
    pool: true,
    maxConnections: 20,
    maxMessages: Infinity,
    ignoreTLS: true,
  });
  const one = async (number: number) => {
    const answer = await read("/email/order", { token, site: "instagram.com", domain: "all" });
    if (answer["status"] !== "success") return;
    const id = String(answer["id"]);
    said.placed.set(id, String(answer["email"]));
    onPlaced(said.placed.size);
    const code = String(100_000 + number);
    const letter = {
      to: String(answer["email"]),
      from: "no-reply@mail.instagram.com",
      subject: "Your code",
      text: `Your code is ${code}.`,
    };
    await mailer.sendMail(letter);
    said.letters.set(id, code);
  };
  let next = 0;
  const client = async () => {
    while (next < count) await one(next++);
  };
  // Requests under way fail with the kill.
  await Promise.allSettled(Array.from({ length: clients }, client));
  mailer.close();
}

type Victim = "program" | "program and database";

test.each<[Victim, number]>([["program and database", 600]])(
  "killing the %s among %d orders loses none that was answered and no letter that got its 250",
  { timeout: 240_000 },
  loseNothing,
);
test.each<[Victim, number]>([
  ["program", 2_000],
  ["program and database", 2_000],
])("killing the %s among %d orders loses nothing either", { tags: ["full"], timeout: 240_000 }, loseNothing);

/** Kills at random in the first half and checks after the restart. */
async function loseNothing(victim: Victim, orders: number): Promise<void> {
  const said: Acknowledged = { placed: new Map(), letters: new Map() };
  const moment = Math.floor(orders * (0.1 + Math.random() * 0.4));
  const reached = Promise.withResolvers<void>();
  const trading = trade(orders, said, (total) => total === moment && reached.resolve());
  await reached.promise;
  await shop.kill(victim);
  await trading;
  expect(said.placed.size).toBeGreaterThanOrEqual(moment);
  expect(said.placed.size).toBeLessThan(orders);

  await shop.start();
  await vi.waitFor(() => expectAllThere(said), { timeout: 30_000, interval: 250 });
  expect(await type(place, "src/server/shop.ts", "audit", "--json")).toContain('"holds":true');
}

test(
  "a database that falls over under a shop is back in seconds: orders go on, nothing acknowledged is lost, and the shop stops when it is told",
  { tags: ["full"], timeout: 240_000 },
  async () => {
    const said: Acknowledged = { placed: new Map(), letters: new Map() };
    for (let fall = 0; fall < 3; fall++) {
      const before = said.placed.size;
      const reached = Promise.withResolvers<void>();
      const trading = trade(400, said, (total) => total === before + 100 && reached.resolve());
      await reached.promise;
      await shop.kill("database");
      await trading;
      await vi.waitFor(async () => expect((await fetch(`${shop.url}/readyz`)).status).toBe(200), {
        timeout: 30_000,
        interval: 100,
      });
    }
    await vi.waitFor(() => expectAllThere(said), { timeout: 30_000, interval: 250 });
    expect(await type(place, "src/server/shop.ts", "audit", "--json")).toContain('"holds":true');
    await shop.stop();
    await shop.start();
  },
);

async function expectAllThere(said: Acknowledged): Promise<void> {
  const ids = [...said.placed.keys()];
  for (let start = 0; start < ids.length; start += 100) {
    await Promise.all(ids.slice(start, start + 100).map((id) => expectThere(id, said)));
  }
}

async function expectThere(id: string, said: Acknowledged): Promise<void> {
  const answer = await read("/email/getmessage", { token, id });
  const code = said.letters.get(id);
  if (code !== undefined) expect(answer).toMatchObject({ status: "success", code });
  else expect(answer["value"] === "wait message" || answer["status"] === "success").toBe(true);
}
