import type { ReactNode } from "react";
import styles from "./CardHeader.module.css";

interface CardHeaderProps {
  id: string;
  title: string;
  text: string;
  children: ReactNode;
}

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
