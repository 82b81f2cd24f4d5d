import { ChevronDown, ChevronUp } from "lucide-react";
import { useEffect, useEffectEvent } from "react";
import { useAppText } from "../../language.tsx";
import { stored } from "../../stored.ts";
import { IconButton } from "../../ui/button/IconButton.tsx";
import { shortcutOf } from "../list/shortcuts.ts";
import styles from "./LetterDialog.module.css";

interface NeighboursProps {
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
  /** Also by the keys that walk through the rows; beside the list those keys are the list's. */
  hasKeys: boolean;
}

/** Opens the letters of the rows above and below. */
export function Neighbours({ onPrevious, onNext, hasKeys }: NeighboursProps) {
  const t = useAppText();
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!hasKeys || !stored.shortcuts.read()) return;
    const shortcut = shortcutOf(event);
    if (shortcut === "next") onNext?.();
    if (shortcut === "previous") onPrevious?.();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
  return (
    <div className={styles.neighbours}>
      <IconButton
        label={t("letter.previous")}
        icon={<ChevronUp aria-hidden size={18} />}
        disabled={!onPrevious}
        onClick={onPrevious}
      />
      <IconButton
        label={t("letter.next")}
        icon={<ChevronDown aria-hidden size={18} />}
        disabled={!onNext}
        onClick={onNext}
      />
    </div>
  );
}
