// The shop that the benches of letters measure: mailboxes, buyers and living orders in a folder of its own, and the whole program as
// a process on it, with its embedded database and durability on.
import { spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as inventory from "../src/server/inventory/inventory.ts";
import { resolveSecret } from "../src/server/kit/config.ts";
import { connect, type Db } from "../src/server/kit/db.ts";
import { startEmbedded } from "../src/server/kit/embedded.ts";
import { migrate } from "../src/server/kit/migrate.ts";
import { createSeal } from "../src/server/kit/seal.ts";
import { openOrders } from "../src/server/orders/orders.ts";
import type { Target } from "./letters.letter.kit.ts";
import { end, freePort, owned } from "./letters.process.kit.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
export const mailDomain = "letters.test";
const buyers = 200;
const site = "site1.com";
const sender = `no-reply@mail.${site}`;
const ordersAtOnce = 256;
const orderSeconds = 86_400;

/** A shop in a folder, filled and not running. */
export interface Place {
  dataDir: string;
  /** Where its letters go, those with an order among those without, and the file that the load reads. */
  targets: Target[];
  targetsFile: string;
}

/** Fills a new shop: so many mailboxes, and of each ten so many with a living order. */
export async function furnish(folder: string, mailboxes: number, orderedOfTen: number): Promise<Place> {
  const dataDir = join(folder, "shop");
  const targets = await onDatabase(dataDir, async (db) => {
    await migrate(db);
    const [domain] = await db<{ id: number }[]>`
      insert into mail_domain (name, price) values (${mailDomain}, 350000) returning id`;
    if (!domain) throw new Error("no mail domain was made");
    await inventory.addStock(db, domain.id, mailboxes);
    // One site: for another one the same mailboxes would be sold again, and each order is to have a letter of its own.
    const [siteRow] = await db<{ id: number }[]>`insert into site (name) values (${site}) returning id`;
    if (!siteRow) throw new Error("no site was made");
    const users = await addBuyers(db, dataDir);
    await takeFigures(db);
    const found = new Map<string, Target>();
    const orders = openOrders(db, { ttlSeconds: orderSeconds, shard: 1 });
    let left = Math.floor((mailboxes * orderedOfTen) / 10);
    const client = async () => {
      for (; left > 0;) {
        const user = users[left-- % users.length]!;
        const placed = await orders.place({ userId: user.id, siteId: siteRow.id, domainIds: [domain.id] });
        if ("refusal" in placed) throw new Error(`an order was refused: ${placed.refusal}`);
        const order = { id: String(placed.orderId), token: user.token };
        found.set(placed.email, { address: placed.email, sender, order });
      }
    };
    await Promise.all(Array.from({ length: ordersAtOnce }, client));
    const addresses = await db<{ address: string }[]>`
      select local_part || '@' || ${mailDomain}::text as address from mailbox order by id`;
    await takeFigures(db);
    return mixed(addresses.map(({ address }) => found.get(address) ?? { address, sender }));
  });
  const targetsFile = join(folder, "targets.json");
  await writeFile(targetsFile, JSON.stringify(targets));
  return { dataDir, targets, targetsFile };
}

/**
 * Has the planner know what is there, as it does in a shop that runs. Not of tables that are empty: the database leaves them alone as
 * well, and what is planned for nothing reads all of them when they fill.
 */
async function takeFigures(db: Db): Promise<void> {
  const filled = await db<{ name: string }[]>`
    select oid::regclass::text as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and pg_relation_size(oid) > 0`;
  await db.unsafe(`vacuum analyze ${filled.map(({ name }) => name).join(", ")}`);
}

/** Works on the database of a shop, whether that runs or not. */
export async function onDatabase<Answer>(
  dataDir: string,
  work: (db: Db) => Promise<Answer>,
): Promise<Answer> {
  const silent = { info: () => undefined, warn: () => undefined };
  const embedded = await startEmbedded({ dataDir, log: silent });
  const db = connect(embedded.url, { max: 12, name: "bench" });
  try {
    return await work(db);
  } finally {
    await db.end();
    await embedded.stop();
  }
}

/** Accounts with tokens and money, as registrations and payments leave them; hundreds of passwords would be hashed for minutes. */
async function addBuyers(db: Db, dataDir: string): Promise<{ id: bigint; token: string }[]> {
  const seal = createSeal(resolveSecret({ secretKey: undefined, dataDir }));
  const tokens = Array.from({ length: buyers }, () => randomBytes(16).toString("hex"));
  const hashes = tokens.map((token) => seal.hash("token", token).toString("hex"));
  const rows = await db<{ id: bigint; n: number }[]>`
    insert into users (email, password_hash, token_hash, token_sealed, name, activated_at)
    select 'buyer' || n || '@buyers.test', 'none', decode(hash, 'hex'), '', 'buyer ' || n, now()
    from unnest(${hashes}::text[]) with ordinality as t (hash, n)
    returning id, substring(name from 7)::integer as n`;
  await db`select open_accounts(array_agg(id), array_agg('balance'::text)) from users where email like 'buyer%@buyers.test'`;
  await db`select move_money(4, a.id, 1000000000000, 'adjust', 'bench ' || a.id, 'for the bench', 0)
           from account a where a.book = 'balance'`;
  return rows.map(({ id, n }) => ({ id, token: tokens[n - 1]! }));
}

/** In an order that has nothing to do with that of the rows, the same in each run. */
function mixed<Item>(list: readonly Item[]): Item[] {
  const stride = 7_919;
  if (list.length % stride === 0) return [...list];
  return list.map((_, index) => list[(index * stride) % list.length]!);
}

/** A shop that runs. */
export interface Shop {
  port: number;
  smtpPort: number;
  pid: number;
  /** The process of its database. */
  databasePid: number;
  stop(): Promise<void>;
  /** Kills program and database at once, as when the machine falls. */
  kill(): Promise<void>;
}

/** As `npm start` has them. */
const startFlags = ["--max-semi-space-size=32", "--min-semi-space-size=16"];

/** Starts the program on a place; resolves at its ready line. */
export async function startShop(
  { dataDir }: Pick<Place, "dataDir">,
  settings: Record<string, string> = {},
): Promise<Shop> {
  const [port, smtpPort] = [await freePort(), await freePort()];
  const flags = [...startFlags, ...(process.env["BENCH_SHOP_FLAGS"]?.split(" ") ?? [])];
  const spawned = spawn(process.execPath, [...flags, "src/server/main.ts"], {
    cwd: root,
    env: {
      PATH: process.env["PATH"] ?? "",
      NODE_COMPILE_CACHE: join(root, ".cache/compiled"),
      PORT: String(port),
      SMTP_PORT: String(smtpPort),
      DATA_DIR: dataDir,
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      ROLES: "smtp,jobs,web",
      ACTIVATION_TTL_S: String(orderSeconds),
      LOG_LEVEL: "warn",
      NODE_ENV: "production",
      ...settings,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const child = owned(spawned);
  await ready(child);
  const [noted = ""] = (await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8")).split("\n");
  const databasePid = Number(noted);
  return {
    port,
    smtpPort,
    pid: child.pid ?? 0,
    databasePid,
    stop: () => end(child),
    async kill() {
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      process.kill(databasePid, "SIGKILL");
      await gone;
    },
  };
}

async function ready(child: ChildProcess): Promise<void> {
  let said = "";
  const failed = once(child, "exit").then(([code]) => {
    throw new Error(`the shop ended with ${code} before it was ready: ${said}`);
  });
  const isUp = new Promise<void>((resolve) => {
    child.stdout?.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      // What it warns of is worth knowing beside a figure.
      for (const line of chunk.toString().split("\n"))
        if (line.startsWith("{")) console.error(line.slice(0, 500));
      if (/^ready {2}\S+ {2}smtp:\/\/\S+$/m.test(said)) resolve();
    });
  });
  await Promise.race([isUp, failed]);
  failed.catch(() => undefined);
}

/** How many letters nobody has judged yet, and how many deliveries there are. */
export async function countLetters(
  db: Db,
): Promise<{ unjudged: number; delivered: number; letters: number }> {
  const [row] = await db<{ unjudged: number; delivered: number; letters: number }[]>`
    select (select count(*)::int from letter where judged_at is null) as unjudged,
           (select count(*)::int from delivery) as delivered,
           (select count(*)::int from letter) as letters`;
  if (!row) throw new Error("a count has one row");
  return row;
}
