// src/client/calls.ts as the package and the pages have it: the table that the contract makes, with nothing to import of it.
import { calls } from "../src/client/calls.ts";

/** The text of the module. */
export const callsModule = (): string => `import type { Call, CallName } from "./call.ts";

export const calls: Record<CallName, Call> = ${JSON.stringify(calls, null, 2)};
`;
