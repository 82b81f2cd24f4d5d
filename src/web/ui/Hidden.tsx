import type { ReactNode } from "react";
import styles from "./CopyButton.module.css";

/** Words for screen readers only. */
export function Hidden({ children }: { children: ReactNode }) {
  return <span className={styles.spoken}>{children}</span>;
}
