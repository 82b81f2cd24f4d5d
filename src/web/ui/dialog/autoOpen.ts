// Lets one dialog at a time open by itself; two lazy ones would overlap.
import { makeListeners } from "../listeners.ts";

let isClaimed = false;
const released = makeListeners();

/** Claims the right to open a dialog; returns its release, or undefined while it is claimed or a dialog is open. */
export function claimAutoOpen(): (() => void) | undefined {
  if (isClaimed || document.querySelector("dialog[open]")) return undefined;
  isClaimed = true;
  let isReleased = false;
  return () => {
    if (isReleased) return;
    isReleased = true;
    isClaimed = false;
    released.tell();
  };
}

export const isAutoOpenClaimed = (): boolean => isClaimed;

/** Calls `act` at each release; returns the unsubscribe function. */
export const onAutoOpenReleased = released.add;
