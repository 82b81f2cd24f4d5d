import { expect, onTestFinished, test } from "vitest";
import { sayTo } from "../../../test/kit/command.ts";
import { createDatabase } from "../../../test/kit/database.ts";
import { buyer, letter, shelf, site } from "../../../test/kit/shelf.ts";
import type { Db } from "../platform/db/db.ts";
import { createSeal } from "../platform/seal.ts";
import { deliver, openOrders, type Placed } from "../orders/orders.ts";
import { openPartners } from "../partners/partners.ts";
import { noteIdentifiers } from "../users/users.ts";

/** A shop where pat@ earns by ann@, who orders with their Soft ID; a dollar an order. */
async function shop() {
  const { db, drop } = await createDatabase();
  onTestFinished(drop);
  const [partnerId, userId] = await couple(db);
  const say = (...words: string[]) => sayTo(db, words, { PUBLIC_URL: "https://shop.example" });
  const json = async (...words: string[]): Promise<unknown> =>
    JSON.parse((await say(...words, "--json")).out);
  const orders = openOrders(db, { ttlSeconds: 1200 });
  const [siteId, { domainId }] = [await site(db), await shelf(db, 10, "1")];
  const order = async () => {
    const placed = (await orders.place({
      userId,
      siteId,
      domainIds: [domainId],
      softId: partnerId,
    })) as Placed;
    await deliver(db, [{ letterId: await letter(db, []), orderId: placed.orderId }]);
  };
  const share = async () => {
    const seal = createSeal(Buffer.alloc(32, 1));
    for (const id of [partnerId, userId]) await noteIdentifiers(db, seal, id, { telegram: 7n }, new Date());
  };
  return { db, say, json, order, share, partnerId, userId };
}

async function couple(db: Db): Promise<[bigint, bigint]> {
  const partnerId = await buyer(db);
  const userId = await buyer(db, { balance: "100", referredBy: partnerId });
  await db`update users set email = case id when ${partnerId} then 'pat@example.com' else 'ann@example.com' end`;
  await openPartners({ db, publicUrl: "" }).chooseWord(partnerId, "pat", new Date());
  return [partnerId, userId];
}

test("partners are listed with what is due to them, and paid no more than that", async () => {
  const { say, json, order, partnerId } = await shop();
  await order();
  await order();
  const listed = await say("partners", "list");
  expect(listed.out.split("\n")).toEqual([
    expect.stringMatching(/^partner +word +referred +referrals earned +referrals due/),
    expect.stringMatching(/^pat@example\.com +pat +1 +0\.1 +0\.1 +never +0\.0 +0\.1 +0\.1 +never +0\.0$/),
    "",
  ]);
  expect(await say("partners", "payout", "pat@example.com", "soft", "0.11")).toEqual({
    status: 1,
    out: "",
    err: "pat@example.com has only 0.1 dollars to withdraw.\n",
  });
  const pay = [
    "partners",
    "payout",
    "pat@example.com",
    "referral",
    "0.06",
    "--note",
    "by card",
    "--key",
    "may",
  ];
  expect((await say(...pay)).out).toBe(
    "0.06 dollars were paid to pat@example.com; 0.04 are left to withdraw.\n",
  );
  expect(await json(...pay)).toMatchObject({ id: String(partnerId), left: "0.04", repeated: true });
  expect(await json("partners", "list")).toMatchObject({
    partners: [{ referrals: { earned: "0.1", payed: "0.06", to_withdraw: "0.04" } }],
    pages: 1,
  });
  expect(await json("journal", "list")).toMatchObject([
    { by: "operator", did: "partners payout", about: `user ${partnerId}`, reason: "by card" },
  ]);
});

test("wrong words and unknown accounts are refused and change nothing", async () => {
  const { say } = await shop();
  expect(await say("partners", "payout", "pat@example.com", "both", "1")).toMatchObject({
    status: 2,
    err: expect.stringContaining("there are referrals, soft, investor") as string,
  });
  expect((await say("partners", "payout", "pat@example.com", "soft", "0")).status).toBe(2);
  expect((await say("partners", "payout", "nobody@example.com", "soft", "1")).err).toContain("no account");
  expect((await say("partners", "release", "pat@example.com", "nobody@example.com")).err).toContain(
    "nobody@example.com",
  );
  expect((await say("partners", "refuse", "pat@example.com", "ann@example.com")).err).toContain(
    "Nothing is held",
  );
  expect((await say("partners", "held")).out).toBe("Nothing is held.\n");
});

test("held earnings are shown with their reason and released", async () => {
  const { say, json, order, share, partnerId, userId } = await shop();
  await share();
  await order();
  expect((await say("partners", "held")).out).toMatch(
    /^pat@example\.com +ann@example\.com +a Telegram account +20\d\d-.* UTC +0\.05 +0\.05$/m,
  );
  expect((await say("partners", "payout", "pat@example.com", "soft", "0.05")).status).toBe(1);
  const released = await say(
    "partners",
    "release",
    "pat@example.com",
    "ann@example.com",
    "--reason",
    "a flat",
  );
  expect(released.out).toBe("0.05 dollars by referral and 0.05 by soft belong to pat@example.com now.\n");
  expect((await say("partners", "payout", "pat@example.com", "soft", "0.05")).status).toBe(0);
  expect(await json("journal", "list", "--about", `user ${partnerId}`)).toMatchObject([
    { did: "partners payout" },
    { did: "partners release", reason: "a flat", before: { buyer: `user ${userId}`, reasons: ["telegram"] } },
  ]);
});

test("what is refused belongs to the shop", async () => {
  const { db, json, order, share } = await shop();
  await share();
  await order();
  expect(await json("partners", "refuse", "pat@example.com", "ann@example.com")).toMatchObject({
    state: "refused",
    referrals: "0.05",
  });
  const [revenue] = await db<{ sum: string }[]>`
    select sum(credit - debit)::text as sum from account_day where account_id = 2`;
  expect(revenue?.sum).toBe(String(10n ** 8n));
  expect(await json("partners", "list")).toMatchObject({
    partners: [{ soft: { earned: "0.0", held: "0.0" } }],
  });
});
