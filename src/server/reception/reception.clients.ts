import { networkOf } from "../platform/network-address.ts";
import { now } from "../platform/clock.ts";

export interface ClientLimits {
  connectionsPerAddress: number;
  /** Refused commands in a minute from one address: more is guessing of addresses. */
  errorsPerMinute: number;
  /** Letters to the postmaster in an hour from one address. */
  postmasterPerAddress: number;
  /** … and from all addresses, so that many addresses cannot fill the disk. */
  postmasterPerHour: number;
}

/** Limits per client address: connections, refusals, letters to the postmaster. A /64 of IPv6 counts as one. */
export interface Clients {
  /** False when the address holds too many connections or was refused too often. */
  enter(session: string, address: string): boolean;
  leave(session: string): void;
  /** Counts a refusal; true beyond the limit of a minute. */
  refused(address: string): boolean;
  /** Whether one more letter to the postmaster is allowed. Counts nothing: RCPT is no letter yet. */
  mayTellPostmaster(address: string): boolean;
  tellPostmaster(address: string): boolean;
}

const minute = 60_000;
const hour = 60 * minute;

/** Counts in memory, a bounded number of addresses; `isTrusted` ones without limits. */
export function welcome(limits: ClientLimits, isTrusted: (address: string) => boolean): Clients {
  const sessions = new Map<string, string>();
  const connections = new Map<string, number>();
  const errors = new Count(minute);
  const postmaster = new Count(hour);
  const isWorn = (network: string) => errors.of(network) >= limits.errorsPerMinute;
  const mayTellPostmaster = (address: string): boolean => {
    const isMuch = !isTrusted(address) && postmaster.of(networkOf(address)) >= limits.postmasterPerAddress;
    return !isMuch && postmaster.of(everybody) < limits.postmasterPerHour;
  };

  return {
    enter(session, address) {
      const network = networkOf(address);
      const open = (connections.get(network) ?? 0) + 1;
      if (!isTrusted(address) && (open > limits.connectionsPerAddress || isWorn(network))) return false;
      sessions.set(session, network);
      connections.set(network, open);
      return true;
    },
    leave(session) {
      const network = sessions.get(session);
      if (network === undefined) return;
      sessions.delete(session);
      const left = (connections.get(network) ?? 1) - 1;
      if (left > 0) connections.set(network, left);
      else connections.delete(network);
    },
    refused(address) {
      if (isTrusted(address)) return false;
      const network = networkOf(address);
      errors.add(network);
      return isWorn(network);
    },
    mayTellPostmaster,
    tellPostmaster(address) {
      if (!mayTellPostmaster(address)) return false;
      postmaster.add(networkOf(address));
      postmaster.add(everybody);
      return true;
    },
  };
}

const everybody = "everybody";
const namesMax = 10_000;

class Count {
  readonly #milliseconds: number;
  readonly #counted = new Map<string, { count: number; since: number }>();

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  of(name: string): number {
    return this.#at(name)?.count ?? 0;
  }

  add(name: string): void {
    const { count, since } = this.#at(name) ?? { count: 0, since: now().getTime() };
    this.#counted.delete(name);
    this.#counted.set(name, { count: count + 1, since });
    const [oldest] = this.#counted.keys();
    if (this.#counted.size > namesMax && oldest !== undefined) this.#counted.delete(oldest);
  }

  #at(name: string): { count: number; since: number } | undefined {
    const counted = this.#counted.get(name);
    return counted && now().getTime() - counted.since < this.#milliseconds ? counted : undefined;
  }
}
