// How each call is made. The pages and the package get the finished table instead (scripts/client-calls.ts), without the schemas.
import { endpoints } from "../contract/api.ts";
import type { Endpoint } from "../contract/endpoint.ts";
import type { Call, CallName } from "./call.ts";

export const calls = Object.fromEntries(
  Object.values(endpoints).map((declared: Endpoint) => [declared.name, callOf(declared)]),
) as Record<CallName, Call>;

function callOf(declared: Endpoint): Call {
  const { path, access, method, timeoutSeconds } = declared;
  const hasBody = method !== "GET" || declared.alsoPost === true;
  const send = declared.file ? "file" : (declared.body ?? "form");
  const repeat = repeatOf(declared, hasBody);
  return {
    path,
    access,
    ...(hasBody && { send }),
    ...(method === "PUT" && { method }),
    ...(repeat && { repeat }),
    ...(timeoutSeconds !== undefined && { timeoutSeconds }),
  };
}

function repeatOf({ reads, idempotent, ask }: Endpoint, hasBody: boolean): Call["repeat"] {
  if (!hasBody || reads) return "read";
  if ("client_order_id" in ask) return "key";
  return idempotent ? "once" : undefined;
}
