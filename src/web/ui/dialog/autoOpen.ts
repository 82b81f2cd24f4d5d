// Lets one dialog at a time open by itself: two of them, each loaded lazily, would open over each other.
let isClaimed = false;
const waiting = new Set<() => void>();

/** Claims the right to open a dialog and returns its release; undefined while it is claimed or another dialog is open. */
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

/** Whether a dialog has opened by itself or is about to. */
export const isAutoOpenClaimed = (): boolean => isClaimed;

/** Calls `act` at each release, until the returned function is called. */
export function onAutoOpenReleased(act: () => void): () => void {
  waiting.add(act);
  return () => void waiting.delete(act);
}
