import { useSyncExternalStore } from "react";
import { navigate } from "wouter/use-browser-location";
import { languageOf } from "./language.tsx";
import { paths } from "./paths.ts";
import { stored, useStored } from "./stored.ts";

/** The session's token; empty without one and while the server renders. */
export const useToken = (): string => useStored(stored.authToken)[0];

export function signIn(token: string): void {
  stored.authToken.write(token);
  stored.hasAccount.write(true);
}

const endListeners = new Set<() => void>();

/** Calls `listener` when the session ends by a refused token; returns the unsubscribe function. */
export function onSessionEnded(listener: () => void): () => void {
  endListeners.add(listener);
  return () => void endListeners.delete(listener);
}

/** Ends the session after a refused token (spec B §4) and calls the listeners. */
export function endSession(): void {
  signOut();
  for (const listener of endListeners) listener();
}

export function signOut(): void {
  stored.authToken.remove();
  stored.activationResendTime.remove();
  stored.waitingPurchase.remove();
  navigate(paths.home(languageOf(location.pathname)));
}

let revision = 0;
const listeners = new Set<() => void>();

/** Makes the account's components reload it, after an activation or a top-up. */
export function invalidateAccount(): void {
  revision++;
  for (const listener of listeners) listener();
}

/** Grows with each invalidateAccount; use it in the query key of the account. */
export const useAccountRevision = (): number =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => revision,
    () => 0,
  );
