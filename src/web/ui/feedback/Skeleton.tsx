import { classNames } from "../layout/classNames.ts";
import styles from "./Skeleton.module.css";

interface SkeletonProps {
  width?: string;
  height?: string;
  round?: boolean;
}

/** A grey placeholder. Decorative: the container has `aria-busy` or a status. */
export function Skeleton({ width = "100%", height = "1em", round }: SkeletonProps) {
  return (
    <span
      aria-hidden
      className={classNames(styles.skeleton, round && styles.round)}
      style={{ inlineSize: width, blockSize: height }}
    />
  );
}

export function SkeletonLines({ lines }: { lines: number }) {
  return (
    <span aria-hidden className={styles.lines}>
      {Array.from({ length: lines }, (_, line) => (
        <Skeleton key={line} width={line === lines - 1 ? "60%" : "100%"} />
      ))}
    </span>
  );
}
