import { useEffect, useState } from "react";

/** Puts text on the clipboard. navigator.clipboard exists only on https and localhost: elsewhere a hidden text area does it. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement("textarea");
  area.value = text;
  area.style.cssText = "position:fixed;opacity:0";
  // A modal dialog makes everything outside it inert, and an inert text area cannot be selected.
  (document.querySelector("dialog[open]") ?? document.body).append(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  if (!copied) throw new Error("the browser refused to copy");
}

/** `copied` is true for so many milliseconds after each copy that worked. */
export function useCopy(
  milliseconds = 1500,
  onCopied?: () => void,
): { copied: boolean; copy: (text: string) => void } {
  const [copiedAt, setCopiedAt] = useState(0);
  // The mark goes away by itself: only a timer can tell.
  useEffect(() => {
    if (copiedAt === 0) return;
    const timer = setTimeout(() => setCopiedAt(0), milliseconds);
    return () => clearTimeout(timer);
  }, [copiedAt, milliseconds]);
  const copy = (text: string) => {
    copyText(text).then(
      () => {
        setCopiedAt(performance.now());
        onCopied?.();
      },
      // A browser that refuses leaves the text on the page, where it can be selected by hand.
      () => setCopiedAt(0),
    );
  };
  return { copied: copiedAt !== 0, copy };
}
