import { useId } from "react";
import styles from "./ProgressBar.module.css";
import { Exact } from "../display/Exact.tsx";

interface ProgressBarProps {
  label: string;
  done: number;
  /** The total, shown in the label; without it `done` is a fraction from 0 to 1. */
  all?: number;
}

export function ProgressBar({ label, done, all }: ProgressBarProps) {
  const id = useId();
  return (
    <div className={styles.box}>
      <div className={styles.label}>
        <span id={id}>{label}</span>
        {all === undefined && (
          // The bar announces it already.
          <Exact aria-hidden className={styles.percent}>
            {`${Math.floor(done * 100)}%`}
          </Exact>
        )}
      </div>
      <progress aria-labelledby={id} className={styles.bar} max={all ?? 1} value={done} />
    </div>
  );
}
