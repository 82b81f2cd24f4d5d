import { ADDRCONFIG, lookup as lookUpBySystem, type LookupAddress, promises as dns } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";

/** Says where messages may be sent: the addresses are given by strangers, and we stand inside the operator's network. */
export interface Guard {
  /** The address as it is called, or undefined when nothing is ever sent there. */
  accepts(text: string): URL | undefined;
  /** Resolves a host at the moment of connecting, and gives only addresses that may be connected to. */
  readonly lookup: LookupFunction;
}

/** TCP ports, each from one to another. */
export type Ports = readonly (readonly [first: number, last: number])[];

/** What the operator allows beyond public https addresses. */
export interface Allowed {
  /** Hosts, addresses and networks that may be called too, also by http (WEBHOOK_PRIVATE). */
  readonly beside: readonly string[];
  /** Ports beside 80 and 443 (WEBHOOK_PORTS). */
  readonly ports: Ports;
}

/** Every address of a name. */
export type Resolve = (hostname: string) => Promise<string[]>;

/** A host leads nowhere that may be called, or nowhere at all. */
export class NotPublic extends Error {
  override name = "NotPublic";
}

/** Answers virtual machines of one big host as their private metadata does, although it lies among the public addresses. */
const publicButLocal = new Set(["168.63.129.16"]);

/**
 * Opens a guard. Only public addresses are called, by https and at the ports of the web: at any other a message from here would
 * knock at somebody's door for whoever names it.
 *
 * The addresses that are checked are the ones that are connected to: a name that leads elsewhere a moment later is no way round.
 */
export function openGuard({ beside, ports }: Allowed, resolve: Resolve = resolveName): Guard {
  const isName = (entry: string) => isIP(entry.split("/")[0] ?? "") === 0;
  const names = new Set(beside.filter(isName).map((name) => name.toLowerCase()));
  const networks = beside.filter((entry) => !isName(entry)).map(networkOf);
  const isBeside = (address: string) => networks.some((network) => lies(address, network));
  const may = (address: string) => isPublic(address) || isBeside(address);

  const addresses = async (hostname: string): Promise<string[]> => {
    // The operator has named it, so it is what his machine says it is, by DNS or by its list of hosts.
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
      // By now the URL class has turned every other spelling of a number (0x7f.1, 2130706433) into the usual one.
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

/** Whether an address names no port, one of the web, or one that the operator allows. */
function isPortOf(ports: Ports, { port }: URL): boolean {
  if (port === "" || webPorts.has(port)) return true;
  return ports.some(([first, last]) => Number(port) >= first && Number(port) <= last);
}

const webPorts = new Set(["80", "443"]);

/** The host of an address without the brackets of IPv6. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "");
}

/** Whether an address belongs to the internet at large, and to nothing that a number could smuggle in (RFC 6890). */
export function isPublic(address: string): boolean {
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast" || publicButLocal.has(address)) return false;
  // All that is given out today lies here (RFC 4291 §2.4); what lies outside may one day mean anything.
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

// Not by the system's own way, which holds one of a few threads for as long as a slow name server likes.
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
