import type { ReactNode } from "react";
import styles from "../button/CopyButton.module.css";

export function VisuallyHidden({ children }: { children: ReactNode }) {
  return <span className={styles.spoken}>{children}</span>;
}
