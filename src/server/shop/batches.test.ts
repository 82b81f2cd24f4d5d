import { expect, onTestFinished, test } from "vitest";
import { sayTo } from "../../../test/kit/command.ts";
import { createDatabase } from "../../../test/kit/database.ts";
import { buyer, letter, shelf, site } from "../../../test/kit/shelf.ts";
import type { Seen } from "../imap/imap.ts";
import { type Brought, openInvestors } from "../investors/investors.ts";
import { deliver, openOrders, type Placed } from "../orders/orders.ts";

const ivy = "ivy@example.com";

/** A shop to which ivy@ brings mailboxes; `seen` is the result of the check of each. */
async function shop(seen: Seen = "opened") {
  const { db, drop } = await createDatabase();
  onTestFinished(drop);
  const userId = await buyer(db);
  await db`update users set email = ${ivy} where id = ${userId}`;
  const [own, hosted] = [await shelf(db, 0, "1"), await shelf(db, 0, "1")];
  await db`update mail_domain set kind = 'hosted', imap_host = 'localhost', imap_port = 1, imap_tls = 'none' where id = ${hosted.domainId}`;
  const checkMailbox = () => Promise.resolve(seen);
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
  const bring = async (domain: string) => {
    const lines = Array.from({ length: 20 }, () => `box${++made}@${domain}:secret`);
    const file = (async function* () {
      yield Buffer.from(lines.join("\n"));
    })();
    const brought = await investors.upload({
      userId,
      sites: [],
      file,
      key: undefined,
      at: new Date(),
      isValid: async () => true,
    });
    await investors.check(new AbortController().signal);
    return String((brought as Brought).batchId);
  };
  return { db, say, json, bring, userId, own, hosted };
}

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
  expect((await say("batches", "approve", id)).err).toBe(`Batch ${id} is not under review.\n`);
  expect((await say("batches", "refuse", id)).err).toBe(`Batch ${id} is on sale or was refused before.\n`);
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
  expect((await say("batches", "seen", ivy)).err).toBe(`No refused batch of ${ivy} waits for a review.\n`);
  expect(await json("batches", "show", id)).toMatchObject({ flagged: false });
});

test("unknown batches, words and accounts are refused", async () => {
  const { say } = await shop();
  expect(await say("batches", "show", "7")).toMatchObject({
    status: 1,
    err: "There is no batch 7 of an investor.\n",
  });
  expect(await say("batches", "approve", "7")).toMatchObject({ status: 1 });
  expect(await say("batches", "refuse", "7")).toMatchObject({ status: 1 });
  expect(await say("batches", "show", "x")).toMatchObject({ status: 2 });
  expect((await say("batches", "seen", "nobody@example.com")).err).toContain("no account");
  expect((await say("users", "share", "nobody@example.com", "20")).err).toContain("no account");
  expect(await say("users", "share", ivy, "90.1")).toMatchObject({ status: 2 });
  expect(await say("users", "grant", ivy, "owner")).toMatchObject({ status: 2 });
});

test("an investor is made, gets a share for later batches, and is paid no more than the earnings", async () => {
  const { db, say, json, bring, userId, own } = await shop();
  expect((await say("users", "grant", ivy, "investor")).out).toBe(`${ivy} is investor from now on.\n`);
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
  expect((await say("users", "revoke", ivy, "investor")).out).toBe(`${ivy} is no investor any more.\n`);
  expect(await json("journal", "list", "--about", `user ${userId}`)).toMatchObject(
    ["users revoke", "partners payout", "users share", "users grant"].map((did) => ({ did })),
  );
});
