import styles from "./Row.module.css";

/** A subject in its own direction, which begins where the page's lines do. */
export function RowSubject({ subject = "" }: { subject?: string | undefined }) {
  if (subject === "") return null;
  return (
    <p dir="auto" title={subject} className={styles.subject}>
      {subject}
    </p>
  );
}
