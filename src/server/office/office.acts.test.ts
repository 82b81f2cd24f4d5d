// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BackOffice, meanwhile, openBackOffice } from "../../../test/kit/backoffice.ts";
import { startShop, type TestShop } from "../../../test/kit/shop.ts";
import { certificateFor } from "../platform/certificate.ts";

let shop: TestShop;
let office: BackOffice;

beforeAll(async () => {
  shop = await startShop();
  office = await openBackOffice(shop);
});
afterAll(() => shop.stop());

async function buyer(): Promise<string> {
  const { token, id } = await office.someone();
  await office.act("users/adjust", { user: id, amount: "10", reason: "to try", key: `buyer ${id}` });
  return token;
}

describe("mail domains and stock", () => {
  test("a mail domain is put on sale, changed and taken off, and the journal has what it was before", async () => {
    const added = await office.act("domains/add", { name: " New.Example ", price: "0.0035", kind: "own" });
    expect(added).toMatchObject({ name: "new.example", kind: "own", price: "0.0035", on: true });
    expect(await office.act("domains/set", { name: "new.example", price: "0.5" })).toMatchObject({
      price: "0.5",
      on: true,
    });
    expect(await office.act("domains/set", { name: "new.example", on: "0" })).toMatchObject({
      price: "0.5",
      on: false,
    });
    const { by } = office;
    expect(await office.written("new.example")).toMatchObject([
      { by, did: "domains set", before: { price: "0.5", on: true }, after: { price: "0.5", on: false } },
      { by, did: "domains set", before: { price: "0.0035", on: true }, after: { price: "0.5", on: true } },
      { by, did: "domains add", before: null, after: { price: "0.0035", kind: "own" } },
    ]);
  });

  test("what is no domain, is there already, or changes nothing is refused", async () => {
    await office.act("domains/add", { name: "twice.example", price: "1", kind: "own" });
    const whole = { name: "third.example", price: "1", kind: "own" };
    await office.refusesAll("domains/add", [
      [{ ...whole, name: "localhost" }, "mail domain"],
      [{ ...whole, price: "0" }, "price"],
      [{ ...whole, kind: "rented" }, "kind"],
      [{ ...whole, name: "TWICE.example" }, "domain exists"],
    ]);
    await office.refusesAll("domains/set", [
      [{ name: "nowhere.example", price: "1" }, "no domain"],
      [{ name: "twice.example" }, "nothing to change"],
      [{ name: "twice.example", on: "2" }, "on"],
      [{ name: "twice.example", price: "-1" }, "price"],
    ]);
  });

  test("mailboxes are ordered up, one order at a time", async () => {
    await office.act("domains/add", { name: "stocked.example", price: "1", kind: "own" });
    await office.act("domains/add", { name: "hosted.example", price: "1", kind: "hosted" });
    const order = { domain: "stocked.example", count: "12000" };
    const lock = "select from mail_domain where name = 'stocked.example' for update";
    const add = () => office.act("stock/add", order);
    const [first, second] = await meanwhile(shop, lock, add, add);
    expect(first).toMatchObject({ added: 12_000, mailboxes: 12_000 });
    expect(second).toMatchObject({ status: "error", value: "stock busy" });
    expect(await office.written("stocked.example")).toMatchObject([
      { by: office.by, did: "stock add", before: { mailboxes: 0 }, after: { asked: 12_000 } },
      { did: "domains add" },
    ]);
    await office.refusesAll("stock/add", [
      [{ domain: "nowhere.example", count: "1" }, "no domain"],
      [{ domain: "hosted.example", count: "1" }, "not own"],
      [{ domain: "stocked.example", count: "100001" }, "count"],
    ]);
  });

  test("a hosted domain gets its server, with TLS or on this machine, and its own certificates", async () => {
    await office.act("domains/add", { name: "elsewhere.example", price: "1", kind: "hosted" });
    await office.act("domains/add", { name: "ours.example", price: "1", kind: "own" });
    const { cert } = certificateFor("imap.example.com");
    const whole = { domain: "elsewhere.example", imap: "imap.example.com:993", tls: "implicit" };
    expect(
      await office.act("hosts/add", { ...whole, connections: "3", logins: "30", ca: cert }),
    ).toMatchObject({
      domain: "elsewhere.example",
      imap: "imap.example.com:993",
      tls: "implicit",
    });
    const host = async () =>
      (
        await shop.db`select connections, logins_per_minute as logins, ca is not null as own from imap_host
                     where host = 'imap.example.com'`
      )[0];
    expect(await host()).toMatchObject({ connections: 3, logins: 30, own: true });
    await office.act("hosts/add", { ...whole, known_ca: "1" });
    expect(await host()).toMatchObject({ connections: 3, logins: 30, own: false });
    expect(await office.act("hosts/add", { ...whole, imap: "localhost:143", tls: "none" })).toMatchObject({
      imap: "localhost:143",
    });
    const [newest] = await office.written("elsewhere.example");
    expect(newest).toMatchObject({
      by: office.by,
      did: "hosts add",
      before: { imap: "imap.example.com:993 implicit" },
      after: { imap: "localhost:143", tls: "none" },
    });
    expect(newest?.after).not.toHaveProperty("ownCa");
    await office.refusesAll("hosts/add", [
      [{ ...whole, tls: "none" }, "tls needed"],
      [{ ...whole, imap: "imap.example.com" }, "imap"],
      [{ ...whole, imap: "imap.example.com:70000" }, "imap"],
      [{ ...whole, ca: "-----BEGIN CERTIFICATE-----\nbm9uZQ==\n-----END CERTIFICATE-----" }, "ca"],
      [{ ...whole, ca: cert, known_ca: "1" }, "ca"],
      [{ ...whole, domain: "nowhere.example" }, "no domain"],
      [{ ...whole, domain: "ours.example" }, "not hosted"],
    ]);
  });
});

describe("sites", () => {
  test("a sender is let in, and the letter that waited is delivered at once", async () => {
    const token = await buyer();
    const order = { token, site: "slowmail.example", domain: "letters.test" };
    const { id, email } = await shop.get("/email/order", order);
    await shop.send({
      to: String(email),
      from: "codes@mailer.example",
      subject: "Code",
      text: "Your code is 482913.",
    });
    await expect.poll(async () => (await shop.db`select 1 from turned_away`).length).toBeGreaterThan(0);
    const asked = { site: "slowmail.example", domains: "news.mailer.example, mailer.example" };
    expect(await office.act("sites/senders", asked)).toMatchObject({
      site: "slowmail.example",
      senders: ["mailer.example"],
      shared: [],
      delivered: 1,
      too_late: 0,
      unfit: 0,
    });
    const received = await shop.get("/email/getmessage", { token, id: String(id), wait: "30" });
    expect(received).toMatchObject({ status: "success" });
    expect(await office.written("slowmail.example")).toMatchObject([
      {
        by: office.by,
        did: "sites alias",
        before: { senders: [] },
        after: { senders: ["mailer.example"] },
      },
    ]);
    expect(
      await office.act("sites/senders", { site: "otherslow.example", domains: "mailer.example" }),
    ).toMatchObject({
      shared: [{ domain: "mailer.example", sites: ["slowmail.example"] }],
    });
    await office.refusesAll("sites/senders", [
      [{ ...asked, site: "no site at all" }, "site"],
      [{ ...asked, domains: "mailer.example, com" }, "senders"],
      [{ ...asked, domains: " , " }, "senders"],
    ]);
  });

  test("a sender domain is removed again, and one that is none is refused", async () => {
    const site = "mistaken.example";
    await office.act("sites/senders", { site, domains: "right.example, wrong.example, stray.example" });
    const asked = { site, domains: " News.Wrong.example , stray.example" };
    await office.refusesAll("sites/senders/remove", [
      [{ ...asked, site: "no site at all" }, "site"],
      [{ ...asked, site: "unknown.example" }, "site"],
      [{ ...asked, domains: " , " }, "senders"],
      [{ ...asked, domains: "wrong.example, never.example" }, "no sender"],
      [{ ...asked, domains: site }, "no sender"],
    ]);
    const removed = await office.act("sites/senders/remove", asked);
    expect(removed).toMatchObject({ site });
    expect(new Set(removed["senders"] as string[])).toEqual(new Set(["wrong.example", "stray.example"]));
    await office.refusesAll("sites/senders/remove", [[asked, "no sender"]]);
    expect((await office.written(site)).slice(0, 1)).toMatchObject([
      {
        by: office.by,
        did: "sites unalias",
        before: { senders: ["right.example", "stray.example", "wrong.example"] },
        after: { senders: ["right.example"] },
      },
    ]);
  });

  test("a site is served no more, and served again", async () => {
    const token = await buyer();
    const order = { token, site: "shunned.example", domain: "letters.test" };
    expect(await office.act("sites/block", { site: "www.shunned.example", blocked: "1" })).toMatchObject({
      site: "shunned.example",
      blocked: true,
    });
    await expect
      .poll(() => shop.get("/email/order", order))
      .toMatchObject({ status: "error", value: "site" });
    const any = await shop.get("/email/order", { ...order, site: "any" });
    const send = (site: string, text: string) =>
      shop.send({ to: String(any["email"]), from: `codes@${site}`, subject: "Code", text });
    await send("shunned.example", "Your code is 111111.");
    await send("welcome.example", "Your code is 222222.");
    const asked = { token, id: String(any["id"]), wait: "30" };
    expect(await shop.get("/email/getmessage", asked)).toMatchObject({ code: "222222", messages: 1 });
    await expect.poll(async () => (await shop.db`select from letter where judged_at is null`).length).toBe(0);
    expect(await shop.get("/email/getmessage", asked)).toMatchObject({ code: "222222", messages: 1 });
    await office.act("sites/block", { site: "shunned.example", blocked: "0" });
    await expect.poll(() => shop.get("/email/order", order)).toMatchObject({ status: "success" });
    expect(await office.written("shunned.example")).toMatchObject([
      { did: "sites unblock", before: { blocked: true }, after: { blocked: false } },
      { by: office.by, did: "sites block", before: { blocked: false }, after: { blocked: true } },
    ]);
    await office.refusesAll("sites/block", [
      [{ site: "?", blocked: "1" }, "site"],
      [{ site: "shunned.example", blocked: "x" }, "blocked"],
    ]);
  });
});
