// What a machine and its settings lack, by the looks of the start and of the setup page, a line each.
import { once } from "node:events";
import { connect } from "node:net";
import { listDomains } from "../catalog/catalog.ts";
import { alertsAt } from "../platform/alerts.ts";
import { backupAge } from "../platform/backup/daily.ts";
import { now } from "../platform/clock.ts";
import { type Config, lacksProxy, misspelt } from "../platform/config/config.ts";
import { freeBytes } from "../platform/config/data-dir.ts";
import { lackOfConnections } from "../platform/db/check-server.ts";
import type { Db } from "../platform/db/db.ts";
import { secondsAhead, toleratedSeconds } from "../platform/db/time.ts";
import { httpConnectionsMax } from "../platform/http/connections.ts";
import { openFilesMax } from "../platform/open-files.ts";
import { isKeyOf } from "../platform/secret-key.ts";
import { endsSoon, readCertificate, smtpConnectionsMax, validUntil } from "../reception/reception.ts";
import { administrators } from "../users/users.ts";
import type { DnsRecord } from "./setup.dns.ts";
import { isSuperuser } from "./setup.sql.ts";

/** `look`: the shop works, but somebody should look; `wrong`: it does not, or will not soon. */
export interface Finding {
  readonly what: string;
  readonly state: "ok" | "look" | "wrong";
  readonly says: string;
}

interface Parts {
  readonly db: Db;
  readonly config: Config;
  readonly environment?: NodeJS.ProcessEnv | undefined;
  /** Looks up the records of a domain (`dns` of the setup). */
  readonly dns: (domain: string) => Promise<{ right: boolean; records: readonly DnsRecord[] } | undefined>;
}

type Result = Omit<Finding, "what">;
type Looks = Readonly<Record<string, (parts: Parts) => Promise<Result> | Result>>;

const ok = (says: string): Result => ({ state: "ok", says });
const look = (says: string): Result => ({ state: "look", says });
const wrong = (says: string): Result => ({ state: "wrong", says });

const patienceMs = 5_000;
const megabyte = 1e6;

/** Beside connections of callers: to the database and to other machines, files of the program, pipes of its threads. */
const filesOfItsOwn = 250;

/** How many files and connections a process has open at most; a connection of the reception may have a file of its letter. */
export const filesMax = ({ roles }: Pick<Config, "roles">): number =>
  filesOfItsOwn +
  (roles.has("web") ? httpConnectionsMax : 0) +
  (roles.has("smtp") ? 2 * smtpConnectionsMax : 0);

/** Each look by itself: one that fails is a finding too. */
export async function examine(parts: Parts): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const [what, ask] of Object.entries(looks)) {
    const result = await Promise.resolve(parts)
      .then(ask)
      .catch((fault: unknown) => wrong(fault instanceof Error ? fault.message : String(fault)));
    found.push({ what, ...result });
  }
  return found;
}

const looks: Looks = {
  settings: ({ environment }) => {
    const odd = misspelt(environment);
    return odd.length === 0
      ? ok("every name is known")
      : look(odd.map(({ given, meant }) => `${given} changes nothing: is ${meant} meant?`).join(" "));
  },
  "pages and API": ({ config }) =>
    config.roles.has("web") || config.healthPort !== undefined
      ? answers(urlOf(config), config)
      : look("this process serves none: set HEALTH_PORT to see how it is"),
  reception: ({ config }) =>
    config.roles.has("smtp") ? greets(config) : ok("ROLES leaves it to another process"),
  certificate: ({ config }) => certificate(config),
  proxy: ({ config }) => proxy(config),
  database: async ({ db }) =>
    (await isSuperuser(db))
      ? look("DATABASE_URL names a superuser: the shop needs a role that owns its database, and nothing else")
      : ok("its role owns the database, and nothing else"),
  key: async ({ db, config }) => {
    const standing = await isKeyOf(db, config);
    if (standing === "another") return wrong("SECRET_KEY is not that of the database");
    if (standing === "missing") return wrong("SECRET_KEY is not set, and DATA_DIR has no secret.key");
    return ok(standing === "fits" ? "it is that of the database" : "the first start takes it");
  },
  connections: async ({ db, config }) => {
    const lack = await lackOfConnections(db, config.databaseSessionUrl);
    return lack
      ? wrong(
          `${lack.processes} processes may open ${lack.need}, the database gives ${lack.given}: raise max_connections`,
        )
      : ok("the database gives as many as the running processes may open");
  },
  clock: async ({ db }) => {
    const ahead = await secondsAhead(db);
    return Math.abs(ahead) > toleratedSeconds
      ? wrong(`${ahead} seconds ahead of the database's: set both by NTP`)
      : ok("it agrees with the database's");
  },
  files: async ({ config }) => files(config),
  disk: async ({ config: { dataDir } }) => {
    const free = await freeBytes(dataDir);
    const says = `DATA_DIR has ${Math.round(free / megabyte)} MB left`;
    return free > alertsAt.DiskLow ? ok(says) : free > 512 * megabyte ? look(says) : wrong(says);
  },
  backup: async ({ db, config }) => {
    if (config.backupDir === undefined) return look("BACKUP_DIR is not set: make backups by other means");
    const seconds = await backupAge(db);
    const hours = Math.round(seconds / 3600);
    return seconds > alertsAt.BackupOld
      ? wrong(`there was none for ${hours} hours: see the log`)
      : ok(`${hours} hours old at most`);
  },
  mail: ({ config }) =>
    config.mailUrl === undefined
      ? (config.demo ? ok : wrong)(
          "MAIL_URL is not set: mail is written to DATA_DIR/outbox and reaches nobody",
        )
      : ok("a relay is set; the setup page tells how it does"),
  administrator: async ({ db }) =>
    (await administrators(db, [])).length > 0
      ? ok("there is one")
      : look("there is none: set ADMIN_EMAILS to your address, restart, and register with it"),
  dns: async ({ db, config, dns }) => {
    const own = (await listDomains(db)).filter(({ kind, enabled }) => kind === "own" && enabled);
    if (config.demo) return ok("a demonstration: its domains are not looked up");
    if (own.length === 0) return look("no mail domain of your own is on sale");
    const bad: string[] = [];
    for (const { name } of own) {
      const { records = [] } = (await dns(name)) ?? {};
      for (const { needed, state, type, name: at, value } of records)
        if (needed && state !== "right" && state !== "doubt") bad.push(`${at} ${type} is ${state}: ${value}`);
    }
    return bad.length === 0 ? ok("the records of every domain are right") : wrong(bad.join("; "));
  },
};

const localOf = (host: string) => ({ "0.0.0.0": "127.0.0.1", "::": "::1" })[host] ?? host;

function urlOf({ host, port, healthPort, roles }: Config): string {
  const at = localOf(host);
  return `http://${at.includes(":") ? `[${at}]` : at}:${roles.has("web") ? port : (healthPort ?? port)}`;
}

const ask = (url: string, headers: Record<string, string> = {}) =>
  fetch(url, { headers, signal: AbortSignal.timeout(patienceMs), redirect: "manual" });

async function answers(url: string, { roles }: Config): Promise<Result> {
  const ready = await ask(`${url}/readyz`).catch(() => undefined);
  if (!ready) return wrong(`nothing answers at ${url}: is the shop running?`);
  if (ready.ok) return ok(`ready at ${url}, roles ${[...roles].join(", ")}`);
  const { down = [] } = (await ready.json()) as { down?: string[] };
  return wrong(`at ${url} these parts are down: ${down.join(", ")}`);
}

async function greets({ smtpHost, smtpPort }: Config): Promise<Result> {
  const host = localOf(smtpHost);
  const socket = connect({ host, port: smtpPort, timeout: patienceMs });
  socket.on("timeout", () => socket.destroy(new Error("no greeting in time")));
  try {
    const [bytes] = (await once(socket, "data")) as [Buffer];
    const greeting = bytes.toString().trim();
    return greeting.startsWith("220 ") ? ok(greeting) : wrong(`it greets with: ${greeting}`);
  } catch (fault) {
    return wrong(`nothing greets at ${host}:${smtpPort}: ${(fault as Error).message}`);
  } finally {
    socket.destroy();
  }
}

async function certificate({ smtpTls, demo, roles }: Config): Promise<Result> {
  if (!roles.has("smtp")) return ok("ROLES leaves the reception to another process");
  if (!smtpTls)
    return demo
      ? ok("a demonstration makes its own")
      : look("SMTP_TLS_CERT is not set: letters come in the clear");
  const until = validUntil(await readCertificate(smtpTls));
  const says = `it ends at ${until.toISOString()}`;
  if (until <= now()) return wrong(`${says}: renew it`);
  return endsSoon(until) ? look(`${says}: renew it`) : ok(says);
}

/** What a proxy in front does with a call is seen by /metrics, which the shop gives to nobody whom a proxy brings. */
async function proxy(config: Config): Promise<Result> {
  const { publicUrl, trustProxy, metricsToken } = config;
  if (lacksProxy(config))
    return wrong("PUBLIC_URL is https and TRUST_PROXY is off: all visitors are counted as one");
  const isDirect = URL.canParse(publicUrl) && new URL(publicUrl).origin === new URL(urlOf(config)).origin;
  if (!config.roles.has("web") || isDirect) return ok("none is between PUBLIC_URL and this process");
  const seen = await ask(`${publicUrl}/metrics`).catch(() => undefined);
  if (!seen) return look(`${publicUrl} does not answer this machine`);
  if (seen.status === 200 && metricsToken === undefined)
    return wrong(
      "a proxy of this machine sends no X-Forwarded-For: it shows /metrics to everybody, and all visitors are counted as one",
    );
  if (seen.status === 403 && trustProxy === false && metricsToken === undefined)
    return wrong("a proxy passes calls on that TRUST_PROXY does not name: all visitors are counted as one");
  return ok(`${publicUrl} answers`);
}

/** Of the running process, where it tells; else of this one, which may have another limit. */
async function files(config: Config): Promise<Result> {
  const token = config.metricsToken;
  const metrics = await ask(
    `${urlOf(config)}/metrics`,
    token === undefined ? {} : { authorization: `Bearer ${token}` },
  )
    .then((answer) => answer.text())
    .catch(() => "");
  const running = /^process_max_fds (\d+)$/m.exec(metrics)?.[1];
  const max = running === undefined ? openFilesMax() : Number(running);
  const whose = running === undefined ? "this shell" : "the shop";
  const need = filesMax(config);
  if (max === undefined) return ok("this system tells no limit");
  return max < need
    ? look(`${whose} may open ${max}, and may need ${need}: raise LimitNOFILE (ulimit -n)`)
    : ok(`${whose} may open ${max}`);
}
