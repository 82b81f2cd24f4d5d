import { now } from "../kit/clock.ts";

export interface GuestLimits {
  /** Connections open at once from one address. */
  connectionsPerAddress: number;
  /** Refused commands in a minute from one address: more is somebody who guesses addresses. */
  errorsPerMinute: number;
}

/** What each address that speaks to us does: how many connections it holds and how often it was refused. */
export interface Guests {
  /** Counts a connection in; false when the address holds too many or was refused too often. */
  enter(session: string, address: string): boolean;
  /** Counts a connection out; a session that never entered is nothing. */
  leave(session: string): void;
  /** Counts a refusal; true when the address has used up what is borne in a minute. */
  refused(address: string): boolean;
}

const addressesMax = 10_000;
const windowMilliseconds = 60_000;

/** Keeps count in memory, of a bounded number of addresses. Those for which `isTrusted` says so are never limited. */
export function welcome(limits: GuestLimits, isTrusted: (address: string) => boolean): Guests {
  const sessions = new Map<string, string>();
  const connections = new Map<string, number>();
  const errors = new Map<string, { count: number; since: number }>();

  const errorsOf = (address: string) => {
    const counted = errors.get(address);
    return counted && now().getTime() - counted.since < windowMilliseconds ? counted : undefined;
  };
  const isWorn = (address: string) => (errorsOf(address)?.count ?? 0) >= limits.errorsPerMinute;

  return {
    enter(session, address) {
      const open = (connections.get(address) ?? 0) + 1;
      if (!isTrusted(address) && (open > limits.connectionsPerAddress || isWorn(address))) return false;
      sessions.set(session, address);
      connections.set(address, open);
      return true;
    },
    leave(session) {
      const address = sessions.get(session);
      if (address === undefined) return;
      sessions.delete(session);
      const left = (connections.get(address) ?? 1) - 1;
      if (left > 0) connections.set(address, left);
      else connections.delete(address);
    },
    refused(address) {
      if (isTrusted(address)) return false;
      const counted = errorsOf(address) ?? { count: 0, since: now().getTime() };
      // Deleted and set again, so that the map stays in the order of age and the oldest can go first.
      errors.delete(address);
      errors.set(address, { ...counted, count: counted.count + 1 });
      const [oldest] = errors.keys();
      if (errors.size > addressesMax && oldest !== undefined) errors.delete(oldest);
      return isWorn(address);
    },
  };
}
