import type { ReactNode } from "react";
import styles from "./DaySection.module.css";
import { Exact } from "../display/Exact.tsx";

interface DaySectionProps {
  day: string;
  level: 2 | 3;
  children: ReactNode;
}

export function DaySection({ day, level, children }: DaySectionProps) {
  const Heading = `h${level}` as const;
  return (
    <section aria-label={day} className={styles.section}>
      <Heading className={styles.day}>
        <Exact>{day}</Exact>
      </Heading>
      {children}
    </section>
  );
}
