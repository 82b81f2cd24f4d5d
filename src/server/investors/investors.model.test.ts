// @module-tag slow
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import { buyer, shelf, site } from "../../../test/kit/shelf.ts";
import * as inventory from "../inventory/inventory.ts";
import { audit, openOrders, type Placed } from "../orders/orders.ts";
import { createSeal } from "../platform/seal.ts";
import * as users from "../users/users.ts";
import { type Brought, openInvestors, restDays } from "./investors.ts";
import * as admin from "./investors.ts";

// Random histories of two investors who bring the same addresses, with right passwords and with guesses.

const key = Buffer.alloc(32, 7);
const { open } = createSeal(key);
const { db, drop } = await createDatabase({ max: 6 });
const orders = openOrders(db, { ttlSeconds: 1200 });
afterAll(drop);

const size = 20;
const refusalsMax = 4;
const hour = 3_600_000;
const day = 24 * hour;
const names = Array.from({ length: 40 }, (_, n) => `box${String(n).padStart(2, "0")}`);

interface ModelBatch {
  readonly id: number;
  readonly owner: number;
  /** Whether the password of each is right, in the order of the tries. */
  readonly boxes: Map<string, boolean>;
  readonly opened: Set<string>;
  state: "sampling" | "refused" | "freed" | "active";
  isWithdrawn: boolean;
  decidedAt: number;
  isAgain: boolean;
}

const does = [
  "bring",
  "bring",
  "bring guesses",
  "bring guesses",
  "bring some guesses",
  "bring to a limit",
  "bring other columns",
  "an hour passes",
  "a month passes",
  "free",
  "free",
  "free",
  "withdraw",
  "restore",
  "block",
  "unblock",
  "order",
  "order",
  "cancel",
] as const;
const act = fc.record({ does: fc.constantFrom(...does), one: fc.nat(), two: fc.nat() });

async function openWorld() {
  const { domainId, domain } = await shelf(db, 0);
  await db`update mail_domain set kind = 'hosted', imap_host = 'localhost', imap_port = 1, imap_tls = 'none' where id = ${domainId}`;
  const clock = { at: new Date() };
  let lets = Infinity;
  const check = async (mailboxId: bigint) => {
    const [box] = await db<{ secret: Buffer }[]>`select secret from mailbox where id = ${mailboxId}`;
    const isOpen = open(box!.secret) === "right" && lets-- > 0;
    return { seen: isOpen ? ("opened" as const) : ("refused" as const) };
  };
  const investors = openInvestors({
    db,
    secretKey: key,
    mailboxes: { check, refuse: async () => undefined },
    clock: () => clock.at,
    pause: async () => undefined,
  });
  const owners = [await buyer(db, { isInvestor: true }), await buyer(db, { isInvestor: true })];
  return {
    investors,
    owners,
    domain,
    domainId,
    clock,
    limit: (most: number) => void (lets = most),
    buyerId: await buyer(db, { balance: "1000" }),
    siteId: await site(db),
    batches: [] as ModelBatch[],
    freed: new Set<string>(),
    blocked: new Set<number>(),
    sold: new Map<bigint, string>(),
  };
}
type World = Awaited<ReturnType<typeof openWorld>>;

const isOnSale = (world: World, { owner, state, isWithdrawn }: ModelBatch) =>
  state === "active" && !isWithdrawn && !world.blocked.has(owner);
const holderOf = (world: World, name: string) =>
  world.batches.find(({ boxes, state }) => state !== "freed" && boxes.has(name));

/** What a check makes of a batch whose server lets so many in. */
function look(batch: ModelBatch, lets: number, at: number): void {
  let refused = 0;
  for (const [name, isRight] of batch.boxes) {
    if (batch.opened.has(name)) continue;
    if (isRight && lets-- > 0) {
      batch.opened.add(name);
      continue;
    }
    if (++refused <= refusalsMax) continue;
    const firstRefused = [...batch.boxes.keys()].findIndex((each) => !batch.opened.has(each));
    const isLimit = !batch.isAgain && batch.opened.size > 0 && batch.opened.size === firstRefused;
    if (isLimit) {
      batch.isAgain = true;
      batch.decidedAt = at + hour;
      return;
    }
    batch.state = "refused";
    batch.decidedAt = at;
    return;
  }
  batch.state = "active";
  batch.decidedAt = at;
}

async function bring(world: World, what: string, one: number, two: number): Promise<void> {
  const owner = one % 2;
  const turned = [...names.slice(one % names.length), ...names.slice(0, one % names.length)];
  const free = turned.filter((name) => !holderOf(world, name));
  const asked = [
    ...free.slice(0, size),
    ...turned.filter((name) => holderOf(world, name)).slice(0, two % 30),
  ];
  const isRight = (nth: number) =>
    what === "bring guesses"
      ? false
      : what === "bring some guesses"
        ? (nth * 7 + two) % 20 >= two % 12
        : true;
  const boxes = new Map(asked.map((name, nth) => [name, isRight(nth)]));
  const separator = what === "bring other columns" ? ";" : ":";
  const text = [...boxes].map(
    ([name, right]) => `${name}@${world.domain}${separator}${right ? "right" : `wrong${two}`}`,
  );
  const file = (async function* () {
    yield Buffer.from(text.join("\n"));
  })();
  const answer = await world.investors.upload({
    userId: world.owners[owner]!,
    sites: [],
    file,
    key: undefined,
    at: world.clock.at,
    isValid: async () => true,
  });
  if (asked.length > 0 && what === "bring other columns") return expect(answer).toBe("columns");
  const accepted = Math.min(free.length, size);
  const rejected = { duplicate: asked.length - accepted };
  if (accepted < size)
    return expect(answer).toMatchObject({ refused: "too few mailboxes", accepted, rejected });
  expect(answer).toMatchObject({ accepted, rejected });
  const own = free.slice(0, size).toSorted();
  const batch: ModelBatch = {
    id: (answer as Brought).batchId,
    owner,
    boxes: new Map(own.map((name) => [name, boxes.get(name)!])),
    opened: new Set(),
    state: "sampling",
    isWithdrawn: false,
    decidedAt: world.clock.at.getTime(),
    isAgain: false,
  };
  world.batches.push(batch);
  const lets = what === "bring to a limit" ? two % size : Infinity;
  await check(world, lets);
}

/** The newest batch, and those whose second look is due: with no limit then. */
async function check(world: World, lets: number): Promise<void> {
  const now = world.clock.at.getTime();
  world.limit(lets);
  await world.investors.check(new AbortController().signal);
  for (const batch of world.batches)
    if (batch.state === "sampling" && batch.decidedAt <= now && !world.blocked.has(batch.owner))
      look(batch, lets, now);
  for (const owner of world.owners) await admin.clearFlags(db, owner, decided(world));
}

const decided = ({ clock }: World) => ({ by: "model", reason: "model", at: clock.at });

async function decide(world: World, what: string, one: number): Promise<void> {
  const refused = world.batches.filter(({ state }) => state === "refused");
  const among = what === "free" && refused.length > 0 && one % 4 > 0 ? refused : world.batches;
  const batch = among[one % Math.max(1, among.length)];
  if (!batch) return;
  const isOff = batch.isWithdrawn || world.blocked.has(batch.owner);
  if (what === "withdraw") {
    const answer = await admin.withdraw(db, batch.id, decided(world));
    if (batch.state !== "active") return expect(answer).toBe("not on sale");
    batch.isWithdrawn = true;
    return;
  }
  if (what === "restore") {
    const answer = await admin.restoreBatch(db, batch.id, decided(world));
    if (batch.state !== "active" || !isOff) return expect(answer).toBe("not off sale");
    if (world.blocked.has(batch.owner)) return expect(answer).toBe("owner may not sell");
    batch.isWithdrawn = false;
    return;
  }
  const answer = await admin.free(db, batch.id, decided(world));
  if (batch.state !== "refused") return expect(answer).toBe("not refused");
  if (batch.opened.size > 0) return expect(answer).toBe("mailboxes opened");
  const restsUntil = new Date(batch.decidedAt + restDays * day);
  if ([...batch.boxes.keys()].some((name) => world.freed.has(name)) && restsUntil > world.clock.at)
    return expect(answer).toEqual({ restsUntil });
  expect(answer).toEqual({ state: "freed", freed: batch.boxes.size });
  batch.state = "freed";
  for (const name of batch.boxes.keys()) world.freed.add(name);
}

async function trade(world: World, what: string, one: number): Promise<void> {
  const { buyerId: userId, siteId, domainId, domain } = world;
  if (what === "cancel") {
    const orderId = [...world.sold.keys()][one % Math.max(1, world.sold.size)];
    if (orderId === undefined) return;
    await orders.cancel({ userId, orderId });
    world.sold.delete(orderId);
    return;
  }
  const answer = await orders.place({ userId, siteId, domainIds: [domainId] });
  if (freeFor(world, true) === 0) return expect(answer).toEqual({ refusal: "no emails" });
  const { orderId, email } = answer as Placed;
  world.sold.set(orderId, email.slice(0, -domain.length - 1));
}

const freeFor = (world: World, isSite: boolean) => {
  const sold = new Set(isSite ? world.sold.values() : []);
  return world.batches
    .filter((batch) => isOnSale(world, batch))
    .flatMap(({ opened }) => [...opened])
    .filter((name) => !sold.has(name)).length;
};

async function perform(world: World, { does: what, one, two }: { does: string; one: number; two: number }) {
  if (what.startsWith("bring")) {
    // Of a blocked account nothing is tried, and the route takes nothing.
    if (!world.blocked.has(one % 2)) await bring(world, what, one, two);
  } else if (what.endsWith("passes")) {
    world.clock.at = new Date(world.clock.at.getTime() + (what === "an hour passes" ? hour : 31 * day));
    await check(world, Infinity);
  } else if (what === "block" || what === "unblock") {
    const owner = one % 2;
    await users.setBlock(db, { userId: world.owners[owner]!, blocked: what === "block" }, "operator");
    if (what === "block") world.blocked.add(owner);
    else world.blocked.delete(owner);
    await check(world, Infinity);
  } else if (what === "order" || what === "cancel") await trade(world, what, one);
  else await decide(world, what, one);
}

async function compare(world: World): Promise<void> {
  const { siteId, domainId } = world;
  for (const each of [siteId, undefined]) {
    const found = (await inventory.available(db, each)).find((domain) => domain.domainId === domainId);
    expect(found?.available).toBe(freeFor(world, each !== undefined));
  }
  for (const batch of world.batches) {
    const { state, opened } = batch;
    const shown = state === "active" && !isOnSale(world, batch) ? "withdrawn" : state;
    const alive = state === "active" ? BigInt(opened.size) : 0n;
    expect(await admin.showBatch(db, batch.id)).toMatchObject({ state: shown, opened: opened.size, alive });
  }
  expect((await audit(db)).filter(({ bad }) => bad.length > 0)).toEqual([]);
}

const hold = (runs: number) =>
  fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 40, maxLength: 40, size: "max" }), async (acts) => {
      const world = await openWorld();
      for (const each of acts) {
        await perform(world, each);
        await compare(world);
      }
      await world.investors.close();
    }),
    { numRuns: runs, interruptAfterTimeLimit: 60_000 + runs * 20_000 },
  );

test(
  "whatever is brought, refused, freed, sold and taken off sale, the stock is what a small model says",
  { timeout: 600_000 },
  () => hold(1),
);
test("many histories of batches are what the model says", { tags: ["full"], timeout: 7_200_000 }, () =>
  hold(Number(process.env["MODEL_RUNS"] ?? 8)),
);
