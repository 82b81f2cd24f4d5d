import { ChevronDown } from "lucide-react";
import type { ReactNode } from "react";
import styles from "./Disclosure.module.css";

interface DisclosureProps {
  title: string;
  open: boolean;
  onToggle: (open: boolean) => void;
  icon?: ReactNode;
  badge?: ReactNode;
  children: ReactNode;
}

export function Disclosure({ title, open, onToggle, icon, badge, children }: DisclosureProps) {
  return (
    <details className={styles.details} open={open} onToggle={(event) => onToggle(event.currentTarget.open)}>
      <summary className={styles.summary}>
        {icon}
        <span className={styles.title}>{title}</span>
        {badge}
        <ChevronDown aria-hidden size={16} className={styles.chevron} />
      </summary>
      <div className={styles.content}>{children}</div>
    </details>
  );
}
