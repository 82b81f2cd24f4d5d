/** A `ref` for a form that replaces another in an open dialog: focuses its first field. */
export function focusFirstField(element: HTMLElement | null): void {
  element?.querySelector<HTMLElement>("[data-autofocus]")?.focus();
}
