import { QueryClient, QueryClientProvider, type UseQueryResult } from "@tanstack/react-query";
import { createContext, type ReactNode, use, useEffect, useEffectEvent, useMemo, useState } from "react";
import type { ShopEvent } from "../contract/events.ts";
import type { Refused } from "./api.ts";
import { followEventsInSomeTabs } from "./eventStream.ts";
import { EventCache } from "./eventCache.ts";
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

/**
 * The refusal behind a query that is asked again and again, until it is answered. The library forgets it with each new try: the
 * notice came and went every few seconds, for eyes and ears, and took the focus of its button with it.
 */
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

/** Does the server tell by itself what happens? Then nothing has to be asked for again and again. */
export const useIsLive = (): boolean => use(Live);

type Listeners = Set<(event: ShopEvent) => void>;
const EventListeners = createContext<Listeners>(new Set());

/** Hears every event of the account, while the server tells them. */
export function useShopEvents(onEvent: (event: ShopEvent) => void): void {
  const listeners = use(EventListeners);
  const hear = useEffectEvent(onEvent);
  // The stream is outside React.
  useEffect(() => {
    const listener = (event: ShopEvent) => hear(event);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, [listeners]);
}

/** Keeps what the server said, for one session, and keeps it true: another token begins anew. */
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
  // The stream is outside React, and lives as long as the pages of the session.
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
