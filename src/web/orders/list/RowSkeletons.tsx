import { VisuallyHidden } from "../../ui/layout/VisuallyHidden.tsx";
import { Skeleton } from "../../ui/feedback/Skeleton.tsx";
import styles from "./RowSkeletons.module.css";

export function RowSkeletons({ label, rows = 4 }: { label: string; rows?: number }) {
  return (
    <div role="status" className={styles.skeletons}>
      <VisuallyHidden>{label}</VisuallyHidden>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className={styles.skeleton}>
          <span className={styles.lines}>
            <Skeleton width="9rem" height="1rem" />
            <Skeleton width="13rem" height="0.875rem" />
          </span>
          <Skeleton width="6rem" height="1.5rem" round />
        </div>
      ))}
    </div>
  );
}
