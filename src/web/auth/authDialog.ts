import { useSyncExternalStore } from "react";

export type AuthMode = "login" | "register" | "activate" | "reset";

/** A new object for each ask, so that a dialog that could not be loaded is loaded at the next. */
let asked: { readonly mode: AuthMode } | undefined;
const listeners = new Set<() => void>();

/** Opens the sign-in dialog in one of its modes; every page may. */
export function openAuth(mode: AuthMode = "login"): void {
  change(mode);
}

/** Closes it; the next opening begins with sign-in again. */
export function closeAuth(): void {
  change(undefined);
}

/** The last ask to open the dialog; undefined while it is closed. */
export const useAskedAuth = (): { readonly mode: AuthMode } | undefined =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => asked,
    () => undefined,
  );

function change(mode: AuthMode | undefined) {
  asked = mode && { mode };
  for (const listener of listeners) listener();
}
