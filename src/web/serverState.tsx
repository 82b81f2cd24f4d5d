import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useMemo } from "react";
import type { Refused } from "./api.ts";
import { useToken } from "./session.ts";

/** A no of the server inside a query, which knows failures only as thrown. */
export class RefusedError extends Error {
  readonly refused: Refused<string>;

  constructor(refused: Refused<string>) {
    super(`refused: ${refused.value}`);
    this.refused = refused;
  }
}

/** The data of an answer; a refusal is thrown as RefusedError. For query functions. */
export async function dataOf<Data>(
  answer: Promise<{ ok: true; data: Data } | Refused<string>>,
): Promise<Data> {
  const got = await answer;
  if (!got.ok) throw new RefusedError(got);
  return got.data;
}

/** The refusal behind a failed query; what was thrown otherwise counts as our own fault. */
export function refusedBy(error: Error | null): Refused<string> | undefined {
  if (error === null) return undefined;
  return error instanceof RefusedError ? error.refused : { ok: false, value: "server", more: {} };
}

/** Keeps what the server said, for one session: another token begins anew. */
export function ServerState({ children }: { children: ReactNode }) {
  const token = useToken();
  const client = useMemo(() => newClient(token), [token]);
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}

function newClient(_token: string): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // A poll is its own second try; a refusal would be refused again.
        retry: false,
        staleTime: 1000,
        // A letter is awaited in another tab than ours, as a rule.
        refetchIntervalInBackground: true,
        // A shop on this very machine answers without any network.
        networkMode: "always",
      },
      mutations: { networkMode: "always" },
    },
  });
}
