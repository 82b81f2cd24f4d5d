import { useSyncExternalStore } from "react";
import { type MailLink, readFragment } from "../../contract/mail/mail-link.ts";
import { pageOf } from "../paths.ts";
import { stored } from "../stored.ts";
import type { Ways } from "../security/passkeys.ts";
import { claimAutoOpen } from "../ui/dialog/autoOpen.ts";
import { makeListeners } from "../ui/listeners.ts";

export type AuthMode = "login" | "factor" | "register" | "activate" | "reset" | "disown";

export interface AuthRequest {
  readonly mode: AuthMode;
  readonly to?: string | undefined;
  readonly email?: string | undefined;
  /** What the password alone did not open. */
  readonly ways?: Ways | undefined;
  /** The link of a mail, until it is used. */
  readonly link?: MailLink | undefined;
}

/** A new object for each request: a dialog that failed to load loads again at the next. */
let asked: AuthRequest | undefined;
let releaseAutoOpen: (() => void) | undefined;
const listeners = makeListeners();

/** Opens the dialog in a mode; keeps what else the last request has. */
export function openAuth(mode: AuthMode = "login", more: Omit<AuthRequest, "mode"> = {}): void {
  releaseAutoOpen ??= claimAutoOpen();
  change({
    mode,
    to: more.to ?? asked?.to ?? ownAddress(),
    email: more.email ?? asked?.email,
    link: more.link ?? asked?.link,
    ways: more.ways,
  });
}

/** Opens the form that the link of a mail is for. Takes its secret out of the address and the history. */
export function openMailLink(): void {
  const link = readFragment(location.hash);
  if (!link) return;
  history.replaceState(history.state, "", location.pathname + location.search);
  openAuth(link.mode, { link, ...(link.mode !== "activate" && { email: link.email }) });
}

/** A link opens once. */
export function forgetMailLink(): void {
  if (asked?.link) change({ ...asked, link: undefined });
}

export const mailLink = (): MailLink | undefined => asked?.link;

/** Closes the dialog. Without a session it forgets the choice of the home page too. */
export function closeAuth(): void {
  if (asked !== undefined && stored.authToken.read() === "") stored.pendingEmailRequest.remove();
  change(undefined);
  releaseAutoOpen?.();
  releaseAutoOpen = undefined;
}

export const isAuthOpen = (): boolean => asked !== undefined;

/** The address to open after signing in; undefined: the dashboard. */
export const addressAfterSignIn = (): string | undefined => asked?.to;

function ownAddress(): string | undefined {
  const page = pageOf(location.pathname);
  return page === "admin" || page?.startsWith("admin/") ? location.pathname + location.search : undefined;
}

export const useAuthRequest = (): AuthRequest | undefined =>
  useSyncExternalStore(
    listeners.add,
    () => asked,
    () => undefined,
  );

/** The code that the link of a mail brought along for a form. */
export function useLinkedCode(mode: MailLink["mode"]): string | undefined {
  const link = useAuthRequest()?.link;
  return link?.mode === mode ? link.code : undefined;
}

function change(next: AuthRequest | undefined) {
  asked = next;
  listeners.tell();
}
