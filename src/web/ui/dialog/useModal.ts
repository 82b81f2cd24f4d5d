import { type KeyboardEvent, type RefObject, type SyntheticEvent, useEffect, useRef } from "react";

const focusable =
  'a[href],button:not([disabled]),input:not([disabled],[type="hidden"]),select:not([disabled]),textarea:not([disabled]),iframe,summary,[tabindex]:not([tabindex="-1"])';

/**
 * The element of a modal dialog, which it opens; the element with `data-autofocus` gets the focus first, and whoever had it
 * gets it back in the end.
 */
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
      // What opened it may have gone meanwhile: then the keyboard goes on where the page begins.
      const back = opener.isConnected ? opener : document.querySelector<HTMLElement>("#main");
      back?.focus({ preventScroll: !opener.isConnected });
    };
  }, []);
  return dialog;
}

/**
 * Closes a dialog by Escape. A file chooser inside that is left without a file says `cancel` as well, and it comes up to the
 * dialog.
 */
export function closeOnCancel(onClose: () => void): (event: SyntheticEvent<HTMLDialogElement>) => void {
  return (event) => {
    if (event.target !== event.currentTarget) return;
    event.preventDefault();
    onClose();
  };
}

/** The native dialog lets Tab leave to the browser's own bars: this turns it round at both ends. */
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
