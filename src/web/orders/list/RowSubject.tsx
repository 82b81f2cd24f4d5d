import styles from "./Row.module.css";

export function RowSubject({ subject = "" }: { subject?: string | undefined }) {
  if (subject === "") return null;
  return (
    <p dir="auto" className={styles.subject}>
      {subject}
    </p>
  );
}
