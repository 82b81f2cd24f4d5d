import { useText } from "../../language.tsx";
import styles from "./Loading.module.css";
import { SkeletonLines } from "./Skeleton.tsx";

interface LoadingProps {
  /** About as many as will come. */
  lines?: number;
  /** With room around it, in a card that has none of its own. */
  inset?: boolean;
}

/** Lines that are on their way: said to listeners, and grey where they will stand. */
export function Loading({ lines, inset }: LoadingProps) {
  const t = useText();
  return (
    <div role="status" aria-label={t("ui.loading")} className={inset ? styles.inset : undefined}>
      <SkeletonLines {...(lines !== undefined && { lines })} />
    </div>
  );
}
