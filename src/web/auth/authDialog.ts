import { useSyncExternalStore } from "react";

export type AuthMode = "login" | "register" | "activate" | "reset";

let open: AuthMode | undefined;
const listeners = new Set<() => void>();

/** Opens the sign-in dialog in one of its modes; every page may. */
export function openAuth(mode: AuthMode = "login"): void {
  change(mode);
}

/** Closes it; the next opening begins with sign-in again. */
export function closeAuth(): void {
  change(undefined);
}

/** The mode in which the dialog is open; undefined while it is closed. */
export const useAuthMode = (): AuthMode | undefined =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => open,
    () => undefined,
  );

function change(mode: AuthMode | undefined) {
  open = mode;
  for (const listener of listeners) listener();
}
