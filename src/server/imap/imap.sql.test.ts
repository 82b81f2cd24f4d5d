import { afterAll, expect, test } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import { shelf } from "../../../test/kit/shelf.ts";
import { attempt } from "../platform/db/db.ts";
import { callLook } from "./imap.sql.ts";

const { db, drop } = await createDatabase();
afterAll(drop);

const writes = (worker = "a process") =>
  attempt(db, async (tx) => {
    await callLook(tx, worker, 15, 2);
    const [row] = await tx<
      { written: boolean }[]
    >`select pg_current_xact_id_if_assigned() is not null as written`;
    return row?.written;
  });

test("a look writes next to nothing while no order lives at a hosted mailbox", async () => {
  expect(await writes()).toBe(false);
  const { domainId } = await shelf(db, 0);
  await db`update mail_domain set kind = 'hosted', imap_host = 'imap.test', imap_port = 993, imap_tls = 'implicit'
           where id = ${domainId}`;
  expect(await writes()).toBe(true);
  expect(await db`select host from imap_host`).toEqual([{ host: "imap.test" }]);
  expect(await writes()).toBe(false);
  // Workers are known before there is work, so that it is shared from the first order on.
  expect(await writes("another process")).toBe(true);
  expect(await writes("another process")).toBe(false);
  await db`update imap_worker set seen_at = seen_at - interval '6 seconds' where worker = 'a process'`;
  expect(await writes()).toBe(true);
  expect(await writes()).toBe(false);
  expect(await db`select from imap_worker`).toHaveLength(2);
});
