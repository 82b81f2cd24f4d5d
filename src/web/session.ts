import { useSyncExternalStore } from "react";
import { navigate } from "wouter/use-browser-location";
import { languageOf } from "./language.tsx";
import { paths } from "./paths.ts";
import { hearOtherTabs, stored, useStored } from "./stored.ts";
import { makeListeners } from "./ui/listeners.ts";

/** The session's token; empty without one and while the server renders. */
export const useToken = (): string => useStored(stored.authToken)[0];

export function signIn(token: string): void {
  stored.authToken.write(token);
  stored.hasAccount.write(true);
}

const changed = makeListeners();

/** Calls `listener` when the page follows a sign-in, sign-out or renewed token of another tab; returns the unsubscribe function. */
export function onSessionChanged(listener: () => void): () => void {
  const end = changed.add(listener);
  // A page that was left and comes back by "back" has heard no event meanwhile.
  addEventListener("storage", hearAndFollow);
  addEventListener("pageshow", followOtherTabs);
  return () => {
    end();
    removeEventListener("storage", hearAndFollow);
    removeEventListener("pageshow", followOtherTabs);
  };
}

function hearAndFollow(event: StorageEvent) {
  hearOtherTabs(event);
  followOtherTabs();
}

/** Takes over the token that another tab has stored. Returns whether it differs: the page then shows another session. */
export function followOtherTabs(): boolean {
  const isChanged = stored.authToken.follow();
  if (isChanged) changed.tell();
  return isChanged;
}

/** Tells later whether the page still shows the account of now. What takes several calls must not go on for another. */
export function sameAccount(): () => boolean {
  const token = stored.authToken.read();
  return () => !followOtherTabs() && stored.authToken.read() === token;
}

const ended = makeListeners<[from: string]>();

/** Calls `listener` when the session ends by a refused token; returns the unsubscribe function. */
export const onSessionEnded = ended.add;

/** Ends the session after a refused token (spec B §4) and calls the listeners with the address that was open. */
export function endSession(): void {
  const from = location.pathname + location.search;
  stored.authToken.remove();
  stored.activationResendTime.remove();
  stored.waitingPurchase.remove();
  goHome();
  ended.tell(from);
}

export const goHome = (): void => navigate(paths.home(languageOf(location.pathname)));

let revision = 0;
const revised = makeListeners();

/** Makes the account's components reload it, after an activation or a top-up. */
export function invalidateAccount(): void {
  revision++;
  revised.tell();
}

/** Grows with each invalidateAccount; use it in the query key of the account. */
export const useAccountRevision = (): number =>
  useSyncExternalStore(
    revised.add,
    () => revision,
    () => 0,
  );
