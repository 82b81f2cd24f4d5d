import type { ReactNode } from "react";
import type { Refused } from "../api.ts";
import { useAppText } from "../language.tsx";
import { Trouble } from "../Trouble.tsx";
import { Card } from "../ui/Card.tsx";
import { SkeletonLines } from "../ui/Skeleton.tsx";
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
export function Section({ id, title, text, action, isLoading, refused, reload, children }: SectionProps) {
  const t = useAppText();
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
      {isLoading && (
        <div role="status" aria-label={t("ui.loading")} className={styles.inside}>
          <SkeletonLines lines={3} />
        </div>
      )}
      {refused && <Trouble inset refused={refused} onAgain={reload} />}
      {children}
    </Card>
  );
}
