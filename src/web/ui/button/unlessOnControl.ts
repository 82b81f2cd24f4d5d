import type { MouseEvent } from "react";

/** Runs `act` for a press outside of inner buttons and links, and without selected text. */
export function unlessOnControl(event: MouseEvent<HTMLElement>, act: () => void): void {
  const control = event.target instanceof Element && event.target.closest("a,button,input,select,label");
  if (!control && !getSelection()?.toString()) act();
}
