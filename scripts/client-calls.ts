// Writes src/client/calls.ts for the package and the pages without an import of the contract.
import { calls } from "../src/client/calls.ts";

export const callsModule = (): string => `import type { Call, CallName } from "./call.ts";

export const calls: Record<CallName, Call> = ${JSON.stringify(calls, null, 2)};
`;
