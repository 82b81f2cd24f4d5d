import { dkimSign } from "mailauth/lib/dkim/sign.js";
import { afterAll, beforeEach, expect, test } from "vitest";
import { openNameServer, type Records } from "../../../../test/kit/dns.ts";
import { signedLetter, signingKey, type SigningKey } from "../../../../test/kit/signed.ts";
import { clockOfThread } from "../../../../test/kit/thread.ts";
import { parseLetter } from "../../mime/mime.ts";
import { authenticate, nothingProved, type Envelope } from "./authenticate.ts";
import { openDns, type Dns } from "../../platform/dns.ts";

const dns = await openNameServer();
afterAll(() => dns.stop());
let resolver: Dns;
beforeEach(() => {
  dns.names.clear();
  dns.asked.length = 0;
  dns.isSilent = false;
  resolver = openDns([dns.address]);
});

const site = signingKey("site.test");
const mailer = signingKey("mail.mailer.test");
const envelope: Envelope = {
  remote: "192.0.2.7",
  helo: "mx.site.test",
  mailFrom: "bounce@site.test",
  to: ["somebody@letters.test"],
};

function know(...keys: SigningKey[]) {
  for (const { record } of keys) dns.names.set(record[0], { TXT: [record[1]] });
}
const say = (records: Record<string, Records | "broken">) => {
  for (const [name, record] of Object.entries(records)) dns.names.set(name, record);
};
const look = (raw: Uint8Array, more: Partial<Envelope> = {}) =>
  authenticate(raw, { ...envelope, ...more }, resolver);

test("a letter that its site signed and sent proves it in three ways", async () => {
  know(site);
  say({
    "site.test": { TXT: ["v=spf1 ip4:192.0.2.0/24 -all"] },
    "_dmarc.site.test": { TXT: ["v=DMARC1; p=reject"] },
  });
  expect(await look(await signedLetter({ from: "no-reply@site.test" }, [site]))).toEqual({
    spf: "pass",
    dkim: "pass",
    dmarc: "pass",
    dkimDomains: ["site.test"],
    dkimAddressed: ["site.test"],
    datedAt: expect.any(Date) as unknown,
  });
});

test("a signed letter to somebody else, copied into a mailbox, proves nothing to who ordered it", async () => {
  know(site);
  const letter = await signedLetter({ from: "no-reply@site.test" }, [site]);
  const copied = { dkimDomains: ["site.test"], dkimAddressed: [] };
  expect(await look(letter, { to: ["victim@letters.test"] })).toMatchObject(copied);
  expect(await look(letter, { to: ["body@letters.test"] })).toMatchObject(copied);
  const twice = Buffer.concat([Buffer.from("To: victim@letters.test\r\n"), letter]);
  expect(await look(twice, { to: ["victim@letters.test"] })).toMatchObject({ dkimAddressed: [] });
  // A signature without To and Date.
  const bare = Buffer.from(
    "From: no-reply@site.test\r\nTo: victim@letters.test\r\n\r\nYour code is 482913.\r\n",
  );
  const signed = await signWith(bare, { headerList: ["From"] });
  expect(await look(signed, { to: ["victim@letters.test"] })).toMatchObject({ dkim: "pass", ...copied });
});

test("a letter to the mailbox by a tag or with a dot at the end is to it", async () => {
  know(site);
  for (const to of ["somebody+site@letters.test", "Somebody@letters.test.", "Ann <somebody@letters.test>"]) {
    const letter = await signedLetter({ from: "no-reply@site.test", to }, [site]);
    expect(await look(letter), to).toMatchObject({ dkimAddressed: ["site.test"] });
  }
  const other = await signedLetter({ from: "no-reply@site.test", to: "some+body@letters.test" }, [site]);
  expect(await look(other)).toMatchObject({ dkimAddressed: [] });
});

test("a key that its domain only tries out proves nothing", async () => {
  dns.names.set(site.record[0], { TXT: [site.record[1].replace("v=DKIM1;", "v=DKIM1; t=y:s;")] });
  say({ "_dmarc.site.test": { TXT: ["v=DMARC1; p=reject"] } });
  const letter = await signedLetter({ from: "no-reply@site.test" }, [site]);
  expect(await look(letter)).toMatchObject({
    dkim: "policy",
    dmarc: "fail",
    dkimDomains: [],
    dkimAddressed: [],
  });
});

test("of a letter about which nothing is published nothing is said", async () => {
  expect(
    await look(await signedLetter({ from: "ann@nobody.test" }), { mailFrom: "ann@nobody.test" }),
  ).toEqual({
    spf: "none",
    dkim: "none",
    dmarc: "none",
    dkimDomains: [],
    dkimAddressed: [],
    datedAt: expect.any(Date) as unknown,
  });
});

test.each<[string, (letter: string) => string]>([
  ["body", (letter) => letter.replace("482913", "111111")],
  ["subject", (letter) => letter.replace("Subject: Hello", "Subject: Hullo")],
  ["sender", (letter) => letter.replace("From: no-reply@", "From: root@")],
])("a letter whose %s was changed on its way proves nothing", async (_part, change) => {
  know(site);
  say({ "_dmarc.site.test": { TXT: ["v=DMARC1; p=reject"] } });
  const letter = (await signedLetter({ from: "no-reply@site.test" }, [site])).toString();
  expect(await look(Buffer.from(change(letter)))).toMatchObject({
    dkim: "fail",
    dmarc: "fail",
    dkimDomains: [],
  });
});

test("of several signatures each that holds counts, by its registrable domain and once", async () => {
  const other = signingKey("eu.mailer.test", "s2");
  const unknown = signingKey("gone.test");
  know(site, mailer, other);
  const letter = await signedLetter({ from: "no-reply@site.test" }, [site, mailer, other, unknown]);
  expect(await look(letter)).toMatchObject({ dkim: "pass", dkimDomains: ["mailer.test", "site.test"] });
});

test("a key of a suffix that everybody may be under proves no domain", async () => {
  const suffix = signingKey("co.uk");
  know(suffix);
  expect(await look(await signedLetter({ from: "a@site.test" }, [suffix]))).toMatchObject({
    dkimDomains: [],
  });
});

const signWith = async (raw: Buffer, options: object) => {
  const { signatures } = await dkimSign(raw, {
    signatureData: [
      { signingDomain: site.domain, selector: site.selector, privateKey: site.pem, ...options },
    ],
    ...options,
  } as never);
  return Buffer.concat([Buffer.from(signatures), raw]);
};

test("a signature that has expired does not hold", async () => {
  know(site);
  const plain = await signedLetter({ from: "no-reply@site.test" });
  const hour = 3_600_000;
  const fresh = await signWith(plain, { expires: new Date(Date.now() + hour) });
  const old = await signWith(plain, {
    signTime: new Date(Date.now() - 2 * hour),
    expires: new Date(Date.now() - hour),
  });
  expect(await look(fresh)).toMatchObject({ dkim: "pass", dkimDomains: ["site.test"] });
  expect(await look(old)).toMatchObject({ dkim: "neutral", dkimDomains: [] });
});

test("a signature of the beginning alone does not prove what somebody has written behind it", async () => {
  know(site);
  say({ "_dmarc.site.test": { TXT: ["v=DMARC1; p=reject"] } });
  const letter = await signWith(await signedLetter({ from: "no-reply@site.test" }), { maxBodyLength: 10 });
  expect(await look(letter)).toMatchObject({ dkim: "policy", dmarc: "fail", dkimDomains: [] });
  const none = await signWith(await signedLetter({ from: "no-reply@site.test" }), { maxBodyLength: 0 });
  expect(await look(none)).toMatchObject({ dkim: "policy", dkimDomains: [] });
});

test.each<[string, string, Records | "broken" | undefined]>([
  ["a key that was withdrawn", "neutral", { TXT: ["v=DKIM1; p="] }],
  ["a key that is none", "neutral", { TXT: ["v=DKIM1; k=rsa; p=AAAA"] }],
  ["no key", "neutral", undefined],
  ["a key of another", "fail", { TXT: [signingKey("other.test").record[1]] }],
  ["a name server that is broken", "temperror", "broken"],
])("with %s a signature is %s", async (_what, dkim, record) => {
  if (record) dns.names.set(site.record[0], record);
  const found = await look(await signedLetter({ from: "a@site.test" }, [site]));
  expect(found).toMatchObject({ dkim, dkimDomains: [] });
});

test.each<[string, string, Record<string, Records | "broken">]>([
  ["pass", "the address", { "site.test": { TXT: ["v=spf1 ip4:192.0.2.7 -all"] } }],
  [
    "pass",
    "its mail exchanger",
    {
      "site.test": { TXT: ["v=spf1 mx -all"], MX: [[1, "mx.site.test"]] },
      "mx.site.test": { A: ["192.0.2.7"] },
    },
  ],
  [
    "pass",
    "an included record",
    {
      "site.test": { TXT: ["v=spf1 include:b.test -all"] },
      "b.test": { TXT: ["v=spf1 ip4:192.0.2.7 -all"] },
    },
  ],
  ["fail", "others alone", { "site.test": { TXT: ["v=spf1 ip4:198.51.100.1 -all"] } }],
  ["softfail", "others probably", { "site.test": { TXT: ["v=spf1 ip4:198.51.100.1 ~all"] } }],
  ["neutral", "nobody in particular", { "site.test": { TXT: ["v=spf1 ?all"] } }],
  [
    "permerror",
    "itself, in a circle",
    {
      "site.test": { TXT: ["v=spf1 include:b.test -all"] },
      "b.test": { TXT: ["v=spf1 include:site.test -all"] },
    },
  ],
  ["permerror", "what nobody understands", { "site.test": { TXT: ["v=spf1 ip4:999.1.1.1/77 -all"] } }],
  ["permerror", "two records", { "site.test": { TXT: ["v=spf1 -all", "v=spf1 +all"] } }],
  [
    "permerror",
    "more than anybody need ask",
    {
      "site.test": {
        TXT: [`v=spf1 ${Array.from({ length: 11 }, (_, n) => `exists:e${n}.test`).join(" ")} -all`],
      },
      ...Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`e${n}.test`, { TXT: ["x"] }])),
    },
  ],
  ["temperror", "a broken name server", { "site.test": "broken" }],
])("SPF is %s where the domain names %s", async (spf, _whom, records) => {
  say(records);
  expect(await look(await signedLetter({ from: "a@else.test" }))).toMatchObject({ spf });
  expect(dns.asked.length).toBeLessThan(60);
});

test("a bounce is asked about by the name of who brought it", async () => {
  say({ "mx.site.test": { TXT: ["v=spf1 ip4:192.0.2.7 -all"] } });
  const letter = await signedLetter({ from: "mailer-daemon@site.test" });
  expect(await look(letter, { mailFrom: "" })).toMatchObject({ spf: "pass" });
  expect(await look(letter, { mailFrom: "", helo: "[192.0.2.7]" })).toMatchObject({ spf: "none" });
});

test("DMARC passes by a domain that is the author's, by signature or by SPF, and by no other", async () => {
  const below = signingKey("mail.site.test");
  know(site, mailer, below);
  say({
    "site.test": { TXT: ["v=spf1 ip4:192.0.2.7 -all"] },
    "mailer.test": { TXT: ["v=spf1 ip4:192.0.2.7 -all"] },
    "_dmarc.site.test": { TXT: ["v=DMARC1; p=reject"] },
  });
  const from = "no-reply@site.test";
  const elsewhere = { mailFrom: "bounce@mailer.test" };
  expect(await look(await signedLetter({ from }, [mailer]), elsewhere)).toMatchObject({
    spf: "pass",
    dkim: "pass",
    dmarc: "fail",
  });
  expect(await look(await signedLetter({ from }, [below]), elsewhere)).toMatchObject({ dmarc: "pass" });
  expect(await look(await signedLetter({ from }))).toMatchObject({
    spf: "pass",
    dkim: "none",
    dmarc: "pass",
  });
  // Strict alignment: only the same domain.
  say({ "_dmarc.site.test": { TXT: ["v=DMARC1; p=reject; adkim=s"] } });
  resolver = openDns([dns.address]);
  expect(await look(await signedLetter({ from }, [below]), elsewhere)).toMatchObject({ dmarc: "fail" });
  // A subdomain has the policy of its domain.
  expect(await look(await signedLetter({ from: "a@news.site.test" }), elsewhere)).toMatchObject({
    dmarc: "fail",
  });
});

test("a letter with two authors proves neither", async () => {
  know(site);
  const letter = await signedLetter({ from: "no-reply@site.test" }, [site]);
  const two = Buffer.concat([Buffer.from("From: a@bank.test\r\n"), letter]);
  expect(await look(two)).toMatchObject({ dmarc: "permerror" });
  // What is shown, and counts, is what was signed.
  expect(parseLetter(two)).toMatchObject({ sender: "no-reply@site.test", senderDomain: "site.test" });
});

test("what might have passed when names could be asked has not failed", async () => {
  say({ "site.test": "broken", "_dmarc.site.test": { TXT: ["v=DMARC1; p=reject"] } });
  expect(await look(await signedLetter({ from: "a@site.test" }))).toMatchObject({
    spf: "temperror",
    dmarc: "temperror",
  });
});

test("of a letter that did not come by SMTP signatures alone are asked about", async () => {
  know(site);
  say({
    "_dmarc.site.test": { TXT: ["v=DMARC1; p=reject"] },
    "_dmarc.else.test": { TXT: ["v=DMARC1; p=reject"] },
  });
  const signed = await signedLetter({ from: "a@site.test" }, [site]);
  expect(await look(signed, { remote: null })).toMatchObject({ spf: null, dkim: "pass", dmarc: "pass" });
  const others = await signedLetter({ from: "a@else.test" }, [site]);
  expect(await look(others, { remote: null })).toMatchObject({ spf: null, dkim: "pass", dmarc: null });
  dns.asked.length = 0;
  expect(await look(await signedLetter({ from: "a@site.test" }), { remote: null })).toMatchObject({
    spf: null,
    dkim: "none",
    dmarc: null,
    dkimDomains: [],
  });
  expect(dns.asked).toEqual([]);
});

test("a name server that says nothing is asked little, once, and leaves everything open", async () => {
  dns.isSilent = true;
  resolver = openDns([dns.address], { timeout: 50, tries: 2 });
  const letter = await signedLetter({ from: "a@site.test" }, [site, mailer]);
  const open = { spf: "temperror", dkim: "temperror", dmarc: "temperror" };
  const nothing = { ...nothingProved, ...open, datedAt: expect.any(Date) };
  expect(await look(letter)).toEqual(nothing);
  const asked = dns.asked.length;
  expect(asked).toBeLessThanOrEqual(12);
  expect(await look(letter)).toEqual(nothing);
  expect(dns.asked).toHaveLength(asked);
});

test("what was answered a moment ago is not asked again", async () => {
  know(site);
  const letter = await signedLetter({ from: "a@site.test" }, [site]);
  await look(letter);
  const asked = dns.asked.length;
  await Promise.all([look(letter), look(letter)]);
  expect(dns.asked.length).toBe(asked);
});

const signature = (more = "", h = "from") =>
  `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=k.test; s=s; ${more} h=${h}; bh=AAAA; b=AAAA\r\n`;
const head = "From: a@a.test\r\nSubject: x\r\n";
const megabytes = (line: string, count: number) => line.repeat((count * 1024 * 1024) / line.length);

test.each<[string, string]>([
  [
    "1,000 signatures",
    Array.from({ length: 1_000 }, (_, n) => signature(`l=${n};`)).join("") + head + "\r\nhi\r\n",
  ],
  [
    "signatures that name 20,000 fields",
    signature("", `from${":a".repeat(1_500)}`).repeat(5) + head + "x: 1\r\n".repeat(3_900) + "\r\nhi\r\n",
  ],
  ["10 MB in one line", signature() + head + "\r\n" + "x".repeat(10_000_000)],
  ["10 MB of spaces", signature() + head + "\r\n" + " ".repeat(10_000_000)],
  ["two million lines", signature() + head + "\r\n" + "a \r\n".repeat(2_000_000)],
  [
    "10 MB of something like a boundary",
    signature() + head + "Content-Type: multipart/mixed; boundary=--a\r\n\r\n" + "--a-".repeat(2_500_000),
  ],
  ["a header of 10 MB", signature() + head + "X: " + "y".repeat(10_000_000) + "\r\n\r\nhi"],
  ["50,000 authors", signature() + "From: " + "a:b,".repeat(50_000) + "\r\n\r\nhi"],
  ["nothing but a header", signature() + head],
  ["nothing at all", ""],
  ["no header", "\r\nhi"],
])("%s cost a moment, few questions, and no fault", async (_what, text) => {
  const raw = Buffer.from(text, "latin1");
  const spent = clockOfThread();
  const found = await look(raw);
  expect(spent()).toBeLessThan(4_000);
  expect(found.dkimDomains).toEqual([]);
  expect(dns.asked.length).toBeLessThan(40);
});

test("an honest letter of 10 MB is read whole", async () => {
  know(site);
  const letter = await signedLetter(
    { from: "a@site.test", text: megabytes(`${"photograph".repeat(7)}\n`, 9.5) },
    [site],
  );
  expect(letter.length).toBeGreaterThan(9_000_000);
  expect(await look(letter)).toMatchObject({ dkim: "pass" });
  expect(await look(Buffer.concat([letter, Buffer.from("more\r\n")]))).toMatchObject({ dkim: "fail" });
});

test("an answer that is longer than any honest one says nothing", async () => {
  say({ "site.test": { TXT: ["v=spf1 ip4:192.0.2.7 " + "a".repeat(30_000)] } });
  expect(await look(await signedLetter({ from: "a@site.test" }))).toMatchObject({ spf: "none" });
});
