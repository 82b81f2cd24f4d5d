import { slideSeconds } from "../../contract/limits.ts";
import styles from "./ProgressSegments.module.css";

interface ProgressSegmentsProps {
  count: number;
  at: number;
  turn: number;
  isRunning: boolean;
}

export function ProgressSegments({ count, at, turn, isRunning }: ProgressSegmentsProps) {
  return (
    <div aria-hidden className={styles.segments}>
      {Array.from({ length: count }, (_, index) => (
        <span key={index} className={styles.segment} data-is={placeOf(index, at)}>
          {index === at && (
            <span
              key={turn}
              className={styles.fill}
              style={{
                animationDuration: `${slideSeconds}s`,
                animationPlayState: isRunning ? "running" : "paused",
              }}
            />
          )}
        </span>
      ))}
    </div>
  );
}

function placeOf(index: number, at: number): "done" | "now" | "next" {
  if (index === at) return "now";
  return index < at ? "done" : "next";
}
