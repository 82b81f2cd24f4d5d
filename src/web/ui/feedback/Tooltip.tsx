import { CircleHelp } from "lucide-react";
import { type KeyboardEvent, useId, useState } from "react";
import styles from "./Tooltip.module.css";

/** A question mark that explains on hover, focus and tap. Escape hides it (WCAG 1.4.13). */
export function Tooltip({ label, text }: { label: string; text: string }) {
  const id = useId();
  const [shown, setShown] = useState(false);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !shown) return;
    // Escape would close the surrounding dialog as well.
    event.preventDefault();
    event.stopPropagation();
    setShown(false);
  };
  return (
    <span
      className={styles.anchor}
      onPointerEnter={() => setShown(true)}
      onPointerLeave={() => setShown(false)}
    >
      <button
        type="button"
        className={styles.mark}
        aria-label={label}
        aria-describedby={id}
        onFocus={() => setShown(true)}
        onBlur={() => setShown(false)}
        onClick={() => setShown(true)}
        onKeyDown={onKeyDown}
      >
        <CircleHelp aria-hidden size={16} />
      </button>
      <span role="tooltip" id={id} className={styles.bubble} data-shown={shown || undefined}>
        {text}
      </span>
    </span>
  );
}
