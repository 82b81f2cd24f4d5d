// @module-tag slow
import { expect, onTestFinished, test, vi } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import { usd } from "../platform/money.ts";
import { addDomain, addSender, blockSite, findOrAddSite, openCatalog, setDomain } from "./catalog.ts";
import { soon } from "../../../test/kit/soon.ts";

async function shop() {
  const { db, drop } = await createDatabase();
  const catalog = await openCatalog(db);
  onTestFinished(async () => {
    await catalog.close();
    await drop();
  });
  for (const name of ["letters.test", "post.test", "inbox.example.com"]) {
    await addDomain(db, { name, price: usd("0.0035"), kind: "own" });
  }
  return { db, catalog };
}

const names = (domains: readonly { name: string }[]) => domains.map((domain) => domain.name);

test("a short name and every writing of a site mean the same site", async () => {
  const { catalog } = await shop();
  const site = await catalog.siteOf("instagram");
  expect(site).toMatchObject({ name: "instagram.com" });
  expect(await catalog.siteOf("https://www.Instagram.com/login")).toEqual(site);
  expect(await catalog.siteOf("twitter.com")).toMatchObject({ name: "x.com" });
  expect(await catalog.siteOf("any")).toMatchObject({ name: "any" });
});

test("a new site gets its row at the first order and keeps it, also for two at once", async () => {
  const { catalog } = await shop();
  expect(await catalog.siteOf("new.example.org")).toEqual({
    id: 0,
    name: "example.org",
    sandboxDomainId: null,
  });
  const [first, second] = await Promise.all([
    catalog.siteOf("example.org", { make: true }),
    catalog.siteOf("www.example.org", { make: true }),
  ]);
  expect(first).toEqual(second);
  expect(first).not.toMatchObject({ id: 0 });
});

test("a mistyped short name is refused with the one that was meant", async () => {
  const { catalog } = await shop();
  expect(await catalog.siteOf("instagarm")).toEqual({ refused: "site", didYouMean: "instagram" });
  expect(await catalog.siteOf("not a site")).toEqual({ refused: "site", didYouMean: undefined });
});

test("a blocked site is refused at once in every process, until it is unblocked", async () => {
  const { db, catalog } = await shop();
  const site = await findOrAddSite(db, "bank.example.net");
  if (!site) throw new Error("no site");
  expect(await catalog.siteOf("example.net")).toMatchObject({ name: "example.net" });
  await blockSite(db, site.id, true);
  await vi.waitFor(
    async () => expect(await catalog.siteOf("example.net")).toMatchObject({ refused: "site" }),
    soon,
  );
  await blockSite(db, site.id, false);
  await vi.waitFor(
    async () => expect(await catalog.siteOf("example.net")).toMatchObject({ id: site.id }),
    soon,
  );
});

test("mail domains are named in any case, without an ending, in lists and by groups", async () => {
  const { db, catalog } = await shop();
  await db`insert into domain_group (name, domain_id) select 'own', id from mail_domain where name like '%.test'`;
  await vi.waitFor(async () => expect(names(await catalog.domainsOf("all"))).toHaveLength(3), soon);
  expect(names(await catalog.domainsOf(" POST , Letters.test,post.test"))).toEqual([
    "post.test",
    "letters.test",
  ]);
  expect(names(await catalog.domainsOf("letters.com"))).toEqual(["letters.test"]);
  expect(names(await catalog.domainsOf("nowhere.test,post"))).toEqual(["post.test"]);
  expect(names(await catalog.domainsOf("nowhere.test"))).toEqual([]);
  expect(await catalog.nearestDomain("leters.test")).toBe("letters.test");
});

test("a domain taken off sale is no longer named, and comes back", async () => {
  const { db, catalog } = await shop();
  await catalog.domainsOf("all");
  await setDomain(db, "post.test", { enabled: false, price: usd("0.5") });
  await vi.waitFor(async () => expect(names(await catalog.domainsOf("post.test"))).toEqual([]), soon);
  expect((await catalog.groups()).get("all")).not.toContain("post.test");
  await setDomain(db, "post.test", { enabled: true });
  await vi.waitFor(
    async () => expect(await catalog.domainsOf("post")).toMatchObject([{ price: usd("0.5") }]),
    soon,
  );
});

test("a domain is added once, under a name that can be one", async () => {
  const { db } = await shop();
  expect(await addDomain(db, { name: "Letters.TEST", price: usd("1"), kind: "own" })).toBe("domain exists");
  expect(await addDomain(db, { name: "no spaces.test", price: usd("1"), kind: "own" })).toBe("mail domain");
});

test("letters of a site may come from its own domain and from its registered senders", async () => {
  const { db, catalog } = await shop();
  const site = await catalog.siteOf("facebook");
  if ("refused" in site) throw new Error("no site");
  expect(await catalog.sendersOf(site.id, site.name)).toEqual(new Set(["facebook.com", "facebookmail.com"]));
  expect(await addSender(db, site.id, "mail.meta.example")).toBe("meta.example");
  await vi.waitFor(
    async () => expect(await catalog.sendersOf(site.id, site.name)).toContain("meta.example"),
    soon,
  );
  const any = await catalog.siteOf("any");
  if ("refused" in any) throw new Error("no site");
  expect(await catalog.sendersOf(any.id, any.name)).toBeUndefined();
});

test("whoever asks for a domain that writes for a site asks for that site: its letters are not sold twice", async () => {
  const { db, catalog } = await shop();
  const early = await catalog.siteOf("mailer.example", { make: true });
  const facebook = await catalog.siteOf("facebook");
  if ("refused" in facebook || "refused" in early) throw new Error("no site");
  expect(early.name).toBe("mailer.example");
  expect(await catalog.siteOf("facebookmail.com", { make: true })).toEqual(facebook);
  expect(await catalog.siteOf("https://www.FacebookMail.com/x", { make: true })).toEqual(facebook);
  await addSender(db, facebook.id, "mailer.example");
  await vi.waitFor(async () => expect(await catalog.siteOf("mailer.example")).toEqual(facebook), soon);
  // A site of its own stays one.
  await addSender(db, facebook.id, "google.com");
  await vi.waitFor(
    async () => expect(await catalog.sendersOf(facebook.id, facebook.name)).toContain("google.com"),
    soon,
  );
  expect(await catalog.siteOf("google.com")).toMatchObject({ name: "google.com" });
});

test("of the sites that a shop begins with no two get letters from one domain", async () => {
  const { db } = await shop();
  expect(await db`select domain from site_sender group by domain having count(*) > 1`).toEqual([]);
});
