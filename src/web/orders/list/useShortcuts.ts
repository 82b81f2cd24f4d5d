import { useEffect, useEffectEvent } from "react";
import { stored } from "../../stored.ts";
import { type Shortcut, shortcutOf } from "./shortcuts.ts";

const typed =
  "input:not([type='radio'],[type='checkbox']),textarea,select,[contenteditable]:not([contenteditable='false'])";

/** Listens for shortcuts while nothing is typed and no dialog is open. They can be switched off (WCAG 2.1.4). */
export function useShortcuts(act: (shortcut: Shortcut) => void): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || !stored.shortcuts.read()) return;
    if (event.target instanceof Element && event.target.closest(typed)) return;
    const shortcut = shortcutOf(event);
    if (!shortcut || document.querySelector("dialog[open]")) return;
    // The key must not end up in the field that it leads to.
    event.preventDefault();
    act(shortcut);
  });
  // Keys go to the document, wherever the focus is.
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}

/** Goes to the field in which a new order begins. */
export function focusSite(): void {
  const field = document.querySelector<HTMLInputElement>('[data-shortcut="site"]');
  field?.focus();
  field?.select();
}

/** Goes to the row before or after the one with the focus; to the first where none has it. */
export function focusRow(step: 1 | -1): void {
  const rows = [...document.querySelectorAll("#activations li[data-state]")];
  const now = rows.findIndex((row) => row.contains(document.activeElement));
  const next = now === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, now + step));
  rows[next]?.querySelector<HTMLElement>("button")?.focus();
}
