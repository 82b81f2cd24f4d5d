import { Ban, Dot } from "lucide-react";
import { sampleSize } from "../../contract/limits.ts";
import { useAccountText } from "../language.tsx";
import { classNames } from "../ui/layout/classNames.ts";
import styles from "./Investor.module.css";

const rules = ["auto", "domains", "count", "hacked", "sample", "refused"] as const;
type Rule = (typeof rules)[number];

const isForbidding = (rule: Rule): boolean => rule === "hacked" || rule === "refused";

export function FileRules() {
  const t = useAccountText();
  return (
    <ul className={styles.rules}>
      {rules.map((rule) => (
        <li key={rule}>
          <Mark rule={rule} />
          <span>{t(`investor.rule.${rule}`, { number: sampleSize })}</span>
        </li>
      ))}
    </ul>
  );
}

function Mark({ rule }: { rule: Rule }) {
  if (isForbidding(rule)) return <Ban aria-hidden size={16} className={styles.no} />;
  return <Dot aria-hidden size={16} className={classNames(styles.no, styles.open)} />;
}
