import { type KeyboardEvent, type RefObject, type SyntheticEvent, useEffect, useRef } from "react";

const focusable =
  'a[href],button:not([disabled]),input:not([disabled],[type="hidden"]),select:not([disabled]),textarea:not([disabled]),iframe,summary,[tabindex]:not([tabindex="-1"],[data-last])';

/** Opens a modal dialog and returns its ref. Focuses `data-autofocus` first, and the previous element at the end. */
export function useModal(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  // showModal() has no declarative form. React's autoFocus runs before it, hence data-autofocus.
  useEffect(() => {
    const element = dialog.current;
    const opener = document.activeElement;
    if (element && !element.open) element.showModal();
    element?.querySelector<HTMLElement>("[data-autofocus]")?.focus();
    return () => {
      element?.close();
      if (!(opener instanceof HTMLElement)) return;
      // The opener may be gone: focus the start of the page.
      const back = opener.isConnected ? opener : document.querySelector<HTMLElement>("#main");
      back?.focus({ preventScroll: !opener.isConnected });
    };
  }, []);
  return dialog;
}

/** Closes a dialog on Escape. Ignores the `cancel` event that bubbles from a file input. */
export function closeOnCancel(onClose: () => void): (event: SyntheticEvent<HTMLDialogElement>) => void {
  return (event) => {
    if (event.target !== event.currentTarget) return;
    event.preventDefault();
    onClose();
  };
}

/** A native dialog lets Tab reach the browser's bars: wraps at both ends. */
export function keepTabInside(event: KeyboardEvent<HTMLDialogElement>): void {
  if (event.key !== "Tab") return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>(focusable)].filter(
    (element) => element.tabIndex >= 0 && element.getClientRects().length > 0,
  );
  const [first, last] = [stops[0], stops.at(-1)];
  const leaving = event.shiftKey ? first : last;
  if (document.activeElement !== leaving) return;
  event.preventDefault();
  (event.shiftKey ? last : first)?.focus();
}
