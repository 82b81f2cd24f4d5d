import styles from "./Logo.module.css";
import { mark } from "./mark.ts";

/** The mark alone; it says nothing to those who hear the page. */
export function Mark({ size = 28 }: { size?: number }) {
  return (
    <svg
      aria-hidden
      width={size}
      height={size}
      viewBox={`0 0 ${mark.size} ${mark.size}`}
      strokeWidth={mark.stroke}
      className={styles.mark}
    >
      <path d={mark.arch} />
      <path d={mark.gate} />
    </svg>
  );
}

/** Mark and name. */
export function Logo() {
  return (
    <span className={styles.logo} dir="ltr">
      <Mark />
      Postern
    </span>
  );
}
