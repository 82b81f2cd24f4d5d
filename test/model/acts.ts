import fc from "fast-check";
import { expect } from "vitest";
import { letter } from "../kit/shelf.ts";
import * as inventory from "../../src/server/inventory/inventory.ts";
import type { Usd } from "../../src/server/platform/money.ts";
import * as ledger from "../../src/server/ledger/ledger.ts";
import * as modelOf from "./model.ts";
import { get, type Ask, type ModelLetter, type ModelOrder, type Refused, type Verdict } from "./model.ts";
import { showOneBox, takersOf } from "./acts.boxes.ts";
import { doubt, prove } from "./acts.shares.ts";
import { always, at, preferring } from "./choose.ts";
import { withdraw } from "./model.shares.ts";
import type { World } from "./world.ts";
import {
  deliver,
  type Placed,
  type PlaceRefused,
  type ReorderRefused,
  waiting,
} from "../../src/server/orders/orders.ts";

// Numbers choose the user, the site, the order, the mailbox.
const kinds = [
  { weight: 14, does: ["place", "place from several", "place many"] },
  { weight: 6, does: ["cancel", "receive", "pass time", "restock"] },
  { weight: 4, does: ["expire", "reorder", "reorder by address", "die", "top up"] },
  { weight: 4, does: ["prove", "complain"] },
  { weight: 2, does: ["settle shares", "decide shares", "decide complaint"] },
  { weight: 3, does: ["letter waits", "match", "revive", "unblock"] },
  { weight: 3, does: ["letter to one of two logins", "one box"] },
  { weight: 2, does: ["withdraw", "put back"] },
  { weight: 2, does: ["block", "cancel of another", "give", "adjust", "pay out"] },
  { weight: 1, does: ["price", "sale", "site", "account"] },
] as const;

const number = fc.noBias(fc.nat());

export const act = fc.oneof(
  ...kinds.map(({ weight, does }) => ({
    weight: weight * does.length,
    arbitrary: fc.record({ does: fc.constantFrom(...does), one: number, two: number, three: number }),
  })),
);
export type Act = typeof act extends fc.Arbitrary<infer Each> ? Each : never;

export async function fill(world: World): Promise<void> {
  for (const userId of world.userIds) await topUp(world, userId, 1_500_000n as Usd);
  for (const batchId of world.batchIds.toReversed())
    for (const domainId of world.domainIds) await restock(world, batchId, domainId, 2);
}

/** Runs an act on both; the answers must be equal. */
export async function perform(world: World, each: Act): Promise<void> {
  world.model.turn += 1;
  const { does } = each;
  if (does === "place" || does === "place from several") return place(world, each);
  if (does === "place many") return placeMany(world, each);
  if (does === "reorder" || does === "reorder by address") return reorder(world, each);
  if (does === "cancel" || does === "cancel of another") return cancel(world, each);
  if (does === "receive" || does.startsWith("letter ") || does === "match") return receive(world, each);
  if (does === "prove" || does === "settle shares") return prove(world, each);
  if (does === "complain" || does === "decide shares" || does === "decide complaint")
    return doubt(world, each);
  if (does === "top up" || does === "give" || does === "adjust" || does === "pay out")
    return moveMoney(world, each);
  if (does === "price" || does === "sale" || does === "site" || does === "account")
    return operate(world, each);
  return stock(world, each);
}

async function place(world: World, act: Act): Promise<void> {
  const { model } = world;
  const ask = placeAsk(world, act);
  const verdict = modelOf.judgePlace(model, ask);
  const answer = await world.orders.place({ ...real(ask), siteId: ask.siteId, domainIds: ask.domainIds });
  check(world, ask.userId, verdict, answer);
  if ("domainId" in verdict) stand(world, ask, verdict, answer as Placed);
}

/** One call acts like several in a row, the second under the key "<key> 2". */
async function placeMany(world: World, act: Act): Promise<void> {
  const { model } = world;
  const ask = placeAsk(world, act);
  const quantity = 1 + (act.one % 4);
  const wanting = { ...real(ask), siteId: ask.siteId, domainIds: ask.domainIds };
  const answer = await world.orders.placeMany(wanting, quantity);
  const placed = "placed" in answer ? [...answer.placed] : [];
  let refused: Refused | undefined;
  for (let turn = 1; turn <= quantity; turn++) {
    const key = ask.key === undefined || turn === 1 ? ask.key : `${ask.key} ${turn}`;
    const verdict = modelOf.judgePlace(model, { ...ask, key }, quantity);
    if ("refusal" in verdict) {
      refused ??= verdict;
      // With a key the first decides for all.
      if (turn === 1 && key !== undefined) break;
      continue;
    }
    const next = placed.shift();
    expect(next).toMatchObject({ isRepeat: "repeats" in verdict });
    if ("repeats" in verdict) expect(next?.orderId).toBe(verdict.repeats.orderId);
    else stand(world, { ...ask, key, quantity }, verdict, next!);
  }
  expect(placed).toEqual([]);
  const { balance } = get(model.users, ask.userId).books;
  if ("placed" in answer) expect(answer).toMatchObject({ balance, refused: refused?.refusal });
  else expect(answer).toEqual(refused);
}

function placeAsk(world: World, { does, one, two, three }: Act) {
  const { domainIds } = world;
  const first = one % domainIds.length;
  const turned = [...domainIds.slice(first), ...domainIds.slice(0, first)];
  return {
    ...wanted(world, two, three),
    siteId: always(world.siteIds, two),
    domainIds: does === "place" ? turned.slice(0, 1) : turned.slice(0, three % 4),
  };
}

/** Adds a new order to the model; the shop chose its mailbox. */
function stand(
  { model }: World,
  ask: Ask & { siteId: number; quantity?: number },
  { domainId, price }: { domainId: number; price: bigint },
  { orderId, email }: Placed,
): void {
  const mailbox = modelOf.freeFor(model, ask.siteId, domainId).find((free) => free.email === email);
  if (!mailbox) throw new Error(`${email} was not free`);
  modelOf.addOrder(model, { quantity: 1, ...ask, orderId, mailbox, price, reorderOf: undefined });
}

async function reorder(world: World, { does, one, two, three }: Act): Promise<void> {
  const { model } = world;
  const chosen = at(preferring(model.orders, "received"), one);
  if (!chosen) return;
  const isOwn = three % 8 > 0;
  const ask = { ...wanted(world, two, three), ...(isOwn ? { userId: chosen.userId } : {}) };
  const { siteId, mailbox } = chosen;
  const first =
    does === "reorder"
      ? chosen
      : model.orders.findLast(
          (order) =>
            order.mailbox === mailbox &&
            order.siteId === siteId &&
            order.userId === ask.userId &&
            order.status === "received",
        );
  const isMeant = ({ reorderOf, ...order }: ModelOrder) =>
    reorderOf !== undefined &&
    (does === "reorder"
      ? reorderOf === chosen.orderId
      : order.mailbox === mailbox && order.siteId === siteId);
  const verdict = modelOf.judgeReorder(model, ask, first, isMeant);
  const which =
    does === "reorder" ? { orderId: chosen.orderId } : { email: mailbox.email.toUpperCase(), siteId };
  const answer = await world.orders.reorder({ ...real(ask), ...which });
  const orderId = check(world, ask.userId, verdict, answer);
  if (orderId === undefined || !("domainId" in verdict) || !first) return;
  modelOf.addOrder(model, {
    ...ask,
    siteId,
    orderId,
    mailbox,
    price: verdict.price,
    reorderOf: first.orderId,
    quantity: undefined,
  });
}

const wanted = ({ userIds }: World, two: number, three: number): Ask => ({
  userId: always(userIds, three),
  softId: two % 2 === 0 ? userIds[1] : undefined,
  key: two % 7 === 0 ? `key ${three % 3}` : undefined,
});

const real = ({ userId, softId, key }: Ask) => ({
  userId,
  ...(softId === undefined ? {} : { softId }),
  ...(key === undefined ? {} : { idempotencyKey: key }),
});

/** Compares an answer with the model's; answers the id of a new order. */
function check(
  { model }: World,
  userId: bigint,
  verdict: Verdict,
  answer: Placed | PlaceRefused | ReorderRefused,
): bigint | undefined {
  if ("refusal" in verdict) {
    expect(answer).toEqual(verdict);
    return undefined;
  }
  const { balance } = get(model.users, userId).books;
  if ("repeats" in verdict) {
    const { orderId, mailbox, price } = verdict.repeats;
    expect(answer).toMatchObject({ orderId, email: mailbox.email, price, balance, isRepeat: true });
    return undefined;
  }
  expect(answer).toMatchObject({ price: verdict.price, balance: balance - verdict.price, isRepeat: false });
  return (answer as Placed).orderId;
}

async function cancel(world: World, { does, one, two }: Act): Promise<void> {
  const order = at(preferring(world.model.orders, "pending"), one);
  if (!order) return;
  const userId = does === "cancel" ? order.userId : always(world.userIds, two);
  const { orderId } = order;
  const answer = await world.orders.cancel({ userId, orderId });
  expect(answer.outcome).toBe(modelOf.cancel(world.model, userId, orderId));
  if ("balance" in answer) expect(answer.balance).toBe(get(world.model.users, userId).books.balance);
}

async function receive(world: World, { does, one, two }: Act): Promise<void> {
  const { db, model } = world;
  if (does === "match") {
    const waits = model.unjudged.shift();
    if (waits) await matchNow(world, waits);
    return;
  }
  const order = at(preferring(model.orders, "pending"), one);
  if (!order) return;
  const siteId = two % 4 === 0 ? always(world.siteIds, two) : order.siteId;
  const { mailboxId, email } = order.mailbox;
  if (does === "letter to one of two logins") {
    const others = model.orders.filter(
      ({ status, mailbox }) => status === "pending" && mailbox !== order.mailbox,
    );
    const logins = [order.mailbox, ...others.slice(two % 3).map(({ mailbox }) => mailbox)];
    expect(await takersOf(world, logins, email)).toEqual([order.mailbox]);
  }
  const letterId = await letter(db, [mailboxId], { isMatched: false });
  const arrived: ModelLetter = { letterId, mailboxId, siteId, arrivedAt: model.turn };
  if (does === "letter waits") model.unjudged.push(arrived);
  else await matchNow(world, arrived);
}

async function matchNow({ db, model }: World, arrived: ModelLetter): Promise<void> {
  const { letterId, mailboxId, siteId } = arrived;
  const [row] = await db<{ at: Date }[]>`
    update letter set judged_at = now() where id = ${letterId} returning arrived_at as at`;
  const fits = (await waiting(db, [mailboxId])).filter(
    (order) => order.siteId === siteId && order.createdAt < (row?.at ?? 0),
  );
  const given = await deliver(
    db,
    fits.map(({ orderId }) => ({ letterId, orderId })),
  );
  const found = given.map(({ orderId, isFirst }) => ({ orderId, isFirst }));
  expect(found.toSorted((a, b) => Number(a.orderId - b.orderId))).toEqual(modelOf.deliver(model, arrived));
}

async function topUp({ db, model, unique }: World, userId: bigint, amount: Usd): Promise<void> {
  await ledger.credit(db, { userId, amount, gateway: "sandbox", idempotencyKey: unique() });
  modelOf.moveMoney(model, "sandbox", userId, amount);
}

async function moveMoney(world: World, { does, one, two, three }: Act): Promise<void> {
  const { db, model, userIds, unique } = world;
  const userId = always(userIds, one);
  const amount = BigInt((two % 900_000) + 1) as Usd;
  const idempotencyKey = unique();
  const reason = "model";
  if (does === "top up") return topUp(world, userId, amount);
  if (does === "give") {
    await ledger.give(db, { userId, amount, reason, idempotencyKey });
    modelOf.moveMoney(model, "bonuses", userId, amount);
    return;
  }
  if (does === "adjust") {
    const change = (three % 2 === 0 ? amount : -amount) as Usd;
    const isDone = modelOf.moveMoney(model, "adjustments", userId, change);
    const answer = await ledger.adjust(db, { userId, amount: change, reason, idempotencyKey });
    expect(answer).toBe(isDone ? "ok" : "no balance");
    return;
  }
  const book = always(["balance", "referrals", "soft", "investor"] as const, three);
  const all = get(model.users, userId).books[book];
  const paid = (two % 2 === 0 && all > 0n ? all : amount) as Usd;
  const isDone = modelOf.moveMoney(model, "payouts", userId, -paid as Usd, book);
  expect(await ledger.payOut(db, { userId, book, amount: paid, idempotencyKey })).toBe(
    isDone ? "ok" : "no balance",
  );
}

async function operate(
  { db, model, userIds, siteIds, domainIds }: World,
  { does, one, two }: Act,
): Promise<void> {
  if (does === "account") {
    const user = get(model.users, always(userIds, one));
    user.isBlocked = !user.isBlocked;
    await db`update users set blocked_at = ${user.isBlocked ? new Date() : null} where id = ${user.userId}`;
    return;
  }
  if (does === "site") {
    const siteId = always(siteIds, one);
    const site = get(model.sites, siteId);
    site.isBlocked = !site.isBlocked;
    await db`update site set blocked = ${site.isBlocked} where id = ${siteId}`;
    return;
  }
  const domainId = always(domainIds, one);
  const domain = get(model.domains, domainId);
  if (does === "price") domain.price = BigInt((two % 500_000) + 1);
  else domain.isOnSale = !domain.isOnSale;
  await db`update mail_domain set price = ${domain.price}, enabled = ${domain.isOnSale} where id = ${domainId}`;
}

async function stock(world: World, { does, one, two, three }: Act): Promise<void> {
  const { db, model, batchIds, siteIds } = world;
  const siteId = always(siteIds, two);
  const batchId = always(batchIds, one);
  switch (does) {
    case "pass time": {
      const living = model.orders.filter(({ overAt }) => overAt === Infinity);
      const over = [at(living, one), at(living, two)].filter((order) => order !== undefined);
      for (const order of over) order.overAt = model.turn;
      await db`update orders set expires_at = clock_timestamp() where id = any (${[0n, ...over.map(({ orderId }) => orderId)]})`;
      return;
    }
    case "expire":
      expect(await world.orders.expireDue()).toBe(modelOf.expire(model));
      return;
    case "die":
    case "revive": {
      const all = [...model.mailboxes.values()];
      const chosen = [one, two, three]
        .map((number) => at(all, number))
        .filter((mailbox) => mailbox !== undefined);
      const changing = new Set(chosen.filter(({ isDead }) => isDead !== (does === "die")));
      const ids = chosen.map(({ mailboxId }) => mailboxId);
      expect(await inventory.setDead(db, ids, does === "die")).toBe(changing.size);
      for (const mailbox of changing) mailbox.isDead = does === "die";
      return;
    }
    case "one box": {
      const all = [...model.mailboxes.values()];
      const [first, second] = [at(all, one), at(all, two)];
      if (first && second) await showOneBox(world, first, second);
      return;
    }
    case "block":
      await inventory.block(db, batchId, siteId);
      get(model.batches, batchId).shuns.add(siteId);
      return;
    case "withdraw":
    case "put back": {
      const isOff = does === "withdraw";
      await db`select set_withdrawn(${batchId}, ${isOff ? "operator" : null})`;
      withdraw(model, batchId, isOff);
      return;
    }
    case "unblock":
      await inventory.unblock(db, batchId, siteId);
      get(model.batches, batchId).shuns.delete(siteId);
      return;
    default:
      // No stock is added to a batch off sale.
      if (get(model.batches, batchId).isWithdrawn) return;
      await restock(world, batchId, always(world.domainIds, two), three % 4);
  }
}

async function restock(
  { db, model, unique }: World,
  batchId: number,
  domainId: number,
  count: number,
): Promise<void> {
  const [domain] = await db<{ name: string }[]>`select name from mail_domain where id = ${domainId}`;
  // An existing one, which is skipped.
  const old = [...model.mailboxes.values()]
    .find((mailbox) => mailbox.domainId === domainId)
    ?.email.split("@")[0];
  const parts = Array.from({ length: count }, unique);
  const added = await inventory.addMailboxes(
    db,
    batchId,
    domainId,
    old === undefined ? parts : [old, ...parts],
  );
  expect(added).toBe(count);
  const rows = await db<{ id: bigint; part: string }[]>`
    select id, local_part as part from mailbox where domain_id = ${domainId} and local_part = any (${parts})`;
  for (const { id, part } of rows)
    model.mailboxes.set(id, {
      mailboxId: id,
      domainId,
      batchId,
      email: `${part}@${domain?.name}`,
      isDead: false,
    });
}
