// The connections of a shop, in pools by kind of work: what is slow in one of them keeps nobody waiting in another.
import { AsyncLocalStorage } from "node:async_hooks";
import { connect, type Db } from "./db.ts";
import { deadlines } from "./deadlines.ts";
import { endChannels } from "./channels.ts";

const second = 1;
/** So long a connection stays that is used now and then: each costs the server three to five megabytes. */
const idleSeconds = 60 * second;

const kinds = {
  /** Calls, letters, pages: the rest of the work. */
  calls: { max: 20, deadlines: deadlines.calls, idleSeconds, kept: 4 },
  /** What periodic jobs ask. */
  jobs: { max: 6, deadlines: deadlines.jobs, idleSeconds, kept: 1 },
  /** The scheduler itself: it never waits behind a job. */
  scheduler: { max: 2, deadlines: deadlines.calls },
  /** What may take minutes. */
  reports: { max: 3, deadlines: deadlines.reports, idleSeconds },
  /** Connections that somebody reserves, because what they do belongs to a session: four uploads, and what drops old letters beside them. */
  sessions: { max: 5, deadlines: deadlines.sessions, idleSeconds },
} as const;

export type Kind = keyof typeof kinds;

/** The name of the session that hears channels: each process of a shop has one, always. */
export const listenerName = "postern-listener";

const chosen = new AsyncLocalStorage<Kind>();

/** Has `work` ask the database in the pool of this kind, and all that it begins. A pool that was opened by `connect` is the only one. */
export const inPool = <Answer>(kind: Kind, work: () => Answer): Answer => chosen.run(kind, work);

/** Where the database of a shop is. */
export interface Address {
  readonly url: string;
  /** The way that shares no connections between transactions, where `url` leads over a pooler. */
  readonly sessionUrl?: string | undefined;
  readonly isPooled?: boolean | undefined;
}

export interface Pools {
  readonly db: Db;
  readonly end: () => Promise<void>;
}

/** How many connections a process opens at most to the server itself, not to a pooler that shares them. */
export function connectionsMax(sessionUrl: string | undefined): number {
  const opened = sessionUrl === undefined ? Object.values(kinds) : [kinds.sessions];
  return opened.reduce((sum, { max }) => sum + max, 1);
}

/** Opens the pools of a shop as one: what is asked goes to the pool that `inPool` has chosen. Nothing is sent before the first query. */
export function openPools({ url, sessionUrl, isPooled }: Address): Pools {
  const opened = (kind: Kind): Db =>
    kind === "sessions"
      ? connect(sessionUrl ?? url, { ...kinds[kind], isPooled: isPooled && sessionUrl === undefined })
      : connect(url, { ...kinds[kind], isPooled });
  const pools: Record<Kind, Db> = {
    calls: opened("calls"),
    jobs: opened("jobs"),
    scheduler: opened("scheduler"),
    reports: opened("reports"),
    sessions: opened("sessions"),
  };
  // Who listens does so on a session, but hears of its silence as soon as calls do.
  const dial = { ...pools.sessions.dial, name: listenerName, silenceMs: deadlines.calls.silenceMs };
  const pool = () => pools[chosen.getStore() ?? "calls"];
  const loads = () =>
    new Map(
      Object.entries(pools).flatMap(([kind, each]) => [...each.loads().values()].map((load) => [kind, load])),
    );
  const all: Partial<Db> = { dial, loads, reserve: pools.sessions.reserve };
  const db = new Proxy(pools.calls, {
    apply: (_pool, _this, values) => Reflect.apply(pool(), undefined, values) as unknown,
    get: (_pool, name) => Reflect.get(name in all ? all : pool(), name) as unknown,
  });
  const end = async () => {
    const ended = Object.values(pools).map((each) => each.end({ timeout: 5 }));
    await Promise.all([endChannels(db), ...ended]);
  };
  return { db, end };
}

/** Makes a first connection in each pool that is in use all the time. */
export async function warmPools(db: Db): Promise<void> {
  const kept = ["calls", "jobs", "scheduler"] as const;
  await Promise.all(kept.map((kind) => inPool(kind, async () => db`select 1`)));
}
