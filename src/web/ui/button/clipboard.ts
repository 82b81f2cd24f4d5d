import { useEffect, useState } from "react";

/** Copies text. navigator.clipboard exists on https and localhost only; elsewhere uses a hidden text area. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement("textarea");
  area.value = text;
  area.style.cssText = "position:fixed;opacity:0";
  // A modal dialog makes the rest inert, and inert text cannot be selected.
  (document.querySelector("dialog[open]") ?? document.body).append(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  if (!copied) throw new Error("the browser refused to copy");
}

/** `copied` is true for so many milliseconds after a successful copy. */
export function useCopy(
  milliseconds = 1500,
  onCopied?: () => void,
): { copied: boolean; copy: (text: string) => void } {
  const [copiedAt, setCopiedAt] = useState(0);
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
      // If the browser refuses, the user can select the visible text.
      () => setCopiedAt(0),
    );
  };
  return { copied: copiedAt !== 0, copy };
}
