import { Search } from "lucide-react";
import { useEffect } from "react";
import { useDocsText } from "../../language.tsx";
import styles from "./Search.module.css";

export function SearchButton({ onOpen }: { onOpen: () => void }) {
  const t = useDocsText();
  return (
    <button
      type="button"
      aria-label={t("docs.search")}
      aria-keyshortcuts="/"
      className={styles.button}
      onClick={onOpen}
    >
      <Search aria-hidden size={16} />
      <span className={styles.word}>{t("docs.search.short")}</span>
      <kbd aria-hidden className={styles.key}>
        /
      </kbd>
    </button>
  );
}

/** Runs `open` when `/` is pressed where nobody types. */
export function useSlash(open: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
      const { target } = event;
      const isTyping =
        target instanceof Element && target.closest("input, textarea, select, dialog") !== null;
      if (isTyping) return;
      event.preventDefault();
      open();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [open]);
}
