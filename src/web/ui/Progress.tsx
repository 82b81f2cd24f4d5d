import { useId } from "react";
import styles from "./Progress.module.css";

interface ProgressProps {
  label: string;
  /** From 0 to 1. */
  done: number;
}

/** How much of something long is done. */
export function Progress({ label, done }: ProgressProps) {
  const id = useId();
  return (
    <div className={styles.box}>
      <div className={styles.label}>
        <span id={id}>{label}</span>
        {/* The bar says it too. */}
        <bdi aria-hidden className={styles.percent}>
          {Math.floor(done * 100)}%
        </bdi>
      </div>
      <progress aria-labelledby={id} className={styles.bar} max={1} value={done} />
    </div>
  );
}
