import { afterAll, expect, test, vi } from "vitest";
import { createDatabase } from "../../../../test/kit/database.ts";
import { openNameServer } from "../../../../test/kit/dns.ts";
import { buyer, mailboxOf, shelf } from "../../../../test/kit/shelf.ts";
import { signedLetter, signingKey } from "../../../../test/kit/signed.ts";
import { soon } from "../../../../test/kit/soon.ts";
import { openCatalog } from "../../catalog/catalog.ts";
import * as inventory from "../../inventory/inventory.ts";
import { createLog } from "../../platform/log.ts";
import * as ledger from "../../ledger/ledger.ts";
import { countProof, deliver, openOrders, releaseProved, waiting, type Placed } from "../../orders/orders.ts";
import { openLetters } from "../letters.ts";

const { db } = await createDatabase();
const dns = await openNameServer();
const catalog = await openCatalog(db);
const orders = openOrders(db, { ttlSeconds: 1200 });
const letters = openLetters(db, {
  waiting,
  deliver,
  sendersOf: catalog.sendersOf,
  log: createLog("silent"),
  authentication: {
    servers: [dns.address],
    isSender: catalog.isSender,
    count: countProof,
    release: releaseProved,
  },
});
afterAll(async () => {
  await letters.close();
  await catalog.close();
  await dns.stop();
});

test("an investor is paid for a letter that its site signed to this mailbox, and for no other", async () => {
  const key = signingKey("proving.example");
  dns.names.set(key.record[0], { TXT: [key.record[1]] });
  const site = await catalog.siteOf("proving.example", { make: true });
  if ("refused" in site) throw new Error("no site");
  const userId = await buyer(db, { balance: "30" });
  const investorId = await buyer(db);
  const [hosted, own] = [await shelf(db, 0, "1"), await shelf(db, 1)];
  const batchId = await inventory.addBatch(db, { title: "theirs", investorId, sharePpm: 300_000 });
  await inventory.addMailboxes(db, batchId, hosted.domainId, ["ann", "bob"]);
  const place = async (domainId: number) => {
    const { orderId, email } = (await orders.place({
      userId,
      siteId: site.id,
      domainIds: [domainId],
    })) as Placed;
    return { mailboxId: await mailboxOf(db, orderId), email };
  };
  const [one, other, ours] = [
    await place(hosted.domainId),
    await place(hosted.domainId),
    await place(own.domainId),
  ];
  // Signed for the first mailbox, and replayed into the others.
  const raw = await signedLetter({ from: "Site <site@proving.example>", to: `You <${one.email}>` }, [key]);
  for (const { mailboxId } of [one, other, ours])
    await letters.keep({
      raw,
      mailFrom: "bounce@proving.example",
      mailboxIds: [mailboxId],
      isToPostmaster: false,
      remote: undefined,
      helo: "",
    });
  await vi.waitFor(async () => {
    const waits =
      await db`select from letter where authenticated_at is null or authentication_due_at is not null`;
    expect(waits).toHaveLength(0);
    const { balance, held } = await ledger.earnings(db, investorId, "investor");
    expect([balance, held]).toEqual([30_000_000n, 30_000_000n]);
  }, soon);
  const counted = await db`
    select sum(letters)::integer as letters, sum(proved)::integer as proved from site_proof where site_id = ${site.id}`;
  expect(counted).toEqual([{ letters: 1, proved: 0 }]);
});
