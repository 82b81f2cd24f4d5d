// @module-tag slow
// Logins on sale that open one box: the first letter of an order shows it, and the one that came later leaves the sale.
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import { closeHouses, codeLetter, openHouse } from "../../../test/kit/hosted.ts";
import { openImapd } from "../../../test/kit/imapd.ts";
import { soon } from "../../../test/kit/soon.ts";
import * as inventory from "../inventory/inventory.ts";
import { audit } from "../orders/orders.ts";
import { restore } from "./imap.ts";

const { db } = await createDatabase();
afterEach(closeHouses);

/** Two mailboxes with an order at each, looked after; `isOne`: their logins open one box. */
async function two(isOne: boolean) {
  const server = await openImapd();
  onTestFinished(() => server.close());
  if (isOne) server.boxOf = () => "the box";
  const house = await openHouse(db, server, { tls: "none", mailboxes: 2 });
  const orders = [await house.order(), await house.order()].toSorted((a, b) =>
    a.mailboxId < b.mailboxId ? -1 : 1,
  );
  const fetching = await house.fetch();
  const [first, second] = orders;
  if (!first || !second) throw new Error("there are two orders");
  const ids = [first.mailboxId, second.mailboxId];
  const isLookedAt = () =>
    vi.waitFor(async () => {
      const rows = await db`select from imap_folder where mailbox_id = any (${ids})`;
      expect(rows).toHaveLength(2);
    }, soon);
  const dead = async () => {
    const rows = await db<
      { id: bigint }[]
    >`select id from mailbox where id = any (${ids}) and dead and secret is not null order by id`;
    expect((await audit(db)).filter(({ bad }) => bad.length > 0)).toEqual([]);
    return rows.map(({ id }) => id);
  };
  const letterTo = (login: string, code: string) => `To: ${login}\r\n${codeLetter(house.site, code)}`;
  return { server, house, fetching, first, second, isLookedAt, dead, letterTo };
}

test("the later one leaves the sale at the first letter, and its order lives on and gets its own", async () => {
  const { server, house, first, second, isLookedAt, dead, letterTo } = await two(true);
  await isLookedAt();
  server.put("", letterTo(first.login, "100001"));
  await house.expectCodes(first.orderId, ["100001"]);
  await vi.waitFor(async () => expect(await dead()).toEqual([second.mailboxId]), soon);
  expect(await house.codes(second.orderId)).toEqual([]);
  server.put("", letterTo(second.login, "100002"));
  await house.expectCodes(second.orderId, ["100002"]);
  expect(await house.codes(first.orderId)).toEqual(["100001"]);
  expect(await dead()).toEqual([second.mailboxId]);
});

test("the later one stays out of sale when a refused log-in of it is forgiven", async () => {
  const { server, house, fetching, first, second, isLookedAt, dead, letterTo } = await two(true);
  await isLookedAt();
  server.put("", letterTo(second.login, "200001"));
  await house.expectCodes(second.orderId, ["200001"]);
  await vi.waitFor(async () => expect(await dead()).toEqual([second.mailboxId]), soon);
  await fetching.imap.refuse(second.mailboxId);
  expect(await restore(db, house.domain, "test")).toMatchObject({ restored: 0 });
  expect(await dead()).toEqual([second.mailboxId]);
  await fetching.imap.refuse(first.mailboxId);
  expect(await restore(db, house.domain, "test")).toMatchObject({ restored: 1 });
  expect(await dead()).toEqual([second.mailboxId]);
});

test("the name that a server has for a box shows it at any letter", async () => {
  const { server, house, first, second, isLookedAt, dead } = await two(true);
  server.capability += " OBJECTID";
  server.mailboxIdOf = () => "F2212ea87-6097-4256-9d51-71338625";
  server.hangUp();
  await isLookedAt();
  server.put(
    "",
    `Delivered-To: ${first.login}\r\n${codeLetter(house.site, "300001").replace(/Message-ID.*\r\n/, "")}`,
  );
  await house.expectCodes(first.orderId, ["300001"]);
  await vi.waitFor(async () => expect(await dead()).toEqual([second.mailboxId]), soon);
});

test("two boxes with letters under the same numbers stay on sale", async () => {
  const { server, house, fetching, first, second, isLookedAt, dead, letterTo } = await two(false);
  await isLookedAt();
  for (const [place, { login, orderId }] of [first, second].entries()) {
    server.put(login, letterTo(login, `40000${place}`));
    await house.expectCodes(orderId, [`40000${place}`]);
  }
  // The same letter for both, under one number: each may get it, and it shows nothing.
  const both = letterTo(`${first.login}, ${second.login}`, "400009");
  for (const { login } of [first, second]) server.put(login, both);
  await house.expectCodes(first.orderId, ["400000", "400009"]);
  await house.expectCodes(second.orderId, ["400001", "400009"]);
  await fetching.stop();
  expect(await dead()).toEqual([]);
  expect(
    (await inventory.available(db, undefined)).find(({ domain }) => domain === house.domain)?.available,
  ).toBe(2);
});
