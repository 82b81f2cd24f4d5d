import type { ReactNode } from "react";
import { balance as money } from "../format.ts";
import { useLanguage } from "../language.tsx";
import { Card } from "../ui/layout/Card.tsx";
import { Skeleton } from "../ui/feedback/Skeleton.tsx";
import styles from "./AmountCard.module.css";
import { Exact } from "../ui/display/Exact.tsx";

interface AmountCardProps {
  label: string;
  /** Dollars as decimal text; undefined while loading. */
  amount: string | undefined;
  action: ReactNode;
  children: ReactNode;
}

export function AmountCard({ label, amount, action, children }: AmountCardProps) {
  const language = useLanguage();
  return (
    <Card className={styles.card} aria-label={label}>
      <div>
        <p className={styles.label}>{label}</p>
        <p className={styles.amount}>
          {amount === undefined ? (
            <Skeleton width="9rem" height="1.25em" />
          ) : (
            <Exact>{money(language, amount)}</Exact>
          )}
        </p>
        {children}
      </div>
      {action}
    </Card>
  );
}
