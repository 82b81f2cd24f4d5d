import { useEffect, useRef, useState } from "react";
import { invalidateAccount } from "../../session.ts";
import type { DocumentedCall } from "../calls.ts";
import { useDocsSession } from "../docsSession.tsx";
import { type CallInput, type CallResult, tryCall } from "./tryCall.ts";

interface RunningCall {
  isBusy: boolean;
  isLost: boolean;
  tried: CallResult | undefined;
  send: (given: CallInput) => Promise<void>;
  stop: () => void;
}

export function useCall(endpoint: DocumentedCall): RunningCall {
  const { token, noteOrder } = useDocsSession();
  const [isBusy, setBusy] = useState(false);
  const [isLost, setLost] = useState(false);
  const [tried, setTried] = useState<CallResult>();
  const running = useRef<AbortController>(undefined);
  // Leaving the page or folding the form aborts the call.
  useEffect(() => () => running.current?.abort(), []);

  const take = (answer: CallResult) => {
    setTried(answer);
    if (answer.outcome !== "success") return;
    const { id } = answer.body as { id?: string };
    const ordered = endpoint.name === "orderEmail" || endpoint.name === "reorderEmail";
    if (ordered && id !== undefined) noteOrder(id);
    if (endpoint.method === "POST" || endpoint.alsoPost) invalidateAccount();
  };
  const send = async (given: CallInput) => {
    const control = new AbortController();
    running.current?.abort();
    running.current = control;
    setBusy(true);
    setLost(false);
    setTried(undefined);
    try {
      await tryCall(endpoint, given, endpoint.access === "anyone" ? "" : token, control.signal, take);
    } catch {
      // Keeps what arrived; the page says that the reader stopped or the answer is lost.
      if (control.signal.aborted) setTried((last) => last && { ...last, isOpen: false });
      else setLost(true);
    }
    if (running.current === control) setBusy(false);
  };
  return { isBusy, isLost, tried, send, stop: () => running.current?.abort() };
}
