import type { ReactNode } from "react";
import type { Refused } from "../api.ts";
import { RefusalNotice } from "../RefusalNotice.tsx";
import { Card } from "../ui/layout/Card.tsx";
import { Loading } from "../ui/feedback/Loading.tsx";
import styles from "./Programs.module.css";

interface SectionProps {
  id: string;
  title: string;
  text: string;
  /** The button that makes a new one. */
  action: ReactNode;
  isLoading: boolean;
  refused: Refused<string> | undefined;
  reload: () => void;
  children: ReactNode;
}

/** One part of the page with its list: what it is for, loading, trouble. */
export function ProgramsSection({
  id,
  title,
  text,
  action,
  isLoading,
  refused,
  reload,
  children,
}: SectionProps) {
  return (
    <Card flush aria-labelledby={id} aria-busy={isLoading}>
      <header className={styles.head}>
        <div className={styles.about}>
          <h2 id={id} className={styles.heading}>
            {title}
          </h2>
          <p className={styles.text}>{text}</p>
        </div>
        {action}
      </header>
      {isLoading && <Loading inset lines={3} />}
      {refused && <RefusalNotice inset refused={refused} onRetry={reload} />}
      {children}
    </Card>
  );
}
