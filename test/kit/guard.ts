// node loads this first (`--import`) in each process and thread under test: none of them reaches another machine, so that
// tests prove the same with and without a network, and no test asks anything of somebody else's server.
import dgram from "node:dgram";
import dns from "node:dns";
import { appendFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import net, { isIP, type LookupFunction } from "node:net";
import { isMainThread } from "node:worker_threads";

/** What the guard of this thread is told, and has refused. */
export interface Guard {
  /** Names who is at work. */
  name: () => string;
  /** Takes what was refused; undefined: it is written to the file that the run looks at when it ends. */
  note: ((refusal: string) => void) | undefined;
}

/** The environment variable with the file in which refusals are noted. */
export const noteVariable = "POSTERN_GUARD_NOTES";

/** The environment variable with the test file for which a process or a thread works. */
export const fileVariable = "POSTERN_GUARD_FILE";

/** What a process is started with, so that it is guarded as well. */
export function guarded(): Record<string, string> {
  const told = [noteVariable, fileVariable].map((name) => [name, process.env[name] ?? ""]);
  return { NODE_OPTIONS: `--import=${import.meta.url}`, ...Object.fromEntries(told) };
}

type Call = (this: object, ...args: unknown[]) => unknown;
type Calls = Record<string, Call>;

const key = Symbol.for("postern.guard");
const place = globalThis as { [key]?: Guard };

/** The guard of this thread: one, however often this file is loaded. */
export const guard: Guard = (place[key] ??= install());

function install(): Guard {
  const made: Guard = { name: nameOfProcess, note: undefined };
  guardSockets();
  guardDatagrams();
  guardLookup();
  guardResolvers();
  // What is imported by name is the guarded one too.
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
// Who connects to no address in particular reaches its own machine.
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
    // node itself hands over its arguments in order, as a list that it marks.
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
    // A name may lead here by a way of its own; where it leads is seen when it is looked up.
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
    // Nobody is asked what the address of an address is.
    replace(calls, "lookup", (_, host) => isIP(host) !== 0 || isHere(host));
    replace(calls, "lookupService", (_, host) => isHere(host));
  }
}

/** Name servers on this machine may be asked for any name; those of its settings ask others. */
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

/** Refuses a question for a name unless it may be asked, by the callback that came with it or by a promise. */
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
