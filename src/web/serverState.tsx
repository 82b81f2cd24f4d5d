import { QueryClient, QueryClientProvider, type UseQueryResult } from "@tanstack/react-query";
import {
  createContext,
  Fragment,
  type ReactNode,
  use,
  useEffect,
  useEffectEvent,
  useMemo,
  useState,
  useSyncExternalStore,
} from "react";
import type { ShopEvent } from "../contract/events.ts";
import type { Refused } from "./api.ts";
import { followEventsInSomeTabs } from "./eventStream.ts";
import { EventCache } from "./eventCache.ts";
import { useToken } from "./session.ts";
import { makeListeners } from "./ui/listeners.ts";

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

/** The answers cached for one token and the event stream that updates them; shared by all parts of the page. */
class Session {
  readonly token: string;
  readonly client = newClient();
  readonly happened = makeListeners<[event: ShopEvent]>();
  isLive = false;
  readonly liveChanged = makeListeners();
  #users = 0;
  #left: AbortController | undefined;

  constructor(token: string) {
    this.token = token;
  }

  /** Keeps the stream open until the returned function is called; the last one ends the session. */
  use(): () => void {
    if (this.#users++ === 0) this.#open();
    return () => {
      if (--this.#users === 0) this.#close();
    };
  }

  #open() {
    if (this.token === "") return;
    const left = new AbortController();
    this.#left = left;
    const cache = new EventCache(this.client);
    left.signal.addEventListener("abort", () => cache.close());
    const follower = {
      onLive: (isLive: boolean) => this.#tell(isLive),
      onGap: () => cache.readAll(),
      onEvent: (event: ShopEvent) => {
        cache.apply(event);
        this.happened.tell(event);
      },
    };
    followEventsInSomeTabs(this.token, follower, left.signal).catch((fault: unknown) => {
      if (!left.signal.aborted) reportError(fault);
    });
  }

  #close() {
    if (current === this) current = undefined;
    this.#left?.abort();
    this.#tell(false);
  }

  #tell(isLive: boolean) {
    this.isLive = isLive;
    this.liveChanged.tell();
  }
}

let current: Session | undefined;

function sessionOf(token: string): Session {
  if (current?.token !== token) current = new Session(token);
  return current;
}

const SessionContext = createContext(new Session(""));

/** Whether the event stream is connected, so that nothing must poll. */
export function useIsLive(): boolean {
  const session = use(SessionContext);
  return useSyncExternalStore(
    session.liveChanged.add,
    () => session.isLive,
    () => false,
  );
}

export function useShopEvents(onEvent: (event: ShopEvent) => void): void {
  const { happened } = use(SessionContext);
  const hear = useEffectEvent(onEvent);
  useEffect(() => happened.add((event) => hear(event)), [happened]);
}

/** Provides the server's answers for the session, updated by events. A new token renews all below: queries keep their first client. */
export function ServerState({ children }: { children: ReactNode }) {
  const token = useToken();
  const session = useMemo(() => sessionOf(token), [token]);
  useEffect(() => {
    current = session;
    return session.use();
  }, [session]);
  return (
    <QueryClientProvider client={session.client}>
      <SessionContext value={session}>
        <Fragment key={token}>{children}</Fragment>
      </SessionContext>
    </QueryClientProvider>
  );
}

function newClient(): QueryClient {
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
