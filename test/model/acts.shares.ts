import { expect } from "vitest";
import {
  complain,
  decideComplaint,
  decideShares,
  releaseProved,
  settleShares,
} from "../../src/server/orders/orders.ts";
import { always, at, preferring } from "./choose.ts";
import { get } from "./model.ts";
import * as modelOf from "./model.shares.ts";
import type { World } from "./world.ts";

interface Act {
  readonly does: string;
  readonly one: number;
  readonly two: number;
  readonly three: number;
}

export async function prove({ db, model }: World, { does, one }: Act): Promise<void> {
  if (does === "settle shares") {
    await settleShares(db, new Date(Date.now() + 4 * 24 * 3_600_000));
    modelOf.settleShares(model);
    return;
  }
  const order = at(
    model.orders.filter(({ share }) => share?.state === "held"),
    one,
  );
  const letterId = order?.letterIds[0];
  if (!order || letterId === undefined) return;
  await db`update letter set dated_at = now(), dkim_addressed = array[(select name from site where id = ${order.siteId})]
           where id = ${letterId}`;
  await releaseProved(db, letterId);
  modelOf.prove(model, letterId);
}

export async function doubt(world: World, { does, one, two, three }: Act): Promise<void> {
  const { db, model, userIds, batchIds, siteIds } = world;
  const decided = { by: "operator", reason: "model", at: new Date() };
  if (does === "decide shares") {
    const [batchId, siteId] = [always(batchIds, one), always(siteIds, two)];
    const state = three % 2 === 0 ? "released" : "refused";
    const [site] = await db<{ name: string }[]>`select name from site where id = ${siteId}`;
    const answer = await decideShares(db, { ...decided, batchId, site: site?.name ?? "", state });
    const amount = modelOf.decideShares(model, batchId, siteId, state);
    if (amount === undefined) expect(answer).toBe("nothing held");
    else expect(answer).toMatchObject({ amount });
    return;
  }
  const order = at(preferring(model.orders, "received"), one);
  if (!order) return;
  const { orderId } = order;
  if (does === "complain") {
    const userId = two % 8 === 0 ? always(userIds, two) : order.userId;
    const answer = await complain(db, { userId, orderId }, new Date());
    expect(typeof answer === "string" ? answer : answer.outcome).toBe(modelOf.complain(model, userId, order));
    if (typeof answer !== "string") expect(answer.balance).toBe(get(model.users, userId).books.balance);
    return;
  }
  const reviewed =
    at(
      model.orders.filter(({ share }) => share?.complaint === "review"),
      one,
    ) ?? order;
  const state = two % 2 === 0 ? "refunded" : "rejected";
  const answer = await decideComplaint(db, { ...decided, orderId: reviewed.orderId, state });
  const isDone = modelOf.decideComplaint(model, reviewed, state);
  if (isDone) expect(answer).toMatchObject({ price: reviewed.price });
  else expect(answer).toBe("no complaint");
}
