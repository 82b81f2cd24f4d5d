import { useId } from "react";
import styles from "./ProgressBar.module.css";

interface ProgressBarProps {
  label: string;
  done: number;
  /** Of so many, which the label tells; without it `done` is a share from 0 to 1. */
  all?: number;
}

/** How much of something long is done. */
export function ProgressBar({ label, done, all }: ProgressBarProps) {
  const id = useId();
  return (
    <div className={styles.box}>
      <div className={styles.label}>
        <span id={id}>{label}</span>
        {all === undefined && (
          // The bar says it too.
          <bdi aria-hidden className={styles.percent}>
            {Math.floor(done * 100)}%
          </bdi>
        )}
      </div>
      <progress aria-labelledby={id} className={styles.bar} max={all ?? 1} value={done} />
    </div>
  );
}
