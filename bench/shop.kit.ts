import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { resolveSecret } from "../src/server/platform/config/config.ts";
import { connect, type Db } from "../src/server/platform/db/db.ts";
import { startEmbedded } from "../src/server/platform/db/embedded.ts";
import { createSeal } from "../src/server/platform/seal.ts";
import { databasePidOf, environment, ready, spawnShop } from "../test/kit/process.ts";
import { end, freePort, owned } from "./process.kit.ts";

/** Where a shop has its data: in an embedded database, or in that of the URL. */
export interface Home {
  readonly dataDir: string;
  readonly databaseUrl?: string | undefined;
}

export interface Shop {
  port: number;
  smtpPort: number;
  pid: number;
  /** Of the embedded one. */
  databasePid: number | undefined;
  stop(): Promise<void>;
  /** Kills program and database at once. */
  kill(): Promise<void>;
}

/** As in `npm start`. */
const startFlags = ["--max-semi-space-size=32", "--min-semi-space-size=16"];

/** No order expires during a bench. */
export const orderSeconds = 86_400;

export async function startShop(
  { dataDir, databaseUrl }: Home,
  settings: Record<string, string> = {},
): Promise<Shop> {
  const place = { port: await freePort(), smtpPort: await freePort(), dataDir };
  const env = {
    ...environment(place),
    ACTIVATION_TTL_S: String(orderSeconds),
    // A bench has few buyers for its orders.
    OPEN_ORDERS: "1000000",
    NODE_ENV: "production",
    ...(databaseUrl === undefined
      ? {}
      : {
          DATABASE_URL: databaseUrl,
          SECRET_KEY: (await readFile(join(dataDir, "secret.key"), "utf8")).trim(),
        }),
    ...settings,
  };
  const flags = [...startFlags, ...(process.env["BENCH_SHOP_FLAGS"]?.split(" ") ?? [])];
  const child = owned(spawnShop(env, flags));
  // Prints its warnings.
  child.stdout.on("data", (chunk: Buffer) => {
    for (const line of chunk.toString().split("\n"))
      if (line.startsWith("{")) console.error(line.slice(0, 500));
  });
  await ready(child);
  const databasePid = databaseUrl === undefined ? await databasePidOf(dataDir) : undefined;
  return {
    port: place.port,
    smtpPort: place.smtpPort,
    pid: child.pid ?? 0,
    databasePid,
    stop: () => end(child),
    async kill() {
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      if (databasePid !== undefined) process.kill(databasePid, "SIGKILL");
      await gone;
    },
  };
}

export async function onDatabase<Answer>(
  { dataDir, databaseUrl }: Home,
  work: (db: Db, url: string) => Promise<Answer>,
): Promise<Answer> {
  const silent = { info: () => undefined, warn: () => undefined };
  const embedded = databaseUrl === undefined ? await startEmbedded({ dataDir, log: silent }) : undefined;
  const url = databaseUrl ?? embedded?.adminUrl ?? "";
  const db = connect(url, { max: 12, name: "bench" });
  try {
    return await work(db, url);
  } finally {
    await db.end();
    await embedded?.stop();
  }
}

export interface Buyer {
  id: bigint;
  token: string;
}

/** Accounts with tokens and money, without the minutes that hashing their passwords would take. */
export async function addBuyers(db: Db, dataDir: string, count: number): Promise<Buyer[]> {
  const seal = createSeal(resolveSecret({ secretKey: undefined, dataDir }));
  const tokens = Array.from({ length: count }, () => randomBytes(16).toString("hex"));
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
