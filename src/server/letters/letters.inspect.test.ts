import { afterAll, expect, test } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import * as journal from "../journal/journal.ts";
import { createLog } from "../platform/log.ts";
import { inspect, listForPostmaster, openLetters } from "./letters.ts";

const { db } = await createDatabase();
const letters = openLetters(db, {
  waiting: async () => [],
  deliver: async () => [],
  sendersOf: async () => undefined,
  log: createLog("silent"),
});
await letters.makePartitions();
afterAll(() => letters.close());

async function arrive(raw: string, { isToPostmaster = false, mailboxIds = [7n] } = {}): Promise<bigint> {
  await letters.keep({
    raw: Buffer.from(raw.replaceAll("\n", "\r\n")),
    mailFrom: "bounce@site.example",
    mailboxIds,
    isToPostmaster,
    remote: "203.0.113.7",
    helo: "mail.site.example",
  });
  await letters.drain();
  const [row] = await db<{ id: bigint }[]>`select max(id) as id from letter`;
  return row!.id;
}

const buyers = `Received: from mail.site.example by us
 with ESMTP; Mon, 1 Jan 2026 00:00:00 +0000
DKIM-Signature: v=1; d=site.example
From: Site <no-reply@site.example>
To: someone@letters.test
Subject: =?utf-8?q?482913_is?=
 your code
Thread-Topic: 482913 is your code
X-Code: 482913

Your code is 482913.
`;

test("of a buyer's letter the operator sees its way and never its code, and every look is written down", async () => {
  const id = await arrive(buyers);
  const seen = await inspect(db, id, "user 17");
  expect(seen).toMatchObject({ isPostmasters: false, subject: "###### is your code", text: undefined });
  expect(seen).toMatchObject({ remote: "203.0.113.7", helo: "mail.site.example" });
  expect(seen?.headers?.split("\n")).toEqual([
    "Received: from mail.site.example by us",
    " with ESMTP; Mon, 1 Jan 2026 00:00:00 +0000",
    "DKIM-Signature: v=1; d=site.example",
    "From: Site <no-reply@site.example>",
    "To: someone@letters.test",
  ]);
  expect(JSON.stringify({ ...seen, id: String(seen?.id) })).not.toContain("482913");
  await inspect(db, id, "operator");
  expect(await journal.list(db, { about: `letter ${id}` })).toMatchObject([
    { by: "operator", did: "letters show" },
    { by: "user 17", did: "letters show" },
  ]);
});

test("a letter to the postmaster is listed and read; one that went to a buyer as well is the buyer's", async () => {
  const raw = "From: Net <abuse@net.example>\nSubject: Ticket 17\nX-Ticket: 17\n\nPlease call 17.\n";
  const mine = await arrive(raw, { isToPostmaster: true, mailboxIds: [] });
  const both = await arrive(raw, { isToPostmaster: true });
  expect((await listForPostmaster(db)).map(({ id }) => id)).toEqual([both, mine]);
  expect(await listForPostmaster(db, { before: both })).toMatchObject([
    { id: mine, sender: "Net <abuse@net.example>", subject: "Ticket 17" },
  ]);
  expect(await inspect(db, mine, "operator")).toMatchObject({
    isPostmasters: true,
    subject: "Ticket 17",
    headers: "From: Net <abuse@net.example>\nSubject: Ticket 17\nX-Ticket: 17",
    text: expect.stringContaining("Please call 17."),
  });
  expect(await inspect(db, both, "operator")).toMatchObject({ isPostmasters: false, text: undefined });
  const turned = await db<{ letterId: bigint }[]>`select letter_id as "letterId" from turned_away`;
  expect(turned.map(({ letterId }) => letterId)).not.toContain(mine);
});

test("what a letter proves of its sender is shown once it is known", async () => {
  const id = await arrive(buyers);
  expect(await inspect(db, id, "operator")).toMatchObject({ spf: null, dkim: null, signers: [] });
  await db`update letter set spf = 'pass', dkim = 'fail', dmarc = 'none', dkim_domains = '{site.example}' where id = ${id}`;
  expect(await inspect(db, id, "operator")).toMatchObject({
    spf: "pass",
    dkim: "fail",
    dmarc: "none",
    signers: ["site.example"],
  });
});

test("of a letter whose bytes are gone the rest is shown, and of none nothing is noted", async () => {
  const id = await arrive(buyers);
  await db`delete from letter_raw where letter_id = ${id}`;
  expect(await inspect(db, id, "operator")).toMatchObject({ headers: undefined, text: undefined });
  expect(await inspect(db, 999_999n, "operator")).toBeUndefined();
  expect(await journal.list(db, { about: "letter 999999" })).toEqual([]);
});
