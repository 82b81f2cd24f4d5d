// @module-tag slow
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { setHost } from "../../src/server/imap/imap.ts";
import * as inventory from "../../src/server/inventory/inventory.ts";
import { readConfig, resolveSecret } from "../../src/server/platform/config/config.ts";
import { createSeal } from "../../src/server/platform/seal.ts";
import { type Dovecot, noDovecot, startDovecot } from "../kit/dovecot.ts";
import { codeLetter, secretKey } from "../kit/hosted.ts";
import { shelf } from "../kit/shelf.ts";
import { startShop, type TestShop } from "../kit/shop.ts";
import { soon } from "../kit/soon.ts";

// For a buyer's program a hosted mailbox works like an own one.

let dovecot: Dovecot;
let shop: TestShop;
let domain: string;

beforeAll(async () => {
  if (noDovecot !== undefined) return;
  dovecot = await startDovecot();
  shop = await startShop({ SECRET_KEY: secretKey });
  const { db } = shop;
  const made = await shelf(db, 0);
  domain = made.domain;
  await db`update mail_domain set kind = 'hosted', imap_host = 'localhost', imap_port = ${dovecot.tlsPort}, imap_tls = 'implicit'
           where id = ${made.domainId}`;
  await db`select pg_notify('catalog', '')`;
  await setHost(db, "localhost", dovecot.tlsPort, { ca: dovecot.certificate.cert });
  const parts = Array.from({ length: 10 }, (_, place) => `box${place}`);
  await dovecot.addUsers(parts.map((part) => `${part}@${domain}`));
  const aliases = ["name0", "name1", "name2"];
  for (const name of aliases) await dovecot.alias(`${name}@${domain}`, `box9@${domain}`);
  parts.splice(parts.indexOf("box9"), 1, ...aliases);
  const settings = { DATABASE_URL: shop.databaseUrl, SECRET_KEY: secretKey };
  const { seal } = createSeal(resolveSecret(readConfig(settings)));
  const batchId = await inventory.addBatch(db, { title: "hosted" });
  await inventory.addMailboxes(
    db,
    batchId,
    made.domainId,
    parts,
    parts.map(() => seal(dovecot.password)),
  );
});
afterAll(async () => {
  await shop?.stop();
  await dovecot?.remove();
});

describe.skipIf(noDovecot !== undefined)(`a hosted mailbox ${noDovecot ?? ""}`, () => {
  test("is ordered, visited, its letter read over the API, and left when the order is canceled", async () => {
    const token = await shop.buyer();
    const order = async () => {
      const placed = await shop.order(token, { domain });
      expect(placed.email).toContain(domain);
      return placed;
    };
    const first = await order();
    const reading = shop.get("/email/getmessage", { token, id: first.id, wait: 20 });
    await dovecot.drop(first.email, codeLetter("instagram.com", "424242"));
    expect(await reading).toMatchObject({ status: "success", code: "424242" });

    const second = await order();
    await vi.waitFor(() => expect(dovecot.connections()).toBe(2), soon);
    await dovecot.drop(second.email, codeLetter("elsewhere.example", "111111"));
    await dovecot.drop(second.email, codeLetter("mail.instagram.com", "434343"));
    const late = await shop.get("/email/getmessage", { token, id: second.id, wait: 20 });
    expect(late).toMatchObject({ status: "success", code: "434343" });

    for (const { id } of [first, second])
      expect(await shop.get("/email/cancel", { token, id })).toMatchObject({ status: "success" });
    // Received orders are hidden, not ended: later letters still belong to them, and their connections stay beside the third.
    const third = await order();
    await vi.waitFor(() => expect(dovecot.connections()).toBe(3), soon);
    await shop.get("/email/cancel", { token, id: third.id });
    await vi.waitFor(() => expect(dovecot.connections()).toBe(2), soon);
  });

  test("tells how its host fares among the figures of the shop", async () => {
    const host = `host="localhost:${dovecot.tlsPort}"`;
    // The lease is released shortly after the close.
    await vi.waitFor(async () => {
      const metrics = await (await fetch(`${shop.url}/metrics`)).text();
      expect(metrics).toContain(`postern_imap_connections{${host}} 2`);
      expect(metrics).toContain(`postern_imap_waiting{${host}} 0`);
      expect(metrics).toContain(`postern_imap_failures{${host}} 0`);
    }, soon);
  });

  test("that opens with three logins charges one of three buyers for a letter to one of them", async () => {
    const buyers = new Map<string, { token: string; id: string }>();
    while (buyers.size < 3) {
      const token = await shop.buyer();
      const { id, email } = await shop.order(token, { domain, site: "facebook.com" });
      if (/^name\d/.test(email)) buyers.set(email, { token, id });
      else await shop.get("/email/cancel", { token, id });
    }
    const [meant = "", ...others] = buyers.keys();
    await dovecot.drop(`box9@${domain}`, `To: ${meant}\r\n${codeLetter("facebook.com", "515151")}`);
    const read = (email: string) =>
      shop.get("/email/getmessage", { ...buyers.get(email)!, wait: email === meant ? 20 : 0 });
    expect(await read(meant)).toMatchObject({ status: "success", code: "515151" });
    const looked = () => shop.db`select from imap_seen s join mailbox m on m.id = s.mailbox_id
                                 where m.local_part like 'name%'`;
    await vi.waitFor(async () => expect(await looked()).toHaveLength(3), soon);
    for (const email of others) {
      expect(await read(email)).toMatchObject({ status: "error" });
      const { token, id } = buyers.get(email)!;
      const before = await shop.get("/user/balance", { token });
      expect(await shop.get("/email/cancel", { token, id })).toMatchObject({ status: "success" });
      const after = await shop.get("/user/balance", { token });
      expect(Number(after["balance"])).toBeGreaterThan(Number(before["balance"]));
    }
    await shop.get("/email/cancel", buyers.get(meant));
  });
});
