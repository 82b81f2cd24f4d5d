import { useText } from "../../language.tsx";
import styles from "./Loading.module.css";
import { SkeletonLines } from "./Skeleton.tsx";

interface LoadingProps {
  lines: number;
  inset?: boolean;
}

export function Loading({ lines, inset }: LoadingProps) {
  const t = useText();
  return (
    <div role="status" aria-label={t("ui.loading")} className={inset ? styles.inset : undefined}>
      <SkeletonLines lines={lines} />
    </div>
  );
}
