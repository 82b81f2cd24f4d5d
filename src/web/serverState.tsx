import { QueryClient, QueryClientProvider, type UseQueryResult } from "@tanstack/react-query";
import { createContext, type ReactNode, use, useEffect, useEffectEvent, useMemo, useState } from "react";
import type { ShopEvent } from "../contract/events.ts";
import type { Refused } from "./api.ts";
import { followEventsInSomeTabs } from "./eventStream.ts";
import { EventCache } from "./eventCache.ts";
import { useToken } from "./session.ts";

/** Carries a refusal through a query, which knows failures only as exceptions. */
export class RefusedError extends Error {
  readonly refused: Refused<string>;

  constructor(refused: Refused<string>) {
    super(`refused: ${refused.value}`);
    this.refused = refused;
  }
}

/** The data of an answer, for query functions. Throws a refusal as RefusedError. */
export async function dataOf<Data>(
  answer: Promise<{ ok: true; data: Data } | Refused<string>>,
): Promise<Data> {
  const got = await answer;
  if (!got.ok) throw new RefusedError(got);
  return got.data;
}

/** The refusal of a failed query; any other error counts as `server`. */
export function refusedBy(error: Error | null): Refused<string> | undefined {
  if (error === null) return undefined;
  return error instanceof RefusedError ? error.refused : { ok: false, value: "server", more: {} };
}

/** The refusal of a polled query until the next answer; the library clears it at each retry, so the notice would flicker. */
export function useRefused({
  error,
  isFetching,
}: Pick<UseQueryResult, "error" | "isFetching">): Refused<string> | undefined {
  const [last, setLast] = useState<Error | null>(null);
  const now = isFetching ? (error ?? last) : error;
  if (now !== last) setLast(now);
  return refusedBy(now);
}

const Live = createContext(false);

/** Whether the event stream is connected, so that nothing must poll. */
export const useIsLive = (): boolean => use(Live);

type Listeners = Set<(event: ShopEvent) => void>;
const EventListeners = createContext<Listeners>(new Set());

export function useShopEvents(onEvent: (event: ShopEvent) => void): void {
  const listeners = use(EventListeners);
  const hear = useEffectEvent(onEvent);
  useEffect(() => {
    const listener = (event: ShopEvent) => hear(event);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, [listeners]);
}

/** Caches the server's answers for one session and updates them by events; a new token starts anew. */
export function ServerState({ children }: { children: ReactNode }) {
  const token = useToken();
  const client = useMemo(() => newClient(token), [token]);
  const [listeners] = useState<Listeners>(() => new Set());
  const isLive = useStream(client, token, listeners);
  return (
    <QueryClientProvider client={client}>
      <EventListeners value={listeners}>
        <Live value={isLive}>{children}</Live>
      </EventListeners>
    </QueryClientProvider>
  );
}

function useStream(client: QueryClient, token: string, listeners: Listeners): boolean {
  const [isLive, setLive] = useState(false);
  useEffect(() => {
    if (token === "") return undefined;
    const left = new AbortController();
    const cache = new EventCache(client);
    const follower = {
      onLive: setLive,
      onGap: () => cache.readAll(),
      onEvent: (event: ShopEvent) => {
        cache.apply(event);
        for (const listener of listeners) listener(event);
      },
    };
    followEventsInSomeTabs(token, follower, left.signal).catch((fault: unknown) => {
      if (!left.signal.aborted) reportError(fault);
    });
    return () => {
      left.abort();
      cache.close();
      setLive(false);
    };
  }, [client, token, listeners]);
  return isLive;
}

function newClient(_token: string): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // A poll retries anyway; a refusal would repeat.
        retry: false,
        staleTime: 1000,
        // Users mostly await a letter in another tab.
        refetchIntervalInBackground: true,
        // A shop on localhost answers without a network.
        networkMode: "always",
      },
      mutations: { networkMode: "always" },
    },
  });
}
