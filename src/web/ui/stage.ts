// Two dialogs that open by themselves, each loaded when it is wanted, would open over each other: one at a time takes the stage.
let isTaken = false;
const waiting = new Set<() => void>();

/** Takes the stage, and answers how to leave it; undefined while it is taken or another dialog is open. */
export function takeStage(): (() => void) | undefined {
  if (isTaken || document.querySelector("dialog[open]")) return undefined;
  isTaken = true;
  let isLeft = false;
  return () => {
    if (isLeft) return;
    isLeft = true;
    isTaken = false;
    for (const act of waiting) act();
  };
}

/** Is there a dialog that has opened by itself, or is about to? */
export const isStageTaken = (): boolean => isTaken;

/** Calls when the stage is left, until the returned function is called. */
export function onStageLeft(act: () => void): () => void {
  waiting.add(act);
  return () => void waiting.delete(act);
}
