import { isIP } from "node:net";
import type { FastifyRequest } from "fastify";
import { isLocal, isLoopback } from "../network-address.ts";

/** Of callers whose own address is not known: they are counted as one. */
const unknown = "0.0.0.0";

type Asking = Pick<FastifyRequest, "headers" | "ip" | "ips">;

export const isForwarded = ({ headers }: Pick<Asking, "headers">): boolean =>
  headers["x-forwarded-for"] !== undefined || headers.forwarded !== undefined;

/** Whether a proxy of this machine or its network passed a call on that TRUST_PROXY does not name. */
export const isByUntrustedProxy = (request: Asking): boolean =>
  isForwarded(request) && (request.ips?.length ?? 1) === 1 && isLocal(request.ip);

/** The address that a call is counted for, as far as TRUST_PROXY allows. The only place that reads it. */
export function addressOf(request: Asking): string {
  // Taken for the machine itself, every visitor of such a proxy would be without limits.
  if (isLoopback(request.ip) && isByUntrustedProxy(request)) return unknown;
  const address = withoutPort(request.ip);
  return isIP(address) === 0 ? unknown : address;
}

/** Some proxies write the port too: each connection would have limits of its own. */
function withoutPort(text: string): string {
  const [, six, four] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(text) ?? [];
  return six ?? four ?? text;
}
