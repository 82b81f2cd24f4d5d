import { BadgeCheck, Ban, Dot } from "lucide-react";
import { sampleSize } from "../../contract/limits.ts";
import { useAccountText } from "../language.tsx";
import { classNames } from "../ui/layout/classNames.ts";
import type { CountProgress } from "./lineCount.worker.ts";
import styles from "./Investor.module.css";

const rules = ["auto", "domains", "count", "hacked", "sample", "refused"] as const;
type Rule = (typeof rules)[number];

const isForbidding = (rule: Rule): boolean => rule === "hacked" || rule === "refused";

/** The rules that the page itself can check: only the number of mailboxes. */
export function passedBy(progress: CountProgress): readonly Rule[] {
  return "counted" in progress && progress.counted.usable >= sampleSize ? ["count"] : [];
}

export function FileRules({ passed = [] }: { passed?: readonly Rule[] }) {
  const t = useAccountText();
  return (
    <ul className={styles.rules}>
      {rules.map((rule) => (
        <li key={rule} data-passed={passed.includes(rule) || undefined}>
          <Mark rule={rule} isPassed={passed.includes(rule)} />
          <span>{t(`investor.rule.${rule}`, { number: sampleSize })}</span>
        </li>
      ))}
    </ul>
  );
}

function Mark({ rule, isPassed }: { rule: Rule; isPassed: boolean }) {
  if (isForbidding(rule)) return <Ban aria-hidden size={16} className={styles.no} />;
  if (isPassed) return <BadgeCheck aria-hidden size={16} className={styles.yes} />;
  return <Dot aria-hidden size={16} className={classNames(styles.no, styles.open)} />;
}
