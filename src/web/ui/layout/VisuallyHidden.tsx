import type { ReactNode } from "react";
import styles from "./VisuallyHidden.module.css";

export function VisuallyHidden({ role, children }: { role?: "status"; children: ReactNode }) {
  return (
    <span role={role} className={styles.hidden}>
      {children}
    </span>
  );
}
