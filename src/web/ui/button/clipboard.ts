import { useEffect, useState } from "react";
import { useText } from "../../language.tsx";
import { toast } from "../feedback/toast.ts";

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

/** `copied` is true for so many milliseconds after a successful copy; a copy that the browser refuses is said. */
export function useCopy(
  milliseconds = 1500,
  onCopied?: () => void,
): { copied: boolean; copy: (text: string) => void } {
  const t = useText();
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
      // What was copied before would be pasted; the user can select the visible text.
      () => {
        setCopiedAt(0);
        toast("bad", t("ui.notCopied"));
      },
    );
  };
  return { copied: copiedAt !== 0, copy };
}
