import type { MouseEvent } from "react";

/** For a part of the page that opens by a press: not by one on a button or link inside it, nor where text was selected. */
export function unlessOnControl(event: MouseEvent<HTMLElement>, act: () => void): void {
  const control = event.target instanceof Element && event.target.closest("a,button,input,select,label");
  if (!control && !getSelection()?.toString()) act();
}
