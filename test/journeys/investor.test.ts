// @module-tag slow
import { numberOf } from "../kit/numbers.ts";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { setHost } from "../../src/server/imap/imap.ts";
import { audit } from "../../src/server/orders/orders.ts";
import { sayTo } from "../kit/command.ts";
import { type Dovecot, noDovecot, startDovecot } from "../kit/dovecot.ts";
import { codeLetter, secretKey } from "../kit/hosted.ts";
import { shelf } from "../kit/shelf.ts";
import { type Answer, startShop, type TestShop } from "../kit/shop.ts";

// From an investor's file to the payout, over the whole shop and a real IMAP server.

const count = 22;
const email = "investor@example.com";
let dovecot: Dovecot;
let shop: TestShop;
let domain: string;

beforeAll(async () => {
  if (noDovecot !== undefined) return;
  dovecot = await startDovecot();
  shop = await startShop({ SECRET_KEY: secretKey });
  const made = await shelf(shop.db, 0, "1");
  domain = made.domain;
  await shop.db`update mail_domain set kind = 'hosted', imap_host = ${dovecot.host}, imap_port = ${dovecot.tlsPort}, imap_tls = 'implicit'
                where id = ${made.domainId}`;
  await shop.db`select pg_notify('catalog', '')`;
  const ca = dovecot.certificate.cert;
  await setHost(shop.db, dovecot.host, dovecot.tlsPort, { loginsPerMinute: 100_000, ca });
  await shop.db`update imap_host set permits = 100000, permits_at = clock_timestamp()`;
});
afterAll(async () => {
  await shop?.stop();
  await dovecot?.remove();
});

async function operator(...words: string[]): Promise<unknown> {
  const settings = { PUBLIC_URL: shop.url, SECRET_KEY: secretKey };
  const { status, out, err } = await sayTo(shop.db, [...words, "--json"], settings);
  expect(status, err).toBe(0);
  return JSON.parse(out);
}

const upload = async (token: string, file: string): Promise<Answer> => {
  const headers = { token, sites: "facebook.com", "content-type": "text/plain" };
  const sent = { method: "POST", headers, body: file };
  return (await (await fetch(`${shop.url}/investor/upload`, sent)).json()) as Answer;
};
const batch = async (token: string) =>
  (await shop.get("/investor/packsinfo", { token, limit: 10, offset: 0 }))["0"];
const left = async (token: string, site: string) => {
  const { data } = await shop.get("/email/quantity", { token, site });
  return (data as Record<string, { count: number }>)[domain]?.count ?? 0;
};

test.skipIf(noDovecot)(
  "a batch is brought, tried, sold, earns by a real letter, and is paid",
  async () => {
    const investor = await shop.member(email);
    const buyer = await shop.buyer();
    expect(await upload(investor, "")).toMatchObject({ value: "not an investor" });
    await operator("users", "grant", email, "investor");
    await operator("users", "share", email, "25");

    const logins = Array.from({ length: count }, (_, place) => `box${place}@${domain}`);
    await dovecot.addUsers(logins);
    const stored = await upload(investor, logins.map((login) => `${login}:${dovecot.password}`).join("\n"));
    expect(stored).toMatchObject({ status: "success", accepted: count, domains: [domain] });
    await vi.waitFor(async () => expect(await batch(investor)).toMatchObject({ state: "active" }), {
      timeout: 60_000,
      interval: 200,
    });
    expect(await batch(investor)).toMatchObject({
      count,
      alive: count,
      amount: "0.0",
      percent: 0.25,
      domain_names: [domain],
      restricted: ["facebook.com"],
    });

    expect(await left(buyer, "instagram.com")).toBe(count);
    expect(await left(buyer, "facebook.com")).toBe(0);
    const shunned = await shop.get("/email/order", { token: buyer, site: "facebook.com", domain });
    expect(shunned).toMatchObject({ status: "error", value: "no emails" });
    const order = await shop.get("/email/order", { token: buyer, site: "instagram.com", domain });
    expect(logins).toContain(order["email"]);
    expect(await left(buyer, "instagram.com")).toBe(count - 1);
    expect(await shop.get("/investor/stats", { token: investor })).toMatchObject({
      total_amount: "0.0",
      percent: 0.25,
      accepted_domains: expect.arrayContaining(["letters.test"]),
    });

    const reading = shop.get("/email/getmessage", { token: buyer, id: String(order["id"]), wait: 40 });
    await dovecot.drop(String(order["email"]), codeLetter("instagram.com", "515151"));
    expect(await reading).toMatchObject({ status: "success", code: "515151" });

    // Held until an administrator releases it: nothing proves the letter.
    expect(await batch(investor)).toMatchObject({ amount: "0.0", held: "0.25" });
    expect(await shop.get("/investor/stats", { token: investor })).toMatchObject({
      total_amount: "0.0",
      need_to_pay: "0.0",
      held_amount: "0.25",
    });
    const { id_batch: held } = (await batch(investor)) as { id_batch: string };
    await operator("shares", "release", held, "instagram.com", "--reason", "looked");
    const [earned] = await shop.db`
      select (select sum(t.amount)::text from transfer t join account a on a.id = t.credit
              where t.kind = 'release' and a.book = 'investor' and t.order_id = ${await numberOf(shop.db, order["id"])}::bigint) as moved,
             (select sum(amount)::text from batch_earning) as noted, (select sum(count)::integer from batch_earning) as letters`;
    expect(earned).toEqual({ moved: "25000000", noted: "25000000", letters: 1 });
    expect(await batch(investor)).toMatchObject({ amount: "0.25", alive: count });
    const stats = {
      total_amount: "0.25",
      today_amount: "0.25",
      need_to_pay: "0.25",
      last_payment_date: null,
      days: [{ date: expect.stringMatching(/^20\d\d-\d\d-\d\d$/) as string, earned: "0.25", count: 1 }],
    };
    expect(await shop.get("/investor/stats", { token: investor })).toMatchObject(stats);

    await operator("partners", "payout", email, "investor", "0.2", "--note", "by card");
    expect(await shop.get("/investor/stats", { token: investor })).toMatchObject({
      ...stats,
      need_to_pay: "0.05",
      last_payment_date: expect.stringMatching(/^20\d\d-\d\d-\d\d$/),
    });
    expect((await audit(shop.db)).filter(({ bad }) => bad.length > 0)).toEqual([]);
  },
  180_000,
);
