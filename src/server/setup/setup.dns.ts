import { spf } from "mailauth/lib/spf/index.js";
import type { checkDns } from "../../contract/office/setup.ts";
import type { Reply } from "../../contract/endpoint.ts";
import { isLocal } from "../platform/network-address.ts";
import type { DnsServers } from "../platform/config/config.ts";
import { type Ask, openDns, type Patience } from "../platform/dns.ts";

export type DnsRecord = Reply<typeof checkDns>["records"][number];
type MatchInput = Pick<DnsRecord, "state" | "trouble" | "found">;

export interface Purpose {
  readonly domain: string;
  /** The host name of our reception; undefined: its mail does not come to us. */
  readonly reception: string | undefined;
  /** The relay of our own mail from it; undefined: none is sent from it. */
  readonly relay: string | undefined;
  /** The DKIM record, when the key is of this domain. */
  readonly dkim: { readonly name: string; readonly value: string } | undefined;
}

const millisecondsMax = 8_000;
/** RFC 7208 §4.6.4 allows an SPF record about fifty; the others want one or two for each host. */
const questionsMax = 80;

export async function look(servers: DnsServers, purpose: Purpose, patience?: Patience): Promise<DnsRecord[]> {
  const until = performance.now() + millisecondsMax;
  const ask = openDns(servers, patience).asker(until, questionsMax);
  const records = await Promise.all([
    ...(purpose.reception === undefined ? [] : receiving(ask, purpose.domain, purpose.reception)),
    sender(ask, purpose),
    ...(purpose.dkim ? [signature(ask, purpose.dkim)] : []),
    policy(ask, purpose),
  ]);
  return records;
}

export const isRight = (records: readonly DnsRecord[]): boolean =>
  records.every(({ needed, state }) => !needed || state === "right" || state === "doubt");

function receiving(ask: Ask, domain: string, reception: string): Promise<DnsRecord>[] {
  const mx = { kind: "mx", name: domain, type: "MX", value: `10 ${reception}.`, needed: true } as const;
  const address = { kind: "address", name: reception, type: "A", needed: true } as const;
  return [
    exchanges(ask, domain, reception).then((checked) => ({ ...mx, ...checked })),
    addressesOf(ask, reception).then((found) => ({ ...address, ...judgeAddresses(found) })),
  ];
}

type Found<Item> = readonly Item[] | "unknown";

/** An empty result is an answer too. */
async function lookUp<Item>(ask: Ask, name: string, type: string): Promise<Found<Item>> {
  try {
    return (await ask(name, type)) as unknown as Item[];
  } catch (fault) {
    const { code = "" } = fault as { code?: string };
    return code === "ENOTFOUND" || code === "ENODATA" ? [] : "unknown";
  }
}

async function addressesOf(ask: Ask, host: string): Promise<Found<string>> {
  const [four, six] = await Promise.all(["A", "AAAA"].map((type) => lookUp<string>(ask, host, type)));
  const found = [four, six].flatMap((each) => (each === undefined || each === "unknown" ? [] : each));
  return found.length === 0 && (four === "unknown" || six === "unknown") ? "unknown" : found;
}

function judgeAddresses(found: Found<string>): MatchInput {
  if (found === "unknown") return { state: "unknown", found: [] };
  if (found.length === 0) return { state: "missing", found: [] };
  // A private network: senders outside cannot reach it.
  if (found.every(isLocal)) return { state: "wrong", trouble: "private", found: [...found] };
  return { state: "right", found: [...found] };
}

interface Exchange {
  readonly priority: number;
  readonly exchange: string;
}

async function exchanges(ask: Ask, domain: string, reception: string): Promise<MatchInput> {
  const there = await lookUp<Exchange>(ask, domain, "MX");
  if (there === "unknown") return { state: "unknown", found: [] };
  const sorted = there
    .map(({ priority, exchange }) => ({ priority, host: exchange.replace(/\.$/, "").toLowerCase() }))
    .toSorted((one, other) => one.priority - other.priority);
  const found = sorted.map(({ priority, host }) => `${priority} ${host}.`);
  const [first] = sorted;
  if (!first) return { state: "missing", found };
  // RFC 7505: a null MX takes no mail at all.
  if (sorted.some(({ host }) => host === "")) return { state: "wrong", trouble: "no_mail", found };
  const best = sorted.filter(({ priority }) => priority === first.priority).map(({ host }) => host);
  if (best.includes(reception) || (await isSameHost(ask, best, reception))) return { state: "right", found };
  const isNamed = sorted.some(({ host }) => host === reception);
  return { state: "wrong", trouble: isNamed ? "not_first" : "other_host", found };
}

/** The reception may have another name too. */
async function isSameHost(ask: Ask, hosts: readonly string[], reception: string): Promise<boolean> {
  const [ours, ...theirs] = await Promise.all([reception, ...hosts].map((host) => addressesOf(ask, host)));
  const known = new Set(ours === "unknown" ? [] : ours);
  return theirs.some((each) => each !== "unknown" && each.some((address) => known.has(address)));
}

/** A long text comes in parts. */
async function texts(ask: Ask, name: string): Promise<Found<string>> {
  const found = await lookUp<string[]>(ask, name, "TXT");
  return found === "unknown" ? found : found.map((parts) => parts.join(""));
}

const isSpf = (text: string) => /^v=spf1( |$)/i.test(text);

async function sender(ask: Ask, { domain, relay }: Purpose): Promise<DnsRecord> {
  const value = relay === undefined ? "v=spf1 -all" : `v=spf1 a:${relay} -all`;
  const wanted = { kind: "spf", name: domain, type: "TXT", value, needed: true } as const;
  const there = await texts(ask, domain);
  if (there === "unknown") return { ...wanted, state: "unknown", found: [] };
  const found = there.filter(isSpf);
  const [record] = found;
  if (record === undefined) return { ...wanted, state: "missing", found };
  // RFC 7208 §4.5: of two records none counts.
  if (found.length > 1) return { ...wanted, state: "wrong", trouble: "many", found };
  if (/ \+?all( |$)/i.test(record)) return { ...wanted, state: "wrong", trouble: "open", found };
  if (relay === undefined) return { ...wanted, state: "right", found };
  if (/^v=spf1 +[-~?]all$/i.test(record.trim()))
    return { ...wanted, state: "wrong", trouble: "forbids", found };
  return (await lets(ask, domain, relay))
    ? { ...wanted, state: "right", found }
    : { ...wanted, state: "doubt", trouble: "relay", found };
}

/** Relays may send from other addresses than they receive at, so a no is a doubt; a relay in our own network is not checked. */
async function lets(ask: Ask, domain: string, relay: string): Promise<boolean> {
  const found = await addressesOf(ask, relay);
  const shown = found === "unknown" ? [] : found.filter((address) => !isLocal(address));
  if (shown.length === 0) return true;
  const results = await Promise.all(
    shown.map((ip) =>
      spf({
        ip,
        helo: relay,
        sender: `postmaster@${domain}`,
        mta: "localhost",
        maxElapsedTime: millisecondsMax,
        resolver: ask,
      }),
    ),
  );
  return results.some(({ status }) => status.result === "pass");
}

async function signature(ask: Ask, { name, value }: { name: string; value: string }): Promise<DnsRecord> {
  const wanted = { kind: "dkim", name, type: "TXT", value, needed: true } as const;
  const found = await texts(ask, name);
  if (found === "unknown") return { ...wanted, state: "unknown", found: [] };
  if (found.length === 0) return { ...wanted, state: "missing", found: [] };
  const isOurs = found.some((text) => keyIn(text) === keyIn(value));
  return isOurs
    ? { ...wanted, state: "right", found: [...found] }
    : { ...wanted, state: "wrong", trouble: "other_key", found: [...found] };
}

const keyIn = (record: string) => /(?:^|;)p=([^;]*)/.exec(record.replaceAll(/\s/g, ""))?.[1];

/** Only advised: without it receivers decide about forged mail. */
async function policy(ask: Ask, { domain, relay }: Purpose): Promise<DnsRecord> {
  const value =
    relay === undefined ? "v=DMARC1; p=reject" : `v=DMARC1; p=quarantine; rua=mailto:postmaster@${domain}`;
  const wanted = { kind: "dmarc", name: `_dmarc.${domain}`, type: "TXT", value, needed: false } as const;
  const there = await texts(ask, `_dmarc.${domain}`);
  if (there === "unknown") return { ...wanted, state: "unknown", found: [] };
  const found = there.filter((text) => /^v=DMARC1 *;/i.test(text));
  if (found.length === 0) return { ...wanted, state: "missing", found };
  return found.length > 1
    ? { ...wanted, state: "wrong", trouble: "many", found }
    : { ...wanted, state: "right", found };
}
