import type { ReactNode } from "react";
import styles from "./CardHeader.module.css";

interface CardHeaderProps {
  /** Of the heading, which names the card. */
  id: string;
  title: string;
  text: string;
  /** At the end of the line: a button or a badge. */
  children: ReactNode;
}

/** The head of a card that has no padding of its own: its heading and what it is for. */
export function CardHeader({ id, title, text, children }: CardHeaderProps) {
  return (
    <header className={styles.header}>
      <div className={styles.about}>
        <h2 id={id} className={styles.heading}>
          {title}
        </h2>
        <p className={styles.text}>{text}</p>
      </div>
      {children}
    </header>
  );
}
