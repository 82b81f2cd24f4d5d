import { expect, onTestFinished, test } from "vitest";
import { sayTo } from "../../../test/kit/command.ts";
import { createDatabase } from "../../../test/kit/database.ts";
import { buyer, letter, mailboxOf, shelf, site } from "../../../test/kit/shelf.ts";
import type { Looked } from "../imap/imap.ts";
import * as inventory from "../inventory/inventory.ts";
import { type Brought, openInvestors } from "../investors/investors.ts";
import * as ledger from "../ledger/ledger.ts";
import { audit, deliver, openOrders, type Placed, releaseProved, settleShares } from "../orders/orders.ts";
import { secondsAfter } from "../platform/clock.ts";
import type { Db } from "../platform/db/db.ts";

const ivy = "ivy@example.com";

/** A shop to which ivy@ brings mailboxes; `seen` is the result of the check of each. */
async function shop(seen: Looked["seen"] | ((address: string) => Looked["seen"]) = "opened") {
  const { db, drop } = await createDatabase();
  onTestFinished(drop);
  const userId = await buyer(db, { isInvestor: true });
  await db`update users set email = ${ivy} where id = ${userId}`;
  const [own, hosted] = [await shelf(db, 0, "1"), await shelf(db, 0, "1")];
  await db`update mail_domain set kind = 'hosted', imap_host = 'localhost', imap_port = 1, imap_tls = 'none' where id = ${hosted.domainId}`;
  const checkMailbox = async (mailboxId: bigint): Promise<Looked> => {
    if (typeof seen === "string") return { seen };
    const [box] = await db<{ address: string }[]>`
      select m.local_part || '@' || d.name as address from mailbox m join mail_domain d on d.id = m.domain_id where m.id = ${mailboxId}`;
    return { seen: seen(box!.address), answer: "NO LOGIN failed" };
  };
  const investors = openInvestors({
    db,
    secretKey: Buffer.alloc(32, 1),
    mailboxes: { check: checkMailbox, refuse: async () => undefined },
    times: { downSeconds: 0 },
  });
  onTestFinished(() => investors.close());
  const say = (...words: string[]) => sayTo(db, words);
  const json = async (...words: string[]): Promise<unknown> =>
    JSON.parse((await say(...words, "--json")).out);
  let made = 0;
  const upload = async (logins: readonly string[], by = userId, key?: string) => {
    const file = (async function* () {
      yield Buffer.from(logins.map((login) => `${login}:secret`).join("\n"));
    })();
    const brought = await investors.upload({
      userId: by,
      sites: [],
      file,
      key,
      at: new Date(),
      isValid: async () => true,
    });
    await investors.check(new AbortController().signal);
    return brought;
  };
  const bring = async (domain: string) => {
    const brought = await upload(Array.from({ length: 20 }, () => `box${++made}@${domain}`));
    return String((brought as Brought).batchId);
  };
  return { db, say, json, bring, upload, userId, own, hosted };
}

const emailOf = async (db: Db, userId: bigint) =>
  (await db<{ email: string }[]>`select email from users where id = ${userId}`)[0]!.email;

test("a batch that waits for the operator is listed, shown and put on sale", async () => {
  const { say, json, bring, own } = await shop();
  expect((await say("batches", "list")).out).toBe("There is no such batch.\n");
  const id = await bring(own.domain);
  expect((await say("batches", "list")).out).toMatch(
    new RegExp(`^ +${id} +${ivy} +20.* UTC +review \\(own_domain\\) +20 +0 +0\\.0 +0\\.0 +30 %$`, "m"),
  );
  expect((await say("batches", "show", id)).out).toMatch(/^state +review \(own_domain\)$/m);
  expect(await say("batches", "approve", id, "--reason", "he showed them")).toEqual({
    status: 0,
    out: `Batch ${id} is on sale.\n`,
    err: "",
  });
  expect(await json("batches", "list", "--state", "active")).toMatchObject({
    batches: [{ batchId: Number(id), alive: 20, share: 0.3 }],
  });
  expect((await say("batches", "approve", id)).err).toBe(`#${id}: The batch is not under review.\n`);
  expect((await say("batches", "refuse", id)).err).toBe(
    `#${id}: The batch was already put on sale or refused.\n`,
  );
  expect(await json("journal", "list", "--about", `batch ${id}`)).toMatchObject([
    { by: "operator", did: "batches approve", reason: "he showed them" },
  ]);
});

test("a batch whose server was not there is checked again, or refused for good", async () => {
  const { db, say, bring, hosted } = await shop("down");
  const [tried, refused] = [await bring(hosted.domain), await bring(hosted.domain)];
  expect((await say("batches", "approve", tried)).out).toBe(`Batch ${tried} is checked again.\n`);
  expect((await say("batches", "refuse", refused)).out).toBe(
    `Batch ${refused} is refused, and its passwords are wiped.\n`,
  );
  const left = await db`
    select count(m.secret)::integer as secrets from held_lot h join mailbox m on m.id between h.first_id and h.last_id
    where h.batch_id = ${refused}`;
  expect(left).toEqual([{ secrets: 0 }]);
  expect((await say("batches", "show", refused)).out).toMatch(/^state +refused \(operator\)$/m);
});

test("an investor who uploaded used mailboxes is flagged until an operator reviews it", async () => {
  const { say, json, bring, hosted } = await shop("personal");
  const id = await bring(hosted.domain);
  expect(await json("batches", "show", id)).toMatchObject({
    state: "refused",
    reason: "personal",
    flagged: true,
  });
  expect((await say("batches", "show", id)).out).toContain("uploads are closed until it is reviewed");
  expect((await say("batches", "seen", ivy, "--reason", "by phone")).out).toBe(
    `${ivy} may upload mailboxes again.\n`,
  );
  expect((await say("batches", "seen", ivy)).err).toBe(
    `${ivy}: No refused batch of this account needs a review.\n`,
  );
  expect(await json("batches", "show", id)).toMatchObject({ flagged: false });
});

/** A batch of twenty on sale, a buyer with two of them, and what a letter does. */
async function sold() {
  const opened = await shop();
  const { db, bring, hosted } = opened;
  const id = await bring(hosted.domain);
  const orders = openOrders(db, { ttlSeconds: 1200 });
  const ordered = { userId: await buyer(db, { balance: "100" }), siteId: await site(db) };
  const place = () => orders.place({ ...ordered, domainIds: [hosted.domainId] });
  const receive = async ({ orderId }: Placed) =>
    deliver(db, [{ letterId: await letter(db, [await mailboxOf(db, orderId)]), orderId }]);
  const left = async () =>
    Promise.all(
      [ordered.siteId, await site(db)].map(
        async (siteId) =>
          (await inventory.available(db, siteId)).find(({ domainId }) => domainId === hosted.domainId)
            ?.available,
      ),
    );
  const broken = async () => (await audit(db)).filter(({ bad }) => bad.length > 0);
  return { ...opened, id, orders, place, receive, left, broken, buyerId: ordered.userId };
}

test("a batch taken off sale gets no new order; an open one gets its letter, and what it earns waits for the operator", async () => {
  const { db, say, json, id, orders, place, receive, left, broken, userId, buyerId } = await sold();
  const [read, open, closed] = [await place(), await place(), await place()] as Placed[];
  await receive(read!);
  expect(await left()).toEqual([17, 20]);
  const off = await say("batches", "withdraw", id, "--reason", "stolen");
  expect(off.out).toContain(`Batch ${id} is off sale.`);
  expect(await left()).toEqual([0, 0]);
  expect(await place()).toEqual({ refusal: "no emails" });
  const { orderId } = read!;
  expect(await orders.reorder({ userId: buyerId, orderId })).toEqual({ refusal: "email banned" });
  await receive(open!);
  await orders.cancel({ userId: buyerId, orderId: closed!.orderId });
  expect(await left()).toEqual([0, 0]);
  // Three days later, and after a proof, it still waits.
  await settleShares(db, secondsAfter(new Date(), 4 * 24 * 3600));
  await db`update letter set dated_at = now(), dkim_addressed = array[(select s.name from site s join orders o on o.site_id = s.id where o.id = ${orderId})]`;
  for (const { letterId } of await db<{ letterId: bigint }[]>`select id as "letterId" from letter`)
    await releaseProved(db, letterId);
  expect(await json("batches", "show", id)).toMatchObject({
    state: "withdrawn",
    alive: 20,
    amount: "0.0",
    held: "0.6",
  });
  expect(await ledger.balance(db, userId, "investor")).toBe(0n);
  expect(await broken()).toEqual([]);

  expect((await say("batches", "restore", id, "--reason", "his own")).out).toBe(
    `Batch ${id} is on sale again.\nTo undo it: batches withdraw ${id}\n`,
  );
  expect(await left()).toEqual([18, 20]);
  expect(await orders.reorder({ userId: buyerId, orderId })).toMatchObject({ email: read!.email });
  await settleShares(db, secondsAfter(new Date(), 4 * 24 * 3600));
  expect(await json("batches", "show", id)).toMatchObject({ state: "active", amount: "0.6", held: "0.0" });
  expect(await broken()).toEqual([]);
  expect(await json("journal", "list", "--about", `batch ${id}`)).toMatchObject([
    { did: "batches restore", reason: "his own" },
    { did: "batches withdraw", reason: "stolen" },
  ]);
});

test("what died or opened again while its batch was off sale is as it is when the batch is back", async () => {
  const { db, say, id, place, left, broken } = await sold();
  const [first] = [(await place()) as Placed];
  const [dead, back] = await db<{ id: bigint }[]>`select id from mailbox order by id desc limit 2`;
  await inventory.withhold(db, [back!.id]);
  await say("batches", "withdraw", id);
  await inventory.setDead(db, [dead!.id, await mailboxOf(db, first!.orderId)], true);
  await inventory.setDead(db, [back!.id], false);
  expect(await left()).toEqual([0, 0]);
  await say("batches", "restore", id);
  expect(await left()).toEqual([18, 18]);
  expect(await broken()).toEqual([]);
  for (let each = 0; each < 18; each++) expect(await place()).toMatchObject({ isRepeat: false });
  expect(await place()).toEqual({ refusal: "no emails" });
  expect(await broken()).toEqual([]);
});

test("the batches of a blocked investor, or of one whose role ended, are off sale until he sells again", async () => {
  const { say, json, bring, hosted, id, left, broken } = await sold();
  const stolen = await bring(hosted.domain);
  await say("batches", "withdraw", stolen);
  for (const [ends, again] of [
    [
      ["users", "block", ivy],
      ["users", "unblock", ivy],
    ],
    [
      ["users", "revoke", ivy, "investor"],
      ["users", "grant", ivy, "investor"],
    ],
  ] as const) {
    expect(await left()).toEqual([20, 20]);
    await say(...ends);
    expect(await left()).toEqual([0, 0]);
    expect((await say("batches", "restore", id)).err).toBe(
      `#${id}: The owner of the batch is blocked or no investor any more: unblock the account, or make it an investor again.\n`,
    );
    expect(await broken()).toEqual([]);
    await say(...again);
  }
  // What the operator took off stays off.
  expect(await left()).toEqual([20, 20]);
  expect(await json("batches", "list", "--state", "withdrawn")).toMatchObject({
    batches: [{ batchId: Number(stolen) }],
  });
  expect(await broken()).toEqual([]);
});

test("a batch that is approved while its investor may not sell is off sale until he may", async () => {
  const { say, json, bring, own } = await shop();
  const id = await bring(own.domain);
  await say("users", "block", ivy);
  await say("batches", "approve", id);
  expect(await json("batches", "show", id)).toMatchObject({ state: "withdrawn" });
  await say("users", "unblock", ivy);
  expect(await json("batches", "show", id)).toMatchObject({ state: "active" });
});

test("what a rival brought with guesses is freed by the operator alone, and sold for who has the passwords", async () => {
  let opens = false;
  const { db, say, json, upload, hosted, userId } = await shop(() => (opens ? "opened" : "refused"));
  const rival = await buyer(db, { isInvestor: true });
  const mine = Array.from({ length: 22 }, (_, nth) => `mine${nth}@${hosted.domain}`);
  const { batchId } = (await upload(mine, rival)) as Brought;
  const taken = { refused: "too few mailboxes", rejected: { duplicate: 22 } };
  opens = true;
  expect(await upload(mine)).toMatchObject(taken);
  expect(await json("batches", "list", "--address", mine[3]!.toUpperCase())).toMatchObject({
    batches: [
      { batchId, state: "refused", reason: "unopened", tried: 5, opened: 0, said: "NO LOGIN failed" },
    ],
  });
  expect((await say("batches", "show", String(batchId))).out).toMatch(/^tried +5, of these opened 0$/m);
  expect(await say("batches", "free", String(batchId), "--reason", "the other one owns them")).toEqual({
    status: 0,
    out: `22 addresses of batch ${batchId} are free: each can be uploaded once more.\n`,
    err: "",
  });
  expect(await json("batches", "show", String(batchId))).toMatchObject({ state: "freed", flagged: true });
  const again = (await upload(mine)) as Brought;
  expect(again).toMatchObject({ accepted: 22, rejected: { duplicate: 0 } });
  expect(await json("batches", "show", String(again.batchId))).toMatchObject({ state: "active", alive: 22 });
  expect(await json("batches", "list", "--address", mine[3]!)).toMatchObject({
    batches: [{ batchId: again.batchId, userId: String(userId) }],
  });
  expect((await audit(db)).filter(({ bad }) => bad.length > 0)).toEqual([]);
});

test("an address that is refused again after it was freed rests for thirty days, whoever asks", async () => {
  const { db, say, upload, hosted } = await shop(() => "refused");
  const [one, other] = [await buyer(db, { isInvestor: true }), await buyer(db, { isInvestor: true })];
  const boxes = Array.from({ length: 20 }, (_, nth) => `box${nth}@${hosted.domain}`);
  const first = (await upload(boxes, one, "same key")) as Brought;
  await say("batches", "free", String(first.batchId));
  await say("batches", "seen", await emailOf(db, one));
  const again = (await upload([boxes[0]!, ...boxes.map((box) => `new-${box}`)], one, "same key")) as Brought;
  expect(again.batchId).toBeGreaterThan(first.batchId);
  const free = () => say("batches", "free", String(again.batchId));
  expect((await free()).err).toMatch(
    /^#\d+: Some of these addresses were freed before and refused again: .* Until \d{4}-.* UTC\.\n$/,
  );
  expect(await upload(boxes.slice(0, 20), other)).toMatchObject({
    accepted: 19,
    refused: "too few mailboxes",
  });
  const age = (days: number) =>
    db`update investor_batch set decided_at = now() - make_interval(hours => ${days * 24 - 1}) where batch_id = ${again.batchId}`;
  await age(30);
  expect(await free()).toMatchObject({ status: 1 });
  await age(31);
  expect(await free()).toMatchObject({ status: 0 });
  expect((await audit(db)).filter(({ bad }) => bad.length > 0)).toEqual([]);
});

test("nothing of a batch of which one mailbox opened, was used, or is on sale can be freed", async () => {
  let opened = 1;
  const { say, upload, bring, hosted } = await shop(() => (opened-- > 0 ? "opened" : "refused"));
  const boxes = Array.from({ length: 20 }, (_, nth) => `one${nth}@${hosted.domain}`);
  const { batchId } = (await upload(boxes)) as Brought;
  // After the second look.
  expect((await say("batches", "free", String(batchId))).err).toBe(
    `#${batchId}: Only the addresses of a refused batch can be freed.\n`,
  );
  await say("batches", "refuse", String(batchId));
  const opens = `#${batchId}: A mailbox of the batch has opened, so its addresses stay their owner’s.\n`;
  expect((await say("batches", "free", String(batchId))).err).toBe(opens);
  opened = 20;
  const sold = await bring(hosted.domain);
  expect((await say("batches", "free", sold)).err).toBe(
    `#${sold}: Only the addresses of a refused batch can be freed.\n`,
  );
  const used = await shop("personal");
  const id = await used.bring(used.hosted.domain);
  expect((await used.say("batches", "free", id)).err).toContain("its addresses stay their owner’s");
});

test("unknown batches, words and accounts are refused", async () => {
  const { say } = await shop();
  expect(await say("batches", "show", "7")).toMatchObject({
    status: 1,
    err: "There is no batch 7 of an investor.\n",
  });
  expect(await say("batches", "approve", "7")).toMatchObject({ status: 1 });
  expect(await say("batches", "refuse", "7")).toMatchObject({ status: 1 });
  expect(await say("batches", "withdraw", "7")).toMatchObject({ status: 1 });
  expect(await say("batches", "restore", "7")).toMatchObject({ status: 1 });
  expect(await say("batches", "free", "7")).toMatchObject({ status: 1 });
  expect(await say("batches", "show", "x")).toMatchObject({ status: 2 });
  expect((await say("batches", "seen", "nobody@example.com")).err).toContain("no account");
  expect((await say("users", "share", "nobody@example.com", "20")).err).toContain("no account");
  expect(await say("users", "share", ivy, "90.1")).toMatchObject({ status: 2 });
  expect(await say("users", "grant", ivy, "king")).toMatchObject({ status: 2 });
});

test("an investor is made, gets a share for later batches, and is paid no more than the earnings", async () => {
  const { db, say, json, bring, userId, own } = await shop();
  expect((await say("users", "grant", ivy, "investor")).out).toBe(
    `${ivy} is investor from now on.\nTo undo it: users revoke ${ivy} investor\n`,
  );
  expect(await json("users", "show", ivy)).toMatchObject({ investor: true });
  const before = await bring(own.domain);
  expect((await say("users", "share", ivy, "12.5")).out).toBe(
    `${ivy} gets 12.5 % of the price of each order on later batches; until now 30 %.\n`,
  );
  const id = await bring(own.domain);
  expect(await json("batches", "show", before)).toMatchObject({ share: 0.3 });
  await say("batches", "approve", id);

  const orders = openOrders(db, { ttlSeconds: 1200 });
  const ordered = { userId: await buyer(db, { balance: "10" }), siteId: await site(db) };
  const placed = (await orders.place({ ...ordered, domainIds: [own.domainId] })) as Placed;
  await deliver(db, [{ letterId: await letter(db, []), orderId: placed.orderId }]);
  expect(await json("batches", "show", id)).toMatchObject({ amount: "0.0", held: "0.125" });
  const [{ name } = { name: "" }] = await db<
    { name: string }[]
  >`select name from site where id = ${ordered.siteId}`;
  await say("shares", "release", id, name);
  expect(await json("batches", "show", id)).toMatchObject({ amount: "0.125", held: "0.0" });

  const pay = ["partners", "payout", ivy, "investor"];
  expect(await say(...pay, "0.126")).toMatchObject({
    status: 1,
    err: `${ivy} has only 0.125 dollars to withdraw.\n`,
  });
  const paid = [...pay, "0.1", "--key", "may", "--note", "by card"];
  expect((await say(...paid)).out).toBe(`0.1 dollars were paid to ${ivy}; 0.025 are left to withdraw.\n`);
  expect(await json(...paid)).toMatchObject({ id: String(userId), left: "0.025", repeated: true });
  expect((await say("users", "revoke", ivy, "investor")).out).toBe(
    `${ivy} is no investor any more.\nTo undo it: users grant ${ivy} investor\n`,
  );
  expect(await json("journal", "list", "--about", `user ${userId}`)).toMatchObject(
    ["users revoke", "partners payout", "users share", "users grant"].map((did) => ({ did })),
  );
});
