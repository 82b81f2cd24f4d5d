// Logs and counts failed log-ins, wrong codes and refused calls of the back office.
import type { Metric } from "./health.ts";
import type { RefusedCall } from "./platform/http/call.ts";

const kinds = ["login", "code", "admin"] as const;
type Kind = (typeof kinds)[number];

const passwordFaults = new Set<string>(["user not found", "invalid password"]);
const codeFaults = new Set<string>(["invalid code", "token expired"]);
const codeCalls = new Set(["activate", "changePassword"]);

interface Parts {
  readonly log: { info(details: object, message: string): void };
}

interface Refusals {
  readonly tell: (call: RefusedCall) => void;
  readonly metric: Metric;
}

export function openRefusals({ log }: Parts): Refusals {
  const counts = new Map<Kind, number>(kinds.map((kind) => [kind, 0]));
  return {
    tell: (call) => {
      const kind = kindOf(call);
      if (kind === undefined) return;
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      const { endpoint, value, caller, address, asked } = call;
      const account = caller ? `user ${caller.userId}` : asked?.["email"];
      log.info({ kind, call: endpoint.path, value, address, account }, "refused");
    },
    metric: { name: "postern_refused_total", labels: ["kind"], read: () => counts },
  };
}

function kindOf({ endpoint, value }: RefusedCall): Kind | undefined {
  if (endpoint.name === "authorize") return passwordFaults.has(value) ? "login" : undefined;
  if (codeCalls.has(endpoint.name)) return codeFaults.has(value) ? "code" : undefined;
  return endpoint.access === "admin" && refusedToStrangers.has(value) ? "admin" : undefined;
}

const refusedToStrangers = new Set<string>(["token", "no access", "token limit"]);
