/** A ref in place of `autoFocus`, which Preact hands to the browser: that one focuses only when a page opens. */
export function focusAtOnce(element: HTMLElement | null): void {
  element?.focus();
}
