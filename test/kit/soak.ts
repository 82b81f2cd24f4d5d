// A shop under everything at once, while its web processes are killed: orders with their letters, polls, streams, sign-ins, play
// money and an investor's file. bench/mixed.ts measures it; test/journeys/soak.test.ts is its short form.
import { type ChildProcess, fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { addStock } from "../../src/server/inventory/inventory.ts";
import { audit } from "../../src/server/orders/orders.ts";
import { readConfig } from "../../src/server/platform/config/config.ts";
import { connect, type Db } from "../../src/server/platform/db/db.ts";
import { startEmbedded } from "../../src/server/platform/db/embedded.ts";
import { createSeal } from "../../src/server/platform/seal.ts";
import { hashPassword } from "../../src/server/users/users.password.ts";
import { numberOf } from "./numbers.ts";
import { freePort } from "./port.ts";
import { environment, ready, spawnShop } from "./process.ts";

export interface Pace {
  readonly seconds: number;
  /** A second, as the following; each order gets a letter of 2, 8 or 30 KB as soon as it is placed. */
  readonly orders: number;
  readonly polls: number;
  readonly signIns: number;
  readonly payments: number;
  /** Buyers, each with an open event stream. */
  readonly streams: number;
  /** Of the investor's file, which is sent after a third of the time. */
  readonly lines: number;
  /** So often one of the two web processes is killed and started again, in turn. */
  readonly killSeconds: number;
}

export const kinds = ["order", "letter", "letter to event", "poll", "sign-in", "payment"] as const;
export type Kind = (typeof kinds)[number];

/** When it began, in milliseconds of the clients' clock, and how many it took. */
export type Sample = readonly [kind: Kind, at: number, took: number];

/** What was acknowledged to the clients, and what was not. */
export interface Done {
  /** Ids. */
  readonly orders: string[];
  /** Subjects. */
  readonly letters: string[];
  /** Ids of payments that were paid. */
  readonly payments: string[];
  /** Calls and letters that a killed process did not answer. */
  unanswered: number;
  readonly refused: string[];
  /** Letters of which no event came. */
  unheard: number;
}

/** What the process of the clients is told. */
export interface Clients {
  readonly pace: Pace;
  readonly webPorts: readonly number[];
  readonly smtpPort: number;
  readonly domain: string;
  readonly tokens: readonly string[];
  readonly person: { readonly email: string; readonly password: string };
}

/** Megabytes of the shop's processes together, the database's sessions, and the processor's milliseconds for the same small work. */
export interface Held {
  readonly at: number;
  readonly megabytes: number;
  readonly sessions: number;
  readonly work: number;
}

export interface Soaked {
  readonly samples: readonly Sample[];
  readonly done: Done;
  readonly held: readonly Held[];
  readonly kills: number;
  /** What was acknowledged and is not there, in words. Empty as it should be. */
  readonly lost: readonly string[];
}

export const domain = "letters.test";
const hosted = "box.example";
const secretKey = "ef494d78e3f38f737d28cc5f0ffe2a4af3044c29f3a096309e48b2dcdbe23602";
export const person = { email: "signs.in@people.test", password: "correct horse" };
const lookSeconds = 2;
/** So long letters are waited for that are stored but not given yet, and payments that are not credited. */
const patienceSeconds = 60;
const log = { info: () => undefined, warn: (text: string) => console.warn(text) };

/** Runs it in `folder` on an embedded database of its own. Throws where a process does not start. */
export async function soak(folder: string, pace: Pace): Promise<Soaked> {
  const server = await startEmbedded({ dataDir: folder, log });
  const db = connect(server.url, { max: 4, name: "soak" });
  const shops: Shop[] = [];
  try {
    const common = { folder, databaseUrl: server.url };
    // The first one migrates and fills the demo.
    shops.push(await startShop({ ...common, roles: "web,smtp,jobs" }));
    shops.push(await startShop({ ...common, roles: "web" }), await startShop({ ...common, roles: "web" }));
    const tokens = await addBuyers(db, pace);
    return await work(db, shops, { pace, tokens });
  } finally {
    await Promise.all(shops.map((shop) => shop.stop()));
    await db.end();
    await server.stop();
  }
}

async function work(
  db: Db,
  [all, ...webs]: Shop[],
  { pace, tokens }: { pace: Pace; tokens: string[] },
): Promise<Soaked> {
  if (!all) throw new Error("the shop was started");
  const clients = fork(new URL("soak.load.ts", import.meta.url));
  const over = new AbortController();
  try {
    const answered = once(clients, "message");
    const [webPorts, { smtpPort }] = [webs.map(({ port }) => port), all];
    clients.send({ pace, webPorts, smtpPort, domain, tokens, person } satisfies Clients);
    const upload = sleep((pace.seconds * 1000) / 3).then(() => send(all.port, tokens[0] ?? "", pace.lines));
    // Its fault is thrown below.
    upload.catch(() => undefined);
    const killing = killInTurn(webs, pace.killSeconds, over.signal);
    const looking = look(db, [all, ...webs], over.signal);
    const [{ samples, done }] = (await answered) as [Pick<Soaked, "samples" | "done">];
    over.abort();
    const [kills, held, accepted] = await Promise.all([killing, looking, upload]);
    return { samples, done, held, kills, lost: await lostOf(db, done, { accepted, lines: pace.lines }) };
  } finally {
    over.abort();
    clients.kill();
  }
}

export interface Shop {
  readonly port: number;
  readonly smtpPort: number;
  pid(): number | undefined;
  /** SIGKILL, and a new start. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** A process of the shop with these roles. */
export async function startShop(asked: {
  folder: string;
  databaseUrl: string;
  roles: string;
}): Promise<Shop> {
  const place = { port: await freePort(), smtpPort: await freePort(), dataDir: asked.folder };
  const env = {
    ...environment(place),
    DATABASE_URL: asked.databaseUrl,
    ROLES: asked.roles,
    SECRET_KEY: secretKey,
    DEMO: "true",
    CAPTCHA: "off",
    TRUST_PROXY: "loopback",
    ACTIVATION_TTL_S: "86400",
    LOG_LEVEL: "fatal",
  };
  let child: ChildProcess;
  const start = async () => {
    const started = spawnShop(env);
    child = started;
    await ready(started);
  };
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill(signal);
    await gone;
  };
  await start();
  return {
    ...place,
    pid: () => child.pid,
    restart: () => end("SIGKILL").then(start),
    stop: () => end("SIGTERM"),
  };
}

/** Buyers with money, of whom the first is an investor; somebody with a password; and stock. Answers the buyers' tokens. */
export async function addBuyers(db: Db, pace: Pace): Promise<string[]> {
  const seal = createSeal(readConfig({ SECRET_KEY: secretKey, DATA_DIR: "/nonexistent" }).secretKey!);
  const tokens = Array.from({ length: pace.streams }, () => randomBytes(16).toString("hex"));
  const hashes = tokens.map((token) => seal.hash("token", token).toString("hex"));
  await db`
    insert into users (email, password_hash, token_hash, token_sealed, name, activated_at, is_investor)
    select 'buyer' || n || '@buyers.test', 'none', decode(hash, 'hex'), '', 'buyer ' || n, now(), n = 1
    from unnest(${hashes}::text[]) with ordinality as t (hash, n)`;
  await db`
    insert into users (email, password_hash, token_hash, token_sealed, name, activated_at)
    values (${person.email}, ${await hashPassword(person.password)}, ${randomBytes(32)}, '', 'signs in', now())`;
  await db`select open_accounts(array_agg(id), array_agg('balance'::text)) from users where email like '%@buyers.test'`;
  await db`
    select move_money(4, a.id, 1000000000000, 'adjust', 'soak ' || a.id, 'for the soak', 0)
    from account a join users u on u.id = a.user_id where a.book = 'balance' and u.email like '%@buyers.test'`;
  const [row] = await db<{ id: number }[]>`select id from mail_domain where name = ${domain}`;
  await addStock(db, row?.id ?? 0, Math.ceil(pace.seconds * pace.orders * 1.1));
  await db`
    insert into mail_domain (name, price, kind, imap_host, imap_port, imap_tls)
    values (${hosted}, 350000, 'hosted', 'localhost', 1, 'none')`;
  return tokens;
}

/** Sends the investor's file; answers how many of its lines were accepted. */
async function send(port: number, token: string, lines: number): Promise<number> {
  if (lines === 0) return 0;
  const text = Array.from({ length: lines }, (_, nth) => `a${nth}@${hosted}:pw${nth}\n`);
  const body = new Blob(text, { type: "text/plain" });
  const answer = await fetch(`http://127.0.0.1:${port}/investor/upload`, {
    method: "POST",
    headers: { token },
    body,
  });
  const said = (await answer.json()) as { accepted?: number };
  if (said.accepted === undefined) throw new Error(`the file was refused: ${JSON.stringify(said)}`);
  return said.accepted;
}

async function killInTurn(webs: readonly Shop[], seconds: number, signal: AbortSignal): Promise<number> {
  for (let kills = 0; ; kills++) {
    await sleep(seconds * 1000, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return kills;
    await webs[kills % webs.length]?.restart();
  }
}

async function look(db: Db, shops: readonly Shop[], signal: AbortSignal): Promise<Held[]> {
  const held: Held[] = [];
  for (;;) {
    await sleep(lookSeconds * 1000, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return held;
    const sizes = await Promise.all(shops.map((shop) => megabytesOf(shop.pid())));
    const [row] = await db<{ count: number }[]>`
      select count(*)::integer as count from pg_stat_activity where datname = current_database()`;
    // A process that starts at this moment has no memory yet.
    if (sizes.every((size) => size > 0))
      held.push({
        at: performance.now(),
        megabytes: sizes.reduce((sum, size) => sum + size, 0),
        sessions: row?.count ?? 0,
        work: millisecondsOfWork(),
      });
  }
}

const letters = Array.from({ length: 5_000 }, (_, id) => ({
  id,
  from: `sender${id}@site.example`,
  code: "123456",
}));

/** Tells a shop that became slower from a machine that did; time in which others had the processor does not count. */
function millisecondsOfWork(): number {
  const before = process.cpuUsage();
  JSON.parse(JSON.stringify(letters));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

async function megabytesOf(pid: number | undefined): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0) / 1024;
}

async function lostOf(
  db: Db,
  done: Done,
  { accepted, lines }: { accepted: number; lines: number },
): Promise<string[]> {
  const numbers = (told: readonly string[]) => Promise.all(told.map((id) => numberOf(db, id)));
  const [orderIds, paymentIds] = [await numbers(done.orders), await numbers(done.payments)];
  const isBusy = async () => {
    const left = await db`
      select 1 from letter where judged_at is null
      union all select 1 from payment where id = any (${paymentIds}::bigint[]) and state <> 'credited' limit 1`;
    return left.length > 0;
  };
  for (
    const until = performance.now() + patienceSeconds * 1000;
    performance.now() < until && (await isBusy());
  )
    await sleep(50);
  const count = async (query: Promise<readonly { count?: number }[]>) => (await query)[0]?.count ?? 0;
  const orders = await count(
    db`select count(*)::integer as count from orders where id = any (${orderIds}::bigint[])`,
  );
  const letters = await count(db`
    select count(distinct l.subject)::integer as count from letter l join delivery d on d.letter_id = l.id
    where l.subject = any (${done.letters})`);
  const payments = await count(db`
    select count(distinct p.id)::integer as count from payment p
    where p.id = any (${paymentIds}::bigint[]) and p.state = 'credited'`);
  const broken = (await audit(db)).filter(({ bad }) => bad.length > 0);
  return [
    ...(orders === done.orders.length ? [] : [`${done.orders.length - orders} orders`]),
    ...(letters === done.letters.length ? [] : [`${done.letters.length - letters} letters`]),
    ...(payments === done.payments.length ? [] : [`${done.payments.length - payments} payments`]),
    ...(done.unheard === 0 ? [] : [`events of ${done.unheard} letters`]),
    ...(accepted === lines ? [] : [`${lines - accepted} lines of the file`]),
    ...broken.map((invariant) => `audit: ${JSON.stringify(invariant)}`),
  ];
}
