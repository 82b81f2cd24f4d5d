import styles from "./Logo.module.css";

/** The mark: a postern, the small gate in the wall, with the flap of an envelope for its lintel. */
export function Mark({ size = 28 }: { size?: number }) {
  return (
    <svg aria-hidden width={size} height={size} viewBox="0 0 32 32" className={styles.mark}>
      <path d="M5 29V14.5a11 11 0 0 1 22 0V29a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1Z" className={styles.gate} />
      <path d="m9.4 14.6 5.3 4.5a2 2 0 0 0 2.6 0l5.3-4.5" className={styles.flap} />
      <path d="M16 24.2v.1" className={styles.lock} />
    </svg>
  );
}

/** Mark and name. */
export function Logo() {
  return (
    <span className={styles.logo} dir="ltr">
      <Mark />
      Postern
    </span>
  );
}
