import { expect, onTestFinished, test } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import { secretKey } from "../../../test/kit/hosted.ts";
import { openImapd } from "../../../test/kit/imapd.ts";
import { buyer, shelf } from "../../../test/kit/shelf.ts";
import { openImap, setHost } from "../imap/imap.ts";
import { createLog } from "../platform/log.ts";
import { createSeal } from "../platform/seal.ts";
import * as admin from "./investors.admin.ts";
import { type Brought, openInvestors } from "./investors.ts";

const key = Buffer.from(secretKey);

test.each([
  "NO [THROTTLED] Rate limit hit.",
  "NO Login fail. Password is incorrect, or system is busy.",
  "NO Maximum number of connections from user+IP exceeded",
])("a server that puts off every log-in refuses no batch, and no password is wiped: %s", async (says) => {
  const { db } = await createDatabase();
  const server = await openImapd();
  onTestFinished(() => server.close());
  const { domainId, domain } = await shelf(db, 0);
  await db`update mail_domain set kind = 'hosted', imap_host = ${server.host}, imap_port = ${server.port}, imap_tls = 'none'
           where id = ${domainId}`;
  await setHost(db, server.host, server.port, { loginsPerMinute: 100_000 });
  const log = createLog("silent");
  const imap = openImap({
    db,
    seal: createSeal(key),
    log,
    keepWith: () => Promise.reject(new Error("none")),
  });
  const investors = openInvestors({
    db,
    secretKey: key,
    mailboxes: imap,
    times: { downSeconds: 0 },
  });
  onTestFinished(() => investors.close());
  const file = (async function* () {
    yield Buffer.from(Array.from({ length: 25 }, (_, n) => `box${n}@${domain}:x`).join("\n"));
  })();
  const { batchId } = (await investors.upload({
    userId: await buyer(db, { isInvestor: true }),
    sites: [],
    file,
    key: undefined,
    at: new Date(),
    isValid: async () => true,
  })) as Brought;
  let isBusy = true;
  server.twist = ({ command }) => (isBusy && command === "login" ? { says } : undefined);
  const check = async () => {
    await db`update imap_host set permits = 100000, permits_at = clock_timestamp()`;
    await investors.check(new AbortController().signal);
    const { state, reason } = (await admin.showBatch(db, batchId))!;
    const kept = await db`select from mailbox where domain_id = ${domainId} and secret is not null`;
    return { state, reason, kept: kept.length };
  };
  expect(await check()).toEqual({ state: "review", reason: "unreachable", kept: 25 });
  isBusy = false;
  await admin.approve(db, batchId, { by: "test", reason: undefined, at: new Date() });
  expect(await check()).toEqual({ state: "active", reason: null, kept: 25 });
});
