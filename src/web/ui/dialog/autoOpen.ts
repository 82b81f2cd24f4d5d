// Lets one dialog at a time open by itself; two lazy ones would overlap.
let isClaimed = false;
const waiting = new Set<() => void>();

/** Claims the right to open a dialog; returns its release, or undefined while it is claimed or a dialog is open. */
export function claimAutoOpen(): (() => void) | undefined {
  if (isClaimed || document.querySelector("dialog[open]")) return undefined;
  isClaimed = true;
  let isReleased = false;
  return () => {
    if (isReleased) return;
    isReleased = true;
    isClaimed = false;
    for (const act of waiting) act();
  };
}

export const isAutoOpenClaimed = (): boolean => isClaimed;

/** Calls `act` at each release; returns the unsubscribe function. */
export function onAutoOpenReleased(act: () => void): () => void {
  waiting.add(act);
  return () => void waiting.delete(act);
}
