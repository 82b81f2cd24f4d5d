import { afterAll, beforeEach, expect, test } from "vitest";
import { openNameServer, type Records } from "../../../test/kit/dns.ts";
import { type DnsRecord, isRight, look, type Purpose } from "./setup.dns.ts";

const dns = await openNameServer();
afterAll(() => dns.stop());
beforeEach(() => {
  dns.names.clear();
  dns.isSilent = false;
});

type Said = Record<string, Records | "broken">;

const sold: Purpose = {
  domain: "letters.test",
  reception: "mx.shop.test",
  relay: undefined,
  dkim: undefined,
};
const key = "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A";
const sending: Purpose = {
  domain: "shop.test",
  reception: undefined,
  relay: "relay.test",
  dkim: { name: "postern1._domainkey.shop.test", value: `v=DKIM1; k=rsa; p=${key}` },
};
const whole: Said = {
  "letters.test": { MX: [[10, "mx.shop.test"]], TXT: ["site-verification=1", "v=spf1 -all"] },
  "mx.shop.test": { A: ["192.0.2.25"] },
  "_dmarc.letters.test": { TXT: ["v=DMARC1; p=reject"] },
};
const wholeOfSender: Said = {
  "shop.test": { TXT: ["v=spf1 a:relay.test -all"] },
  "relay.test": { A: ["192.0.2.80"] },
  "postern1._domainkey.shop.test": { TXT: [`v=DKIM1; k=rsa; p=${key.slice(0, 9)} ${key.slice(9)}`] },
};

async function check(said: Said, purpose = sold): Promise<DnsRecord[]> {
  for (const [name, records] of Object.entries(said)) dns.names.set(name, records);
  return look([dns.address], purpose);
}

const standing = (records: readonly DnsRecord[], kind: DnsRecord["kind"]) => {
  const { state, trouble } = records.find((record) => record.kind === kind) ?? {};
  return [state, trouble];
};

test("of a domain about which the DNS knows nothing, each record is told as it is to be set", async () => {
  const records = await check({});
  expect(records).toEqual([
    {
      kind: "mx",
      name: "letters.test",
      type: "MX",
      value: "10 mx.shop.test.",
      needed: true,
      state: "missing",
      found: [],
    },
    { kind: "address", name: "mx.shop.test", type: "A", needed: true, state: "missing", found: [] },
    {
      kind: "spf",
      name: "letters.test",
      type: "TXT",
      value: "v=spf1 -all",
      needed: true,
      state: "missing",
      found: [],
    },
    {
      kind: "dmarc",
      name: "_dmarc.letters.test",
      type: "TXT",
      value: "v=DMARC1; p=reject",
      needed: false,
      state: "missing",
      found: [],
    },
  ]);
  expect(isRight(records)).toBe(false);
});

test("a domain whose records are all there is right, and nothing is remembered between two looks", async () => {
  expect(isRight(await check({}))).toBe(false);
  const records = await check(whole);
  expect(records.map(({ state }) => state)).toEqual(["right", "right", "right", "right"]);
  expect(isRight(records)).toBe(true);
});

test("what is only advised does not make a domain wrong", async () => {
  const records = await check({ ...whole, "_dmarc.letters.test": {} });
  expect(standing(records, "dmarc")).toEqual(["missing", undefined]);
  expect(isRight(records)).toBe(true);
});

const exchangers: [what: string, said: Said, state: string, trouble?: string][] = [
  ["leads elsewhere", { "letters.test": { MX: [[10, "mx.other.test"]] } }, "wrong", "other_host"],
  [
    "prefers another",
    {
      "letters.test": {
        MX: [
          [5, "mx.other.test"],
          [10, "mx.shop.test"],
        ],
      },
    },
    "wrong",
    "not_first",
  ],
  ["takes no mail", { "letters.test": { MX: [[0, "."]] } }, "wrong", "no_mail"],
  [
    "names our machine by another name",
    { "letters.test": { MX: [[10, "alias.test"]] }, "alias.test": { A: ["192.0.2.25"] } },
    "right",
  ],
  ["is written large", { "letters.test": { MX: [[10, "MX.Shop.TEST"]] } }, "right"],
  ["cannot be asked for", { "letters.test": "broken" }, "unknown"],
];

test.each(exchangers)("an MX record that %s", async (_what, said, state, trouble) => {
  expect(standing(await check({ ...whole, ...said }), "mx")).toEqual([state, trouble]);
});

const addresses: [what: string, said: Records | "broken", state: string, trouble?: string][] = [
  ["has none", {}, "missing"],
  ["is in a network of its own", { A: ["10.1.2.3"] }, "wrong", "private"],
  ["is this machine", { A: ["127.0.0.1"] }, "wrong", "private"],
  ["has one of the new kind", { AAAA: ["2001:db8:0:0:0:0:0:25"] }, "right"],
  ["cannot be asked for", "broken", "unknown"],
];

test.each(addresses)("a reception whose address %s", async (_what, said, state, trouble) => {
  expect(standing(await check({ ...whole, "mx.shop.test": said }), "address")).toEqual([state, trouble]);
});

const senders: [record: string[], state: string, trouble?: string][] = [
  [["v=spf1 ~all"], "right"],
  [["V=SPF1 -all"], "right"],
  [["v=spf10 -all"], "missing"],
  [["v=spf1 -all", "v=spf1 mx -all"], "wrong", "many"],
  [["v=spf1 +all"], "wrong", "open"],
  [["v=spf1 mx all"], "wrong", "open"],
];

test.each(senders)("a domain that sends nothing, whose SPF record is %j", async (record, state, trouble) => {
  const records = await check({ ...whole, "letters.test": { MX: [[10, "mx.shop.test"]], TXT: record } });
  expect(standing(records, "spf")).toEqual([state, trouble]);
});

test("the domain of our own mail must let its relay send, and have the key that signs", async () => {
  const missing = await check({}, sending);
  expect(missing.map(({ kind, name, value, needed }) => ({ kind, name, value, needed }))).toEqual([
    { kind: "spf", name: "shop.test", value: "v=spf1 a:relay.test -all", needed: true },
    {
      kind: "dkim",
      name: "postern1._domainkey.shop.test",
      value: `v=DKIM1; k=rsa; p=${key}`,
      needed: true,
    },
    {
      kind: "dmarc",
      name: "_dmarc.shop.test",
      value: "v=DMARC1; p=quarantine; rua=mailto:postmaster@shop.test",
      needed: false,
    },
  ]);
  expect(isRight(await check(wholeOfSender, sending))).toBe(true);
});

const sent: [what: string, said: Said, kind: "spf" | "dkim", state: string, trouble?: string][] = [
  ["forbids all", { "shop.test": { TXT: ["v=spf1 -all"] } }, "spf", "wrong", "forbids"],
  ["names others", { "shop.test": { TXT: ["v=spf1 ip4:198.51.100.1 -all"] } }, "spf", "doubt", "relay"],
  [
    "lets the relay send by an include",
    {
      "shop.test": { TXT: ["v=spf1 include:spf.relay.test -all"] },
      "spf.relay.test": { TXT: ["v=spf1 ip4:192.0.2.0/24 -all"] },
    },
    "spf",
    "right",
  ],
  [
    "has another key",
    { "postern1._domainkey.shop.test": { TXT: ["v=DKIM1; p=AAAA"] } },
    "dkim",
    "wrong",
    "other_key",
  ],
  ["has a key that cannot be asked for", { "postern1._domainkey.shop.test": "broken" }, "dkim", "unknown"],
];

test.each(sent)("the domain of our own mail that %s", async (_what, said, kind, state, trouble) => {
  const records = await check({ ...wholeOfSender, ...said }, sending);
  expect(standing(records, kind)).toEqual([state, trouble]);
  expect(isRight(records)).toBe(state === "right" || state === "doubt");
});

test("when no name server answers nothing is called missing, and an end comes", async () => {
  dns.isSilent = true;
  const records = await look([dns.address], sold, { timeout: 50, tries: 2 });
  expect(records.map(({ state }) => state)).toEqual(["unknown", "unknown", "unknown", "unknown"]);
  expect(isRight(records)).toBe(false);
});
