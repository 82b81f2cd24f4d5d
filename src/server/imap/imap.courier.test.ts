// @module-tag full
import { afterEach, describe, expect, test, vi } from "vitest";
import { noCourier, startCourier } from "../../../test/kit/courier.ts";
import { createDatabase } from "../../../test/kit/database.ts";
import { closeHouses, codeLetter, openHouse } from "../../../test/kit/hosted.ts";
import { soon } from "../../../test/kit/soon.ts";
import { now, secondsAfter } from "../platform/clock.ts";

const { db } = await createDatabase();
afterEach(closeHouses);

describe.skipIf(noCourier !== undefined)(`letters at Courier ${noCourier ?? ""}`, () => {
  // Without a file monitor, as here, it accepts IDLE and tells of nothing.
  test("each that came after the order is there once, in the inbox or among junk", async () => {
    const courier = await startCourier();
    const house = await openHouse(db, courier, { tls: "none" });
    const login = `box0@${house.domain}`;
    await courier.drop(login, codeLetter(house.site, "111111"), { at: secondsAfter(now(), -5) });
    const { orderId, mailboxId } = await house.order();
    await courier.drop(login, codeLetter(house.site, "100001"));
    await house.fetch();
    await house.expectCodes(orderId, ["100001"]);
    const letter = codeLetter(house.site, "100002");
    await courier.drop(login, letter, { folder: "Junk" });
    await house.expectCodes(orderId, ["100001", "100002"]);
    await courier.drop(login, letter);
    for (const code of ["100003", "100004"]) await courier.drop(login, codeLetter(house.site, code));
    await house.expectCodes(orderId, ["100001", "100002", "100003", "100004"]);
    expect(await db`select from recipient where mailbox_id = ${mailboxId}`).toHaveLength(4);
  });

  test("a mailbox that it refuses in its words leaves the sale with its password", async () => {
    const courier = await startCourier();
    const house = await openHouse(db, courier, { tls: "none", password: "another" });
    await house.fetch();
    const { mailboxId } = await house.order();
    await vi.waitFor(async () => {
      const [box] = await db`select dead, secret is not null as kept from mailbox where id = ${mailboxId}`;
      expect(box).toEqual({ dead: true, kept: true });
    }, soon);
  });
});
