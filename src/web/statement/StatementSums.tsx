import { balance, exactBalance } from "../format.ts";
import { useAccountText, useLanguage } from "../language.tsx";
import { Exact } from "../ui/display/Exact.tsx";
import styles from "./Statement.module.css";
import type { StatementPeriod } from "./statement.ts";

/** Opening balance, in, out, closing balance; the exact sums on hover. */
export function StatementSums({ sums }: { sums: StatementPeriod }) {
  const t = useAccountText();
  const language = useLanguage();
  const shown = [
    ["opening", sums.opening],
    ["in", sums.credit],
    ["out", sums.debit],
    ["closing", sums.closing],
  ] as const;
  return (
    <dl aria-label={t("statement.sums")} className={styles.sums}>
      {shown.map(([name, amount]) => (
        <div key={name}>
          <dt>{t(`statement.${name}`)}</dt>
          <dd title={exactBalance(language, amount)}>
            <Exact>{balance(language, amount)}</Exact>
          </dd>
        </div>
      ))}
    </dl>
  );
}
