import { useAccountText } from "../language.tsx";
import { type Rejected, rejectReasons } from "./batches.ts";
import styles from "./Investor.module.css";

/** Counts of refused lines by reason; the lines themselves are never shown. */
export function RejectedLines({ rejected }: { rejected: Rejected }) {
  const t = useAccountText();
  return (
    <ul className={styles.reasons}>
      {rejectReasons
        .filter((reason) => rejected[reason] > 0)
        .map((reason) => (
          <li key={reason}>{t(`investor.rejected.${reason}`, { number: rejected[reason] })}</li>
        ))}
    </ul>
  );
}
