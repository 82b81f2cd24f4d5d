// The same operations in a shop of ten thousand mailboxes and in one of ten million.
// A folder as second argument keeps the large shop, which takes many minutes to fill.
import * as inventory from "../src/server/inventory/inventory.ts";
import type { Db } from "../src/server/platform/db/db.ts";
import { auditWithin } from "../src/server/orders/orders.audit.ts";
import { type ListAsk, openOrders, type Placed } from "../src/server/orders/orders.ts";
import { inSeededShop } from "./scale.kit.ts";
import { buyers, hottestSite, hugeBuyer, sites, type Size } from "./scale.seed.ts";

const small: Size = { mailboxesPerDomain: 200, lotSize: 50, rounds: 1 };
const large: Size = { mailboxesPerDomain: 200_000, lotSize: 2500, rounds: 200 };
const samples = 300;
const clients = 64;
const seconds = 5;
const expiring = 5000;

type Figures = Map<string, number>;

export async function measure(): Promise<void> {
  const kept = process.argv[3];
  const figures = [
    await measureShop("10 thousand mailboxes", small),
    await measureShop("10 million", large, kept),
  ];
  const rows = [...(figures[0]?.keys() ?? [])].map((name) => {
    const [few, many] = figures.map((each) => each.get(name) ?? Number.NaN) as [number, number];
    return { what: name, small: round(few), large: round(many), "large / small": round(many / few) };
  });
  console.table(rows);
}

const round = (value: number) => Number(value.toPrecision(3));

async function measureShop(name: string, size: Size, kept?: string): Promise<Figures> {
  console.log(name);
  return inSeededShop(size, measureAll, kept);
}

async function measureAll(db: Db): Promise<Figures> {
  const figures: Figures = new Map();
  const note = (name: string, value: number) => {
    figures.set(name, value);
    console.log(`  ${name}: ${round(value)}`);
  };
  note("quantity of 50 domains, in the database, ms", await quantityMilliseconds(db));
  await measurePages(db, note);
  await measureOrders(db, note);
  await measureAudit(db, note);
  return figures;
}

type Note = (name: string, value: number) => void;

/** The median inside the database, with the prepared plan. */
async function quantityMilliseconds(db: Db): Promise<number> {
  const [row] = await db.begin(async (tx) => {
    await tx.unsafe(`create temp table took (milliseconds double precision) on commit drop`);
    await tx.unsafe(`do $$
      declare
        v_start timestamptz;
        v_site integer;
      begin
        for n in 1..${samples * 10} loop
          v_site := ${hottestSite} + case when n % 2 = 0 then 0 else n % ${sites} end;
          v_start := clock_timestamp();
          perform sum(q.available) from quantity(v_site) q;
          insert into took values (extract(epoch from clock_timestamp() - v_start) * 1000);
        end loop;
      end $$`);
    return tx<
      { median: number }[]
    >`select percentile_cont(0.5) within group (order by milliseconds) as median from took`;
  });
  return row?.median ?? Number.NaN;
}

/** First and last pages of the account with nearly all orders, with the driver. */
async function measurePages(db: Db, note: Note): Promise<void> {
  const orders = openOrders(db, { ttlSeconds: 1200 });
  const userId = BigInt(hugeBuyer);
  const ends = {
    history: (await orders.history(userId, 1)).pages,
    activations: (await orders.activations(userId, 1)).pages,
  };
  for (const list of ["history", "activations"] as const) {
    const last = Math.min(ends[list], 1_000_000);
    const first: number[] = [];
    const far: number[] = [];
    for (let turn = 0; turn < samples; turn++) {
      first.push(await milliseconds(() => orders[list](userId, 1 + (turn % 20))));
      far.push(await milliseconds(() => orders[list](userId, last - (turn % 200))));
    }
    note(`${list}: one of the first pages, ms`, median(first));
    note(`${list}: one of the last pages, ms`, median(far));
  }
  await measureSearches(db, note);
}

/** Of the same account, in its history, with the driver. */
async function measureSearches(db: Db, note: Note): Promise<void> {
  const orders = openOrders(db, { ttlSeconds: 1200 });
  const userId = BigInt(hugeBuyer);
  const known = (await orders.history(userId, 500)).orders;
  const pick = (turn: number) => known[turn % known.length] ?? known[0];
  const asks: Record<string, (turn: number) => ListAsk> = {
    "a whole address": (turn) => ({ search: pick(turn)?.email }),
    "the beginning of an address": (turn) => ({ search: pick(turn)?.email.slice(0, 7) }),
    "an id": (turn) => ({ search: String(pick(turn)?.orderId) }),
    "a code": (turn) => ({ search: String(pick(turn)?.orderId).slice(-6) }),
    "a site": (turn) => ({ search: pick(turn)?.site }),
    "a word of every subject": () => ({ search: "welcome" }),
    "the filter by site": (turn) => ({ siteId: pick(turn)?.siteId }),
    "the filter by state": () => ({ state: "expired" }),
    "the filter by time": () => ({ since: new Date(Date.now() - 10 * 86_400_000) }),
  };
  for (const [name, ask] of Object.entries(asks)) {
    const took: number[] = [];
    for (let turn = 0; turn < samples; turn++)
      took.push(await milliseconds(() => orders.history(userId, 1, ask(turn))));
    note(`search by ${name}, ms`, median(took));
  }
}

async function measureOrders(db: Db, note: Note): Promise<void> {
  const domainIds = (await inventory.available(db, hottestSite)).map(({ domainId }) => domainId);
  const pick = (count: number) => Math.floor(Math.random() * count);
  const orders = openOrders(db, { ttlSeconds: 1200, concurrency: 4 });
  const due = openOrders(db, { ttlSeconds: 0, concurrency: 4 });
  const place = (from: typeof orders, siteId: number) => async () => {
    const ask = {
      userId: BigInt(1 + pick(buyers)),
      siteId,
      domainIds: [domainIds[pick(domainIds.length)] ?? 0],
    };
    const answer = await from.place(ask);
    if (!("orderId" in answer)) throw new Error(`an order was refused: ${answer.refusal}`);
    return { ...answer, userId: ask.userId };
  };
  const anywhere = () => place(orders, hottestSite + pick(sites))();

  await drive(anywhere, 1);
  const placed = await drive(anywhere, seconds);
  note("orders/s over 1,000 sites", placed.perSecond);
  note("orders, p50 ms", placed.p50);
  note("orders, p99 ms", placed.p99);
  const open: (Placed & { userId: bigint })[] = placed.answers;
  const canceled = await drive(async () => {
    const next = open.pop();
    if (next) await orders.cancel({ userId: next.userId, orderId: next.orderId });
    return next !== undefined;
  }, seconds);
  note("cancels/s", canceled.answers.filter((wasOpen) => wasOpen).length / canceled.seconds);
  note("orders/s of the hottest site", (await drive(place(orders, hottestSite), 1)).perSecond);

  await Promise.all(Array.from({ length: expiring }, () => place(due, hottestSite + pick(sites))()));
  const start = performance.now();
  const expired = await due.expireDue();
  note("expired/s, several thousand at once", expired / ((performance.now() - start) / 1000));
}

type Drive<Answer> = { answers: Answer[]; perSecond: number; p50: number; p99: number; seconds: number };

/** 64 clients, each calling again after its answer. Ends when an answer is false. */
async function drive<Answer>(act: () => Promise<Answer>, forSeconds: number): Promise<Drive<Answer>> {
  const answers: Answer[] = [];
  const took: number[] = [];
  const start = performance.now();
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (let now = start; now < start + forSeconds * 1000; now = performance.now()) {
        const answer = await act();
        took.push(performance.now() - now);
        answers.push(answer);
        if (answer === false) return;
      }
    }),
  );
  const lasted = (performance.now() - start) / 1000;
  took.sort((a, b) => a - b);
  const at = (share: number) => took[Math.floor(took.length * share)] ?? Number.NaN;
  return { answers, perSecond: took.length / lasted, p50: at(0.5), p99: at(0.99), seconds: lasted };
}

async function measureAudit(db: Db, note: Note): Promise<void> {
  const start = performance.now();
  const found = await db.begin("isolation level repeatable read read only", (tx) =>
    auditWithin(tx, { onPart: (part, took) => note(`audit, ${part.replace(".sql", "")}, s`, took) }),
  );
  note("audit, all, s", (performance.now() - start) / 1000);
  const broken = found.filter(({ bad }) => bad.length > 0);
  console.log(broken.length === 0 ? "  audit: everything holds" : JSON.stringify(broken));
}

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
