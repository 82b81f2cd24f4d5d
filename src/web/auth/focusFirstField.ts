/** As the `ref` of a form that takes another's place in an open dialog: its first field gets the focus. */
export function focusFirstField(element: HTMLElement | null): void {
  element?.querySelector<HTMLElement>("[data-autofocus]")?.focus();
}
