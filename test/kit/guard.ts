// Loaded first (`--import`) in each process and thread under test: refuses connections to other machines, so that tests
// work without a network and reach no foreign server.
import dgram from "node:dgram";
import dns from "node:dns";
import { appendFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import net, { isIP, type LookupFunction } from "node:net";
import { fileURLToPath } from "node:url";
import { isMainThread } from "node:worker_threads";

export interface Guard {
  name: () => string;
  /** Takes a refusal; undefined: appends it to the run's file. */
  note: ((refusal: string) => void) | undefined;
}

/** Environment variable: the file of refusals. */
export const noteVariable = "POSTERN_GUARD_NOTES";

/** Environment variable: the test file of a process or thread. */
export const fileVariable = "POSTERN_GUARD_FILE";

const compiled = fileURLToPath(new URL("../../.cache/compiled", import.meta.url));

/** The environment of a guarded process. With the cache a program of ours starts in half of the processor time. */
export function guarded(): Record<string, string> {
  const told = [noteVariable, fileVariable].map((name) => [name, process.env[name] ?? ""]);
  return {
    NODE_OPTIONS: `--import=${import.meta.url}`,
    NODE_COMPILE_CACHE: compiled,
    ...Object.fromEntries(told),
  };
}

type Call = (this: object, ...args: unknown[]) => unknown;
type Calls = Record<string, Call>;

const key = Symbol.for("postern.guard");
const place = globalThis as { [key]?: Guard };

/** One per thread, however often this file is loaded. */
export const guard: Guard = (place[key] ??= install());

function install(): Guard {
  const made: Guard = { name: nameOfProcess, note: undefined };
  guardSockets();
  guardDatagrams();
  guardLookup();
  guardResolvers();
  // Named imports are guarded too.
  syncBuiltinESMExports();
  return made;
}

function nameOfProcess(): string {
  const program = process.argv.slice(1).join(" ");
  return `${isMainThread ? "" : "a thread of "}${program} (${process.env[fileVariable] ?? ""})`;
}

function refuse(what: string): Error {
  const { name, note = noteInFile } = guard;
  const refusal = `${name()} may not reach ${what}`;
  note(refusal);
  return Object.assign(new Error(`${refusal}: tests stay on this machine`), { code: "ENETUNREACH" });
}

function noteInFile(refusal: string): void {
  const file = process.env[noteVariable];
  if (!file) console.error(refusal);
  else appendFileSync(file, `${refusal}\n`);
}

const here = new net.BlockList();
here.addSubnet("127.0.0.0", 8);
here.addAddress("::1", "ipv6");
// An unspecified address is the own machine.
here.addAddress("0.0.0.0");
here.addAddress("::", "ipv6");

function isHere(host: string): boolean {
  const family = isIP(host);
  if (family !== 0) return here.check(host, family === 4 ? "ipv4" : "ipv6");
  return /(^|\.)localhost\.?$/i.test(host);
}

function guardSockets(): void {
  const calls = net.Socket.prototype as unknown as Calls;
  const connect = calls["connect"]!;
  calls["connect"] = function (...args) {
    // node passes its own arguments as a marked list.
    const list = Array.isArray(args[0]) ? (args[0] as unknown[]) : args;
    if (typeof list[0] !== "object") {
      const isPort = Number.isInteger(Number(list[0]));
      const host = isPort ? list[1] : undefined;
      if (typeof host === "string" && !isHere(host)) return refuseSocket(this as net.Socket, host);
      return connect.apply(this, args);
    }
    const options = list[0] as { path?: string; host?: string; lookup?: LookupFunction };
    const { path, host = "localhost", lookup } = options;
    if (path !== undefined || isHere(host)) return connect.apply(this, args);
    if (isIP(host) !== 0 || lookup === undefined) return refuseSocket(this as net.Socket, host);
    list[0] = { ...options, lookup: guardedLookup(lookup) };
    return connect.apply(this, args);
  };
}

function refuseSocket(socket: net.Socket, what: string): net.Socket {
  const fault = refuse(what);
  process.nextTick(() => socket.destroy(fault));
  return socket;
}

const guardedLookup =
  (lookup: LookupFunction): LookupFunction =>
  (hostname, options, answer) =>
    lookup(hostname, options, (fault, found, family) => {
      const addresses = Array.isArray(found) ? found.map(({ address }) => address) : [found];
      const away = fault ? undefined : addresses.find((address) => !isHere(address));
      if (away === undefined) answer(fault, found, family);
      else answer(refuse(`${hostname} at ${away}`), []);
    });

function guardDatagrams(): void {
  const calls = dgram.Socket.prototype as unknown as Calls;
  for (const name of ["send", "connect"]) {
    const call = calls[name]!;
    calls[name] = function (...args) {
      const address = args.slice(1).find((each) => typeof each === "string");
      if (address !== undefined && !isHere(address)) throw refuse(address);
      return call.apply(this, args);
    };
  }
}

function guardLookup(): void {
  for (const calls of [dns, dns.promises] as unknown as Calls[]) {
    // An IP address needs no lookup.
    replace(calls, "lookup", (_, host) => isIP(host) !== 0 || isHere(host));
    replace(calls, "lookupService", (_, host) => isHere(host));
  }
}

/** Only name servers on this machine may be asked. */
function guardResolvers(): void {
  const asksHere = new WeakSet<object>();
  const questions = Object.keys(dns).filter((name) => /^(resolve|reverse)/.test(name));
  for (const { Resolver } of [dns, dns.promises]) {
    const calls = Resolver.prototype as unknown as Calls;
    const setServers = calls["setServers"]!;
    calls["setServers"] = function (...args) {
      const servers = args[0] as string[];
      const hosts = servers.map((server) =>
        isIP(server) ? server : server.replace(/^\[?(.+?)\]?:\d+$/, "$1"),
      );
      if (hosts.every(isHere)) asksHere.add(this);
      else asksHere.delete(this);
      return setServers.apply(this, args);
    };
    for (const name of questions) replace(calls, name, (asker, host) => asksHere.has(asker) || isHere(host));
  }
  for (const calls of [dns, dns.promises] as unknown as Calls[]) {
    for (const name of questions) replace(calls, name, (_, host) => isHere(host));
  }
}

/** Refuses a lookup by its callback or a promise. */
function replace(calls: Calls, name: string, may: (asker: object, host: string) => boolean): void {
  const call = calls[name];
  if (call === undefined) return;
  calls[name] = function (...args) {
    const host = String(args[0]);
    if (may(this, host)) return call.apply(this, args);
    const fault = refuse(`a name server for ${host}`);
    const answer = args.at(-1);
    if (typeof answer !== "function") return Promise.reject(fault);
    return process.nextTick(answer as (fault: Error) => void, fault);
  };
}
