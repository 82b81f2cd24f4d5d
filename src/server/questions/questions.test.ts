import { afterAll, beforeAll, expect, test } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import { buyer, shelf, site } from "../../../test/kit/shelf.ts";
import { openQuestionsMax } from "../../contract/limits.ts";
import * as journal from "../journal/journal.ts";
import { openOrders } from "../orders/orders.ts";
import { createSeal } from "../platform/seal.ts";
import { answer, ask, forgetUser, list } from "./questions.ts";

const { db, drop } = await createDatabase();
afterAll(drop);
const seal = createSeal(Buffer.alloc(32, 5));
const orders = openOrders(db, { ttlSeconds: 1200 });

let userId: bigint;
let stranger: bigint;
let orderId: bigint;

beforeAll(async () => {
  userId = await buyer(db, { balance: "1" });
  stranger = await buyer(db, { balance: "1" });
  const { domainId } = await shelf(db, 3);
  const placed = await orders.place({ userId, siteId: await site(db), domainIds: [domainId] });
  if (!("orderId" in placed)) throw new Error("the order was refused");
  orderId = placed.orderId;
});

const question = { topic: "no_letter", text: "Where is it?" } as const;
const mails = async () =>
  (await db<{ count: number }[]>`select count(*)::integer as count from task where kind = 'answer'`)[0]
    ?.count;

test("a question is about one thing of the asker", async () => {
  expect(await ask(db, { userId, ...question })).toBe("request");
  expect(await ask(db, { userId, orderId, paymentId: 1n, ...question })).toBe("request");
  expect(await ask(db, { userId: stranger, orderId, ...question })).toBe("no activation");
  expect(await ask(db, { userId, paymentId: 1n, ...question })).toBe("no payment");
  expect(await list(db, userId, { page: 1 })).toEqual({ questions: [], hasMore: false });
});

test("an answer is read by its asker, told by mail once, and noted without its words", async () => {
  const asked = await ask(db, { userId, orderId, ...question });
  if (typeof asked === "string") throw new Error(asked);
  expect(asked).toMatchObject({ orderId, paymentId: null, ...question, answer: null });
  const say = { id: asked.id, text: "It is on its way.", by: "user 9" };
  expect(await answer({ db, seal }, { ...say, id: asked.id + 1n })).toBe("no question");
  expect(await answer({ db, seal }, say)).toMatchObject({ email: expect.stringContaining("@") as string });
  expect(await answer({ db, seal }, { ...say, text: "Another one." })).toBe("question answered");
  expect(await mails()).toBe(1);
  expect(await list(db, userId, { page: 1, orderId })).toMatchObject({
    questions: [{ id: asked.id, answer: "It is on its way." }],
    hasMore: false,
  });
  expect(await list(db, stranger, { page: 1, orderId })).toEqual({ questions: [], hasMore: false });
  const [noted] = await journal.list(db);
  expect(noted).toMatchObject({ by: "user 9", did: "questions answer", about: `question ${asked.id}` });
  expect(
    JSON.stringify(noted, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value)),
  ).not.toContain("way");
});

test("an account has so many questions without an answer, also where it asks them at once; closing it takes them away", async () => {
  const answers = await Promise.all(
    Array.from({ length: openQuestionsMax + 3 }, () => ask(db, { userId, orderId, ...question })),
  );
  expect(answers.filter((one) => one === "question limit")).toHaveLength(3);
  const { questions, hasMore } = await list(db, userId, { page: 1 });
  expect([questions.length, hasMore]).toEqual([10, true]);
  expect((await list(db, userId, { page: 2 })).questions).toHaveLength(1);
  await db.begin((tx) => forgetUser(tx, userId));
  expect(await list(db, userId, { page: 1 })).toEqual({ questions: [], hasMore: false });
});
