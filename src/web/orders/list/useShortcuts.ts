import { useEffect, useEffectEvent } from "react";
import { stored } from "../../stored.ts";
import { focusWhenShown } from "../../ui/focusWhenShown.ts";
import { type Shortcut, shortcutOf } from "./shortcuts.ts";

const typed =
  "input:not([type='radio'],[type='checkbox']),textarea,select,[contenteditable]:not([contenteditable='false'])";

/** Handles shortcuts while no field or dialog is active. The user can turn them off (WCAG 2.1.4). */
export function useShortcuts(act: (shortcut: Shortcut) => void): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || !stored.shortcuts.read()) return;
    if (event.target instanceof Element && event.target.closest(typed)) return;
    const shortcut = shortcutOf(event);
    if (!shortcut || document.querySelector("dialog[open]")) return;
    // Keeps the key out of the field that it focuses.
    event.preventDefault();
    act(shortcut);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}

export const focusSite = (): void => focusField("site");
/** Opens the tools of a short list, which then have the focus. */
export function focusSearch(): void {
  if (document.querySelector('[data-shortcut="search"]')) focusField("search");
  else document.querySelector<HTMLElement>('[data-shortcut="find"]')?.click();
}

function focusField(name: "site" | "search"): void {
  const find = () => document.querySelector<HTMLInputElement>(`[data-shortcut="${name}"]`);
  focusWhenShown(find, (field) => field.select());
}

export function focusRow(step: 1 | -1): void {
  const rows = [...document.querySelectorAll("#activations li[data-state]")];
  const now = rows.findIndex((row) => row.contains(document.activeElement));
  const next = now === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, now + step));
  rows[next]?.querySelector<HTMLElement>("button")?.focus();
}
