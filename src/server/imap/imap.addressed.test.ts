// @module-tag slow
// Several logins of the stock open one box: each letter earns the price of the order that it is meant for.
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import { closeHouses, codeLetter, type HostedOrder, openHouse } from "../../../test/kit/hosted.ts";
import { openImapd } from "../../../test/kit/imapd.ts";
import { soon } from "../../../test/kit/soon.ts";
import { audit } from "../orders/orders.ts";

const { db } = await createDatabase();
afterEach(closeHouses);

/** Mailboxes whose logins open one box, and an order at each, looked after. */
async function oneBox(...parts: string[]) {
  const server = await openImapd();
  onTestFinished(() => server.close());
  server.boxOf = () => "the box";
  const house = await openHouse(db, server, { tls: "none", mailboxes: parts.length });
  for (const [place, part] of parts.entries())
    await db`update mailbox m set local_part = ${part} from mail_domain d
             where d.id = m.domain_id and d.name = ${house.domain} and local_part = ${`box${place}`}`;
  const orders: HostedOrder[] = [];
  for (const _ of parts) orders.push(await house.order());
  const { letters } = await house.fetch();
  const order = (part: string) => orders.find(({ login }) => login === `${part}@${house.domain}`)!;
  /** Which of them have the letter, after each login has seen it. */
  const takers = async (...fields: string[]) => {
    const head = fields.map((field) => `${field.replaceAll("@x", `@${house.domain}`)}\r\n`).join("");
    await vi.waitFor(async () => {
      const looked = await db`select from imap_folder where mailbox_id = any (${ids})`;
      expect(looked).toHaveLength(ids.length);
    }, soon);
    server.put("", head + codeLetter(house.site, "111111"));
    await vi.waitFor(async () => {
      const seen = await db`select from imap_seen where mailbox_id = any (${ids})`;
      expect(seen).toHaveLength(ids.length);
    }, soon);
    await letters.drain();
    const paid = await db<{ id: bigint }[]>`
      select id from orders where id = any (${orders.map(({ orderId }) => orderId)}) and status = 'received'`;
    const had = await Promise.all(orders.map(({ orderId }) => house.codes(orderId)));
    expect(paid).toHaveLength(had.flat().length);
    expect((await audit(db)).filter(({ bad }) => bad.length > 0)).toEqual([]);
    return parts.filter((part) => paid.some(({ id }) => id === order(part).orderId)).join(" ");
  };
  const ids = orders.map(({ mailboxId }) => mailboxId);
  return { takers };
}

test.each([
  ["its sender names one of them", ["To: One+0@x"], "one+0"],
  ["it names one of them beside a stranger", ["To: friend@person.example", 'Cc: "two" <one+1@x>'], "one+1"],
  ["a name looks like another's address", ['To: "one+0@x" <one+2@x>'], "one+2"],
  ["the fields are folded", ["To:\r\n friend@person.example,\r\n\tone+2@x"], "one+2"],
  ["the server names the other that the box belongs to", ["Delivered-To: one+0@x", "To: one+1@x"], "one+1"],
  [
    "the sender names a list, and the server whom it was told",
    ["X-Original-To: one+1@x", "To: l@l.example"],
    "one+1",
  ],
  ["nobody but the delivery names one", ["Delivered-To: <one+2@x>"], "one+2"],
  ["the envelope alone names one", ["Envelope-to: one+2@x", "Delivered-To: one+0@x"], "one+2"],
  [
    "a Received line names one",
    ["Received: from a.example by b.example with LMTP\r\n id 1 for <one+1@x>; Sat"],
    "one+1",
  ],
  ["it names two of them", ["To: one+0@x, one+2@x"], "one+0 one+2"],
  ["it names none of ours", ["To: list@lists.example"], "one+0 one+1 one+2"],
  ["it names nobody", [], "one+0 one+1 one+2"],
])("a letter in a box of three logins is for the order that is meant: %s", async (_what, fields, meant) => {
  const { takers } = await oneBox("one+0", "one+1", "one+2");
  expect(await takers(...fields)).toBe(meant);
});

test.each([
  ["a tag that is no mailbox is the mailbox before it", ["To: one+site@x"], "one"],
  ["a tag that is a mailbox is that one alone", ["To: one+a@x"], "one+a"],
  ["an alias without a plus is its own", ["To: name@x"], "name"],
])("addresses are compared as the stock has them: %s", async (_what, fields, meant) => {
  const { takers } = await oneBox("one", "one+a", "name");
  expect(await takers(...fields)).toBe(meant);
});
