import { chartMoney, day } from "../format.ts";
import { useAppText, useLanguage } from "../language.tsx";
import { BarChart } from "../ui/display/BarChart.tsx";
import type { Day } from "./income.ts";
import styles from "./Partner.module.css";
import { Exact } from "../ui/display/Exact.tsx";

export function IncomeChart({ days, label }: { days: readonly Day[]; label: string }) {
  const t = useAppText();
  const language = useLanguage();
  return (
    <BarChart
      label={label}
      hint={t("partner.chart.keys")}
      scale={(value) => chartMoney(language, value, 0)}
      bars={days.map((one) => ({
        id: one.date,
        value: Number(one.earned),
        spoken: `${day(one.date)}: ${chartMoney(language, one.earned)}`,
        mark: day(one.date).slice(0, 5),
        tooltip: (
          <>
            <span className={styles.soft}>{day(one.date)}</span>
            <Exact className={styles.dayMoney}>{chartMoney(language, one.earned)}</Exact>
            <span className={styles.soft}>{t("partner.letters", { count: one.count })}</span>
          </>
        ),
      }))}
    />
  );
}
