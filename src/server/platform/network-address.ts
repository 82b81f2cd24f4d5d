import { isIPv4, isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";

/** Removes the prefix of an IPv4 client on an IPv6 socket (RFC 4291 §2.5.5.2). */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}

export function isLoopback(address: string): boolean {
  return isLocalNumber(plainAddress(address));
}

/** For a host in a setting or a command: a number, or localhost. */
export function isLoopbackHost(host: string): boolean {
  return host === "localhost" || isLocalNumber(host);
}

/** The limit key of an address: itself, or the /64 of IPv6, the least that a household gets. */
export const networkOf = (address: string): string => widths(address)[0].network;

/** The networks that an address is counted in, from the narrow to the wide, and how many times the limit of the first each may take. */
export function networksOf(address: string): readonly Counted[] {
  return widths(address);
}

export interface Counted {
  readonly network: string;
  readonly times: number;
}

function widths(address: string): readonly [Counted, ...Counted[]] {
  const plain = plainAddress(address);
  if (!isIPv6(plain)) return [{ network: plain, times: 1 }];
  const [head = "", tail] = plain.split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => "0");
  const [one = 0, two = 0, three = 0, four = 0] = [...before, ...zeros, ...after].map((group) =>
    Number.parseInt(group, 16),
  );
  const written = (...groups: number[]) => groups.map((group) => group.toString(16)).join(":");
  return [
    { network: written(one, two, three, four), times: 1 },
    // What a provider gives a household or a tunnel: 256 and 65,536 networks of the first kind.
    { network: `${written(one, two, three, four & 0xff00)}/56`, times: 4 },
    { network: `${written(one, two, three)}/48`, times: 16 },
  ];
}

const local = new Set(["loopback", "private", "linkLocal", "uniqueLocal", "carrierGradeNat", "unspecified"]);

/** Whether an address is of this machine or its network (RFC 6890), so that it identifies nobody. True for what is no address. */
export function isLocal(address: string): boolean {
  const plain = plainAddress(address);
  return !ipaddr.isValid(plain) || local.has(ipaddr.parse(plain).range());
}

// 127.evil.example is a name, so only whole numbers count.
function isLocalNumber(address: string): boolean {
  return address === "::1" || (isIPv4(address) && address.startsWith("127."));
}

/** A host with its port (imap.example.com:993, [::1]:143), in lower case; undefined when it is none. */
export function readHostPort(text: string): { host: string; port: number } | undefined {
  const [, six, name, digits] = /^(?:\[([0-9a-f:]+)\]|([a-z0-9.-]+)):([0-9]{1,5})$/i.exec(text) ?? [];
  const host = six ?? name;
  const port = Number(digits);
  if (host === undefined || port < 1 || port > 65_535) return undefined;
  return { host: host.toLowerCase(), port };
}
