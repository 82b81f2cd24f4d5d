// Fills an empty demonstration with a month of life, by the shop's own functions at their times.
import { randomBytes } from "node:crypto";
import * as catalog from "./catalog/catalog.ts";
import { batches, buyers, Chance, named, partnerWord, theirDomains } from "./life.cast.ts";
import { Timeline } from "./life.clock.ts";
import { addMoney } from "./life.money.ts";
import { addOrders } from "./life.orders.ts";
import { clockPath, dropClock, hasOrders, makeClock } from "./life.sql.ts";
import { addStock, type Stage } from "./life.stock.ts";
import { lockDemo } from "./demo.sql.ts";
import { stockDemo } from "./demo.ts";
import { openInvestors } from "./investors/investors.ts";
import { openLetters } from "./letters/letters.ts";
import { openOffice } from "./office/office.ts";
import { deliver, foldOutcomes, openOrders, waiting } from "./orders/orders.ts";
import { openPartners } from "./partners/partners.ts";
import { paymentsOf } from "./payments/payments.ts";
import { secondsAfter } from "./platform/clock.ts";
import { type Config, resolveSecret } from "./platform/config/config.ts";
import { attempt, connect, type Db } from "./platform/db/db.ts";
import { deadlines } from "./platform/db/deadlines.ts";
import { withoutJobs } from "./platform/jobs/held-jobs.ts";
import type { Log } from "./platform/log.ts";
import { usd } from "./platform/money.ts";
import { sealOf } from "./platform/secret-key.ts";
import * as users from "./users/users.ts";

export { named } from "./life.cast.ts";

const seed = 41;
const day = 24 * 3600;

interface Given {
  readonly db: Db;
  /** Of the same database, for connections that live at another time. */
  readonly url: string;
  readonly config: Config;
  readonly log: Log;
  readonly progress: (line: string) => void;
}

export interface Life {
  readonly password: string;
  readonly orders: number;
  readonly letters: number;
  readonly payments: number;
}

/** Lives the thirty days before `at`, while the jobs of a shop that runs wait. "orders": there are some, so nothing was done. */
export async function live(given: Given, at: Date): Promise<Life | "orders"> {
  const { db, log } = given;
  await stockDemo({ db, log });
  // The jobs would end by the present clock what is under way at another.
  return withoutJobs(db, "telegram", () =>
    attempt(db, async (tx) => {
      await lockDemo(tx);
      if (await hasOrders(tx)) return "orders";
      await makeClock(db);
      try {
        return await liveAt(given, at);
      } finally {
        await dropClock(db);
      }
    }),
  );
}

async function liveAt({ db, url, config, log, progress }: Given, at: Date): Promise<Life> {
  const address = new URL(url);
  address.searchParams.set("options", `-c search_path=${clockPath}`);
  const open = new AsyncDisposableStack();
  try {
    const past = connect(address.href, { max: 8, name: "postern-demo-life", deadlines: deadlines.sessions });
    open.defer(() => past.end({ timeout: 5 }));
    const stage = await openStage({ db: past, config, log, at }, open);
    const password = randomBytes(9).toString("base64url");
    await addPeople(stage, password);
    addStock(stage, batches);
    const payments = addMoney(stage);
    const counts = addOrders(stage);
    let reported = 0;
    await stage.timeline.run(() => {
      if (counts.orders < reported + 50) return;
      reported = counts.orders;
      progress(`${reported} orders`);
    });
    const office = openOffice(db);
    // What is seen at one time is added at the next.
    for (const minutes of [0, 1, 2])
      await office.countHours(secondsAfter(at, minutes * 60), secondsAfter(at, -30 * day));
    await office.lookAtWeek(at);
    await foldOutcomes(db, at);
    return { password, ...counts, payments: payments() };
  } finally {
    await open.disposeAsync();
  }
}

async function openStage(
  { db, config, log, at }: { db: Db; config: Config; log: Log; at: Date },
  open: AsyncDisposableStack,
): Promise<Stage> {
  const timeline = new Timeline(db);
  const { clock } = timeline;
  await timeline.goTo(secondsAfter(at, -30 * day));
  for (const { name, price } of theirDomains)
    await catalog.addDomain(db, { name, price: usd(price), kind: "own" });
  const shelf = await catalog.openCatalog(db);
  open.defer(() => shelf.close());
  const orders = openOrders(db, { ttlSeconds: config.activationTtlSeconds, log });
  open.defer(() => orders.drain());
  const { sendersOf, shunnedSenders } = shelf;
  const letters = openLetters(db, {
    waiting,
    deliver,
    sendersOf,
    shunnedSenders,
    log,
    keepDays: config.letterKeepDays,
  });
  open.defer(() => letters.close());
  const investors = openInvestors({
    db,
    clock,
    secretKey: resolveSecret(config),
    mailboxes: { check: notOpened, refuse: notOpened },
  });
  open.defer(() => investors.close());
  return {
    db,
    at,
    ttlSeconds: config.activationTtlSeconds,
    seal: sealOf(config),
    catalog: shelf,
    chance: new Chance(seed),
    timeline,
    orders,
    letters,
    investors,
    payments: paymentsOf({ db, config, log, clock }),
    partners: openPartners({ db, publicUrl: config.publicUrl }),
    people: new Map(),
  };
}

async function addPeople({ db, seal, at, people, timeline, partners, chance }: Stage, password: string) {
  const add = async (email: string, language: string, referredBy: bigint | undefined, since: Date) => {
    await timeline.goTo(since);
    const userId = await users.addActive(db, seal, { email, password, language, referredBy }, since);
    people.set(email, { userId, since });
    return userId;
  };
  let partner: bigint | undefined;
  for (const [nth, { role, email, language }] of named.entries()) {
    const since = secondsAfter(at, -30 * day + nth * 1000);
    const userId = await add(email, language, undefined, since);
    if (role === "partner") {
      partner = userId;
      await partners.chooseWord(userId, partnerWord, since);
    }
    if (role === "investor") await users.setGrant(db, { userId, role, granted: true }, "operator");
    if (role === "administrator")
      await users.setGrant(db, { userId, role: "admin", granted: true }, "operator");
  }
  for (const { email, language, by } of buyers)
    await add(
      email,
      language,
      by === "link" ? partner : undefined,
      secondsAfter(at, -chance.between(14, 29.8) * day),
    );
}

const notOpened = () => Promise.reject(new Error("mailboxes of own domains are not opened"));
