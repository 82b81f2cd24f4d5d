import { LoaderCircle } from "lucide-react";
import styles from "./Spinner.module.css";

/** Decorative without a label. */
export function Spinner({ size = 18, label }: { size?: number; label?: string }) {
  const ring = <LoaderCircle aria-hidden size={size} className={styles.ring} />;
  if (label === undefined) return ring;
  return (
    <span role="status" className={styles.status}>
      {ring}
      {label}
    </span>
  );
}
