import type { Asking, Endpoint, Reply } from "../../../contract/endpoint.ts";
import { plainIds } from "../ids.ts";
import { type Caller, Limited, Refused, type Route } from "./answer.ts";
import { barredFrom, type CallHooks, handling, readAsked } from "./call.ts";
import { showIds } from "./shown-ids.ts";

/** Runs a call within the process for a known user whom a chat has asked, with the checks of parameters, access and rate. */
export type Ask = <E extends Endpoint>(
  endpoint: E,
  asked: Asking<E>,
  caller: Caller,
) => Promise<Reply<E> | Refused | Limited>;

const facts = {
  address: "127.0.0.1",
  isByUntrustedProxy: false,
  idempotencyKey: undefined,
  userAgent: undefined,
  file: undefined,
  cookie: () => undefined,
  isValid: async () => true,
  gone: new AbortController().signal,
};

export function openAsk(
  routes: readonly Route[],
  { admit, changed, ids = plainIds }: Omit<CallHooks, "callerOf">,
): Ask {
  const known = new Map(routes.map((route) => [route.endpoint.name, route]));
  return async (endpoint, given, caller) => {
    const route = known.get(endpoint.name);
    if (!route) throw new Error(`nothing answers ${endpoint.name}`);
    const wait = await admit(`user ${caller.userId}`);
    if (wait !== undefined) return new Limited(wait);
    const barred = barredFrom(endpoint, caller, { asked: true });
    if (barred) return barred;
    const asked = readAsked(endpoint, given, ids);
    if (asked instanceof Refused) return asked;
    const outcome = await handling(
      endpoint,
      { caller, changed },
      async () => (await route.handle(asked, caller, facts)) as Reply<typeof endpoint> | Refused | Limited,
    );
    return outcome instanceof Refused || outcome instanceof Limited
      ? outcome
      : showIds(endpoint.reply, outcome, ids);
  };
}
