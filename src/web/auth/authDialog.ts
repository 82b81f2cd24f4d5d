import { useSyncExternalStore } from "react";
import { pageOf } from "../paths.ts";
import { stored } from "../stored.ts";
import { claimAutoOpen } from "../ui/dialog/autoOpen.ts";

export type AuthMode = "login" | "register" | "activate" | "reset";

/** What was asked of the dialog. */
export interface AuthRequest {
  readonly mode: AuthMode;
  /** The address that a sign-in leads to in place of the dashboard. */
  readonly to?: string | undefined;
  /** The address that was typed or is known already. */
  readonly email?: string | undefined;
}

/** A new object for each ask, so that a dialog that could not be loaded is loaded at the next. */
let asked: AuthRequest | undefined;
let releaseAutoOpen: (() => void) | undefined;
const listeners = new Set<() => void>();

/** Opens the sign-in dialog in one of its modes; every page may. What was asked before it changed its mode stays. */
export function openAuth(mode: AuthMode = "login", more: Omit<AuthRequest, "mode"> = {}): void {
  releaseAutoOpen ??= claimAutoOpen();
  change({ mode, to: more.to ?? asked?.to ?? ownAddress(), email: more.email ?? asked?.email });
}

/** Closes it; the next opening begins with sign-in again. Without a session the choice of the home page is given up with it. */
export function closeAuth(): void {
  if (asked !== undefined && stored.authToken.read() === "") stored.pendingEmailRequest.remove();
  change(undefined);
  releaseAutoOpen?.();
  releaseAutoOpen = undefined;
}

export const isAuthOpen = (): boolean => asked !== undefined;

/** Where to go after signing in, where that is not the dashboard. */
export const addressAfterSignIn = (): string | undefined => asked?.to;

/** Whoever signs in at a page of the back office wants to be there. */
function ownAddress(): string | undefined {
  const page = pageOf(location.pathname);
  return page === "admin" || page?.startsWith("admin/") ? location.pathname + location.search : undefined;
}

/** The last ask to open the dialog; undefined while it is closed. */
export const useAuthRequest = (): AuthRequest | undefined =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => asked,
    () => undefined,
  );

function change(next: AuthRequest | undefined) {
  asked = next;
  for (const listener of listeners) listener();
}
