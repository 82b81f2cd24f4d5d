import type { MouseEvent } from "react";

/** What takes a press itself; a dialog or menu that was opened from a row stands within it. */
const controls = "a,button,input,select,textarea,label,summary,dialog,[popover]";

/** Runs `act` for a press outside of inner controls, and without selected text. */
export function unlessOnControl(event: MouseEvent<HTMLElement>, act: () => void): void {
  const control = event.target instanceof Element && event.target.closest(controls);
  if (!control && !getSelection()?.toString()) act();
}
