import type { Server } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import { BlockList, isIPv6, type Socket } from "node:net";
import { isLoopback, networksOf, plainAddress } from "../network-address.ts";

export const httpConnectionsMax = 20_000;

export interface ConnectionLimits {
  readonly perProcess: number;
  /** Open ones of a network. */
  readonly perNetwork: number;
  /** Of those, the ones that have sent no request yet. */
  readonly silentPerNetwork: number;
  /** Whether an address is counted: a proxy is not, as it brings everybody. */
  readonly isCounted: (address: string) => boolean;
}

/** Closes connections beyond the limits as soon as they are made. Answers those that have sent no request yet. */
export function limitConnections(server: Server, limits: ConnectionLimits): ReadonlySet<Socket> {
  const { perProcess, perNetwork, silentPerNetwork, isCounted } = limits;
  const silent = new Set<Socket>();
  const [opened, quiet] = [new Counts(perNetwork), new Counts(silentPerNetwork)];
  server.maxConnections = perProcess;
  server.on("connection", (socket: Socket) => {
    const address = socket.remoteAddress ?? "";
    silent.add(socket);
    socket.once("close", () => silent.delete(socket));
    if (!isCounted(address)) return;
    const isOver = [opened.add(address), quiet.add(address)].includes(true);
    ends.set(socket, () => quiet.remove(address));
    socket.once("close", () => {
      opened.remove(address);
      talks(socket);
    });
    if (isOver) socket.destroy();
  });
  const ends = new WeakMap<Socket, () => void>();
  const talks = (socket: Socket) => {
    ends.get(socket)?.();
    ends.delete(socket);
  };
  server.on("request", ({ socket }) => {
    silent.delete(socket);
    talks(socket);
  });
  return silent;
}

/** A turn of the loop in which hardly anything happened, and how many to wait for one. */
const calm = { ms: 0.3, turnsMax: 1_000 };

/**
 * Resolves right after the event loop has looked who came, and nobody did. To be awaited before a server is closed: the system resets
 * the connections that came since the last look, and a proxy may have sent a call over them already.
 */
export async function calmTurn(server: Server): Promise<void> {
  let came = 0;
  const count = () => void came++;
  server.on("connection", count);
  // The turn that is under way has looked before.
  await nextTurn();
  for (let turn = 0; turn < calm.turnsMax; turn++) {
    const [before, since] = [came, performance.now()];
    await nextTurn();
    if (came === before && performance.now() - since < calm.ms) break;
  }
  server.off("connection", count);
}

/** How many there are of each network of an address. */
class Counts {
  readonly #max: number;
  readonly #of = new Map<string, number>();

  constructor(max: number) {
    this.#max = max;
  }

  /** True beyond the limit of one of its networks. */
  add(address: string): boolean {
    const over = networksOf(address).map(({ network, times }) => {
      const count = (this.#of.get(network) ?? 0) + 1;
      this.#of.set(network, count);
      return count > this.#max * times;
    });
    return over.includes(true);
  }

  remove(address: string): void {
    for (const { network } of networksOf(address)) {
      const left = (this.#of.get(network) ?? 1) - 1;
      if (left > 0) this.#of.set(network, left);
      else this.#of.delete(network);
    }
  }
}

const named: Readonly<Record<string, readonly string[]>> = {
  loopback: ["127.0.0.0/8", "::1/128"],
  linklocal: ["169.254.0.0/16", "fe80::/10"],
  uniquelocal: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"],
};

/** Whether connections of an address are counted with TRUST_PROXY: those of this machine and of proxies are not. */
export function countedWith(trustProxy: boolean | readonly string[]): (address: string) => boolean {
  const isProxy = proxiesOf(trustProxy);
  return (address) => !isLoopback(plainAddress(address)) && !isProxy(address);
}

/** Whether an address is that of a proxy which TRUST_PROXY names. */
export function proxiesOf(trustProxy: boolean | readonly string[]): (address: string) => boolean {
  if (trustProxy === true) return () => true;
  const proxies = new BlockList();
  for (const entry of trustProxy === false ? [] : trustProxy.flatMap((entry) => named[entry] ?? [entry])) {
    const [net = "", bits] = entry.split("/");
    const family = isIPv6(net) ? "ipv6" : "ipv4";
    proxies.addSubnet(net, Number(bits ?? (family === "ipv6" ? 128 : 32)), family);
  }
  return (address) => {
    const plain = plainAddress(address);
    return proxies.check(plain, isIPv6(plain) ? "ipv6" : "ipv4");
  };
}
