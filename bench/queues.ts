// How many mails and webhooks a second does one process send, when many wait? And what would a delivery of a webhook, or the check of a
// letter's sender, cost as a task (docs/decisions/096)?
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer as createHttp } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { openMailer, queue } from "../src/server/mailer/mailer.ts";
import { attempt, type Db } from "../src/server/platform/db/db.ts";
import { migrate } from "../src/server/platform/db/migrate.ts";
import { createLog } from "../src/server/platform/log.ts";
import { createSeal } from "../src/server/platform/seal.ts";
import { openWebhooks } from "../src/server/webhooks/webhooks.ts";
import { printTable, withFolder } from "./process.kit.ts";
import { onDatabase } from "./shop.kit.ts";

const count = Number(process.env["BENCH_COUNT"] ?? 3_000);
const rounds = 3;
const accounts = 20;
const seal = createSeal(randomBytes(32));
const log = createLog("silent");

export const measure = (): Promise<void> =>
  withFolder((dataDir) =>
    onDatabase({ dataDir }, async (db) => {
      await migrate(db);
      const users = await addUsers(db);
      const best: Record<string, number> = {};
      for (let round = 0; round < rounds; round++) {
        const [written, sent] = await mails(db, dataDir);
        const found = {
          "mails written, 50 a commit": written,
          "mails sent": sent,
          "webhooks sent": await deliveries(db, users),
          ...(await statements(db)),
        };
        for (const [name, rate] of Object.entries(found)) best[name] = Math.max(best[name] ?? 0, rate);
      }
      const bytes = await walOf(db);
      printTable(
        Object.entries(best).map(([name, rate]) => ({
          "of one process": name,
          "a second": Math.round(rate),
          "bytes of WAL each": Math.round(bytes[name] ?? 0) || "",
        })),
      );
    }),
  );

async function addUsers(db: Db): Promise<bigint[]> {
  const names = Array.from({ length: accounts }, (_, nth) => `user${nth}@example.com`);
  const made = await db<{ id: bigint }[]>`
    insert into users (email, name, password_hash, token_hash, token_sealed, activated_at)
    select name, 'somebody', '', sha256(name::bytea), '', now() from unnest(${names}::text[]) name returning id`;
  return made.map(({ id }) => id);
}

/** Mails to as many readers, then all of them to a relay that takes everything. */
async function mails(db: Db, dataDir: string): Promise<[written: number, sent: number]> {
  let taken = 0;
  const done = Promise.withResolvers<void>();
  const relay = createServer((socket) => {
    let isData = false;
    socket.write("220 here\r\n");
    socket.on("error", () => undefined);
    socket.on("data", (chunk: Buffer) => {
      const text = chunk.toString("latin1");
      if (isData && !text.endsWith("\r\n.\r\n")) return;
      if (isData && ++taken === count) done.resolve();
      isData = !isData && text.startsWith("DATA");
      socket.write(isData ? "354 go on\r\n" : "250 fine\r\n");
    });
  });
  relay.listen(0, "127.0.0.1");
  await once(relay, "listening");
  const mail = { kind: "webhook-disabled", language: "en", values: { webhook: "program.example" } } as const;
  const begun = performance.now();
  for (let first = 0; first < count; first += 50)
    await attempt(db, async (tx) => {
      for (let nth = first; nth < first + 50; nth++)
        await queue(tx, seal, { ...mail, to: `reader${nth}@example.com` }, { userId: 1n });
      return undefined;
    });
  const written = performance.now();
  const config = {
    mailUrl: `smtp://127.0.0.1:${(relay.address() as AddressInfo).port}`,
    mailFrom: "no-reply@shop.example",
    dkim: undefined,
    dataDir,
    publicUrl: "https://shop.example",
  };
  const mailer = await openMailer({ db, seal, config, log });
  await done.promise;
  const sent = performance.now();
  await mailer.stop();
  relay.close();
  return [(count * 1000) / (written - begun), (count * 1000) / (sent - written)];
}

/** Events of some accounts, each with a webhook, to a program that takes everything. */
async function deliveries(db: Db, users: readonly bigint[]): Promise<number> {
  let taken = 0;
  const done = Promise.withResolvers<void>();
  const program = createHttp((request, response) => {
    request.resume().on("end", () => {
      response.writeHead(200).end();
      if (++taken === count) done.resolve();
    });
  });
  program.listen(0, "127.0.0.1");
  await once(program, "listening");
  const webhooks = openWebhooks({
    db,
    seal,
    log,
    publicUrl: "https://shop.example",
    allowed: { beside: ["127.0.0.1"], ports: [[1, 65_535]] },
    describe: (rows) =>
      Promise.resolve(
        new Map(rows.map(({ id, balance }) => [id, { name: "balance", data: { balance: `${balance}.0` } }])),
      ),
  });
  const url = `http://127.0.0.1:${(program.address() as AddressInfo).port}`;
  await db`delete from webhook`;
  for (const userId of users) {
    await webhooks.add(userId, { url, events: ["balance"] });
    await db`select log_events('balance'::event_kind, array_agg(${userId}::bigint), p_balance => array_agg(n))
             from generate_series(1, ${count / accounts}::bigint) n`;
  }
  const dispatcher = webhooks.openDispatcher();
  const begun = performance.now();
  await dispatcher.start(() => undefined);
  await done.promise;
  const rate = (count * 1000) / (performance.now() - begun);
  await dispatcher.stop();
  await webhooks.close();
  program.close();
  return rate;
}

/** The statements of the life of one batch of rows, each a commit; all but the first get its ids. */
type Life = readonly [made: string, ...steps: string[]];

const deliveryBatch = 100;
const letterBatch = 16;
const walBatches = 50;
const ids = "unnest($1::bigint[]) id";
const task = (queue: string, from: string) => `
  insert into task (queue, kind, key, user_id, ref, payload, due_at)
  select '${queue}', 'any', 'program.example', 1, id::text, '{}', now() from ${from}`;
const lease = (queue: string) => `
  update task set tries = tries + 1, leased_until = now() + interval '1 minute'
  where queue = '${queue}' and ref = any ($1::bigint[]::text[])`;
const ended = (queue: string) =>
  `delete from task where queue = '${queue}' and ref = any ($1::bigint[]::text[])`;

const deliveryMade = `
  insert into webhook_delivery (webhook_id, event, message_id, body, created_at, due_at)
  select (select max(id) from webhook), 'letter', 'msg_' || n, repeat('x', 600)::bytea, now(), now()
  from generate_series(1, ${deliveryBatch}) n returning id`;
const delivered = `
  update webhook_delivery set due_at = null, sending_until = null, done_at = now(), delivered = true, http_status = 200
  where id = any ($1::bigint[])`;
const letterMade = `
  insert into letter (size_bytes, mail_from) select 2000, 'a@sender.example' from generate_series(1, ${letterBatch}) returning id`;
const matched = (due: string) => `
  update letter set judged_at = now(), is_given = true, sender = 'a@sender.example', sender_domain = 'sender.example',
    subject = 'Welcome', authentication_due_at = ${due} where id = any ($1::bigint[])`;
const proved = `
  update letter set spf = 'pass', dkim = 'pass', dmarc = 'pass', dkim_domains = '{sender.example}', dkim_addressed = '{}',
    authenticated_at = now(), authentication_due_at = null where id = any ($1::bigint[])`;

const lives: readonly [name: string, size: number, life: Life][] = [
  [
    "deliveries, as they are",
    deliveryBatch,
    [
      deliveryMade,
      `update webhook_delivery set tries = tries + 1, sending_until = now() + interval '1 minute' where id = any ($1::bigint[])`,
      delivered,
    ],
  ],
  [
    "deliveries, as tasks",
    deliveryBatch,
    [
      `with made as (${deliveryMade}), added as (${task("webhooks", "made")}) select id from made`,
      lease("webhooks"),
      `with ended as (${ended("webhooks")}) ${delivered}`,
    ],
  ],
  [
    "letters to authenticate, as they are",
    letterBatch,
    [
      letterMade,
      matched("now()"),
      `update letter set authentication_tries = authentication_tries + 1, authentication_due_at = now() + interval '1 minute'
       where id = any ($1::bigint[])`,
      proved,
    ],
  ],
  [
    "letters to authenticate, as tasks",
    letterBatch,
    [
      letterMade,
      `with added as (${task("authentication", ids)}) ${matched("null")}`,
      lease("authentication"),
      `with ended as (${ended("authentication")}) ${proved}`,
    ],
  ],
];

/** Rows a second by the statements of their life alone, four batches at a time. */
async function statements(db: Db): Promise<Record<string, number>> {
  const rates: Record<string, number> = {};
  for (const [name, size, life] of lives) {
    let left = Math.ceil(count / size);
    const begun = performance.now();
    const work = async (): Promise<void> => {
      while (left-- > 0) await live(db, life);
    };
    await Promise.all([work(), work(), work(), work()]);
    rates[name] = (count * 1000) / (performance.now() - begun);
  }
  return rates;
}

async function live(db: Db, [made, ...steps]: Life): Promise<void> {
  const rows = await db.unsafe<{ id: bigint }[]>(made);
  for (const step of steps) await db.unsafe(step, [rows.map(({ id }) => id)]);
}

/** What the database writes to its log for a row, by each life: that does not depend on the other load of the machine. */
async function walOf(db: Db): Promise<Record<string, number>> {
  const bytes: Record<string, number> = {};
  for (const [name, size, life] of lives) {
    const at = () => db<{ at: string }[]>`select pg_current_wal_insert_lsn()::text as at`;
    const [before] = await at();
    for (let batch = 0; batch < walBatches; batch++) await live(db, life);
    const [after] = await db<{ bytes: number }[]>`
      select (pg_current_wal_insert_lsn() - ${before?.at ?? ""}::text::pg_lsn)::float8 as bytes`;
    bytes[name] = (after?.bytes ?? 0) / (walBatches * size);
  }
  return bytes;
}
