import { useEffect, useEffectEvent } from "react";

/** As people write it; on a Mac ⌘K does the same. */
export const paletteKey = "Ctrl K";

/** Runs `open` on Ctrl K (⌘K), and unless the page has another use for it on `/` where nobody types; never over a dialog. */
export function usePaletteKeys(open: () => void, hasSlash = true): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey || document.querySelector("dialog[open]")) return;
    const isCommand = event.ctrlKey || event.metaKey;
    const isTyping =
      event.target instanceof Element && event.target.closest("input, textarea, select") !== null;
    const isMeant = isCommand ? event.code === "KeyK" : hasSlash && event.key === "/" && !isTyping;
    if (!isMeant) return;
    // Else the browser takes it for its own field, or writes it into that of the palette.
    event.preventDefault();
    open();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}
