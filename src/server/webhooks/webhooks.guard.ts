import { ADDRCONFIG, lookup as lookUpBySystem, type LookupAddress, promises as dns } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";

/** Users choose the URLs, and the shop is inside the operator's network (SSRF). */
export interface Guard {
  /** The parsed URL, or undefined when it is not allowed. */
  accepts(text: string): URL | undefined;
  /** Resolves a host at connection time, to allowed addresses only. */
  readonly lookup: LookupFunction;
}

export type Ports = readonly (readonly [first: number, last: number])[];

/** What the operator allows beside public https addresses. */
export interface Allowed {
  /** Hosts, addresses and networks, also by http (WEBHOOK_PRIVATE). */
  readonly beside: readonly string[];
  /** Ports beside 80 and 443 (WEBHOOK_PORTS). */
  readonly ports: Ports;
}

export type Resolve = (hostname: string) => Promise<string[]>;

/** A host has no address that is allowed. */
export class NotPublic extends Error {
  override name = "NotPublic";
}

/** Azure's metadata service for virtual machines, although it is a public address. */
const publicButLocal = new Set(["168.63.129.16"]);

/** Allows public addresses, https and web ports, against port scans. Connects to the checked addresses, against DNS rebinding. */
export function openGuard({ beside, ports }: Allowed, resolve: Resolve = resolveName): Guard {
  const isName = (entry: string) => isIP(entry.split("/")[0] ?? "") === 0;
  const names = new Set(beside.filter(isName).map((name) => name.toLowerCase()));
  const networks = beside.filter((entry) => !isName(entry)).map(networkOf);
  const isBeside = (address: string) => networks.some((network) => lies(address, network));
  const may = (address: string) => isPublic(address) || isBeside(address);

  const addresses = async (hostname: string): Promise<string[]> => {
    // The operator has named it, so the system resolves it, with its hosts file.
    if (names.has(hostname.toLowerCase())) return resolveBySystem(hostname);
    const found = await resolve(hostname);
    const allowed = found.filter(may);
    if (allowed.length === 0) throw new NotPublic(hostname);
    return allowed;
  };

  return {
    accepts(text) {
      const url = URL.parse(text);
      if (!url || url.username !== "" || url.password !== "") return undefined;
      const host = hostOf(url);
      // The URL class has already normalised other spellings of addresses (0x7f.1, 2130706433).
      const isNumber = isIP(host) !== 0;
      const isListed = isNumber ? isBeside(host) : names.has(host);
      if (url.protocol !== "https:" && !(url.protocol === "http:" && isListed)) return undefined;
      if (!isPortOf(ports, url)) return undefined;
      if (!isListed && !(isNumber ? isPublic(host) : host.includes("."))) return undefined;
      url.hash = "";
      return url;
    },
    lookup: (hostname, options, answer) => {
      const asked = options as { all?: boolean };
      addresses(hostname).then(
        (found) => {
          const list: LookupAddress[] = found.map((address) => ({ address, family: isIP(address) }));
          if (asked.all) answer(null, list);
          else answer(null, list[0]?.address ?? "", list[0]?.family);
        },
        (fault: unknown) => answer(fault as Error, []),
      );
    },
  };
}

function isPortOf(ports: Ports, { port }: URL): boolean {
  if (port === "" || webPorts.has(port)) return true;
  return ports.some(([first, last]) => Number(port) >= first && Number(port) <= last);
}

const webPorts = new Set(["80", "443"]);

export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "");
}

/** Whether an address is global unicast, and embeds no other address (RFC 6890). */
export function isPublic(address: string): boolean {
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast" || publicButLocal.has(address)) return false;
  // All global addresses assigned today (RFC 4291 §2.4).
  return parsed.kind() === "ipv4" || lies(address, ["2000::", 3]);
}

type Network = readonly [address: string, bits: number];

function networkOf(entry: string): Network {
  const [address = "", bits] = entry.split("/");
  return [address, bits === undefined ? (isIP(address) === 4 ? 32 : 128) : Number(bits)];
}

function lies(address: string, [network, bits]: Network): boolean {
  const parsed = ipaddr.parse(address);
  const other = ipaddr.parse(network);
  return parsed.kind() === other.kind() && parsed.match(other, bits);
}

const resolveSeconds = 5;

// Not by the system's resolver, which blocks one of few threads as long as a name server is slow.
async function resolveName(hostname: string): Promise<string[]> {
  const resolver = new dns.Resolver({ timeout: (resolveSeconds * 1_000) / 2, tries: 2 });
  const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  return found.flatMap((each) => (each.status === "fulfilled" ? each.value : []));
}

function resolveBySystem(hostname: string): Promise<string[]> {
  return new Promise((done, failed) => {
    lookUpBySystem(hostname, { all: true, hints: ADDRCONFIG }, (fault, found) => {
      if (fault) failed(new NotPublic(hostname, { cause: fault }));
      else done(found.map(({ address }) => address));
    });
  });
}
