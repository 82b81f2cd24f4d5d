import styles from "./Logo.module.css";
import { mark } from "./mark.ts";

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

export function Logo() {
  return (
    <span className={styles.logo} dir="ltr">
      <Mark />
      <span className={styles.name}>Postern</span>
    </span>
  );
}
