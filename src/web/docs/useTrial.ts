import { useEffect, useRef, useState } from "react";
import type { Endpoint } from "../../contract/endpoint.ts";
import { signIn, touchAccount } from "../session.ts";
import { useReader } from "./reader.tsx";
import { type Given, type Tried, tryCall } from "./trying.ts";

interface Trial {
  isBusy: boolean;
  /** No answer came. */
  isLost: boolean;
  tried: Tried | undefined;
  send: (given: Given) => Promise<void>;
  stop: () => void;
}

/** One call that is tried, at most once at a time. */
export function useTrial(endpoint: Endpoint): Trial {
  const { token, isSignedIn, noteOrder } = useReader();
  const [isBusy, setBusy] = useState(false);
  const [isLost, setLost] = useState(false);
  const [tried, setTried] = useState<Tried>();
  const running = useRef<AbortController>(undefined);
  // Who leaves the page, or folds the form away, waits no longer.
  useEffect(() => () => running.current?.abort(), []);

  const take = (answer: Tried) => {
    setTried(answer);
    if (answer.outcome !== "success") return;
    const { id, data } = answer.body as { id?: string; data?: { token?: string } };
    const ordered = endpoint.name === "orderEmail" || endpoint.name === "reorderEmail";
    if (ordered && id !== undefined) noteOrder(id);
    // The session goes on with the token that it was just given.
    if (endpoint.name === "replaceToken" && isSignedIn && data?.token) signIn(data.token);
    if (endpoint.method === "POST" || endpoint.alsoPost) touchAccount();
  };
  const send = async (given: Given) => {
    const control = new AbortController();
    running.current?.abort();
    running.current = control;
    setBusy(true);
    setLost(false);
    setTried(undefined);
    try {
      await tryCall(endpoint, given, endpoint.access === "anyone" ? "" : token, control.signal, take);
    } catch {
      // Stopped by the reader, or nothing came: both are said on the page.
      if (control.signal.aborted) setTried((last) => last && { ...last, isOpen: false });
      else setLost(true);
    }
    if (running.current === control) setBusy(false);
  };
  return { isBusy, isLost, tried, send, stop: () => running.current?.abort() };
}
