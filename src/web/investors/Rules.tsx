import { BadgeCheck, Ban } from "lucide-react";
import { sampleSize } from "../../contract/limits.ts";
import { useAppText } from "../language.tsx";
import styles from "./Investor.module.css";

const rules = ["auto", "domains", "count", "hacked", "sample", "refused"] as const;
type Rule = (typeof rules)[number];

const isForbidding = (rule: Rule): boolean => rule === "hacked" || rule === "refused";

/** What the service takes and what it refuses, said before anything is sent. */
export function Rules() {
  const t = useAppText();
  return (
    <ul className={styles.rules}>
      {rules.map((rule) => (
        <li key={rule}>
          {isForbidding(rule) ? (
            <Ban aria-hidden size={16} className={styles.no} />
          ) : (
            <BadgeCheck aria-hidden size={16} className={styles.yes} />
          )}
          <span>{t(`investor.rule.${rule}`, { number: sampleSize })}</span>
        </li>
      ))}
    </ul>
  );
}
