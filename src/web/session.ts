import { useSyncExternalStore } from "react";
import { navigate } from "wouter/use-browser-location";
import { languageOf } from "./language.tsx";
import { paths } from "./paths.ts";
import { stored, useStored } from "./stored.ts";

/** The token of the session; empty without one, and always empty while the server renders. */
export const useToken = (): string => useStored(stored.authToken)[0];

/** Begins a session. */
export function signIn(token: string): void {
  stored.authToken.write(token);
}

const endListeners = new Set<() => void>();

/** Calls back when the server no longer knows the token of the session, until the returned function is called. */
export function onSessionEnded(listener: () => void): () => void {
  endListeners.add(listener);
  return () => void endListeners.delete(listener);
}

/** The server no longer knows the token: the session is over (spec B §4), and whoever worked in it is told. */
export function endSession(): void {
  signOut();
  for (const listener of endListeners) listener();
}

/** Ends the session and goes home. */
export function signOut(): void {
  stored.authToken.remove();
  stored.activationResendTime.remove();
  navigate(paths.home(languageOf(location.pathname)));
}

let revision = 0;
const listeners = new Set<() => void>();

/** Says that the account changed (activated, topped up): whoever shows it asks the server anew. */
export function invalidateAccount(): void {
  revision++;
  for (const listener of listeners) listener();
}

/** A number that grows with each touchAccount; put it into the key of what shows the account. */
export const useAccountRevision = (): number =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => revision,
    () => 0,
  );
