import { isIPv4 } from "node:net";

/** A network address without the prefix of an IPv4 client on an IPv6 socket (RFC 4291 §2.5.5.2). */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}

/** Whether a client's address is of this machine: its operator, or a proxy or relay in front of us. */
export function isLoopback(address: string): boolean {
  return isLocalNumber(plainAddress(address));
}

/** The same of a host that somebody has written into a setting or a command: by number, or by the one name that is safe. */
export function isLoopbackHost(host: string): boolean {
  return host === "localhost" || isLocalNumber(host);
}

// Only whole numbers count: 127.evil.example is a name, and anybody's.
function isLocalNumber(address: string): boolean {
  return address === "::1" || (isIPv4(address) && address.startsWith("127."));
}
