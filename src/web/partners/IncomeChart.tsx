import { balance, chartMoney, day } from "../format.ts";
import { useAccountText, useLanguage } from "../language.tsx";
import { Exact } from "../ui/display/Exact.tsx";
import { Plot } from "../ui/plot/Plot.tsx";
import { sum } from "./income.ts";
import styles from "./Partner.module.css";

/** What was earned on a day: YYYY-MM-DD, decimal text, and for how many letters. */
interface Earned {
  date: string;
  earned: string;
  count: number;
}

/** The earnings of the last days, of partners and investors, and their sum. */
export function IncomeChart({ days, label }: { days: readonly Earned[]; label: string }) {
  const t = useAccountText();
  const language = useLanguage();
  return (
    <>
      <p className={styles.sum}>
        <Exact>{balance(language, sum(days.map(({ earned }) => earned)))}</Exact>{" "}
        <span className={styles.soft}>{t("partner.chart.days")}</span>
      </p>
      <Plot
        look="bars"
        label={label}
        scale={(value) => chartMoney(language, value, 0)}
        points={days.map(({ date, earned, count }) => ({
          id: date,
          time: day(date),
          mark: day(date).slice(0, 5),
          value: Number(earned),
          shown: chartMoney(language, earned),
          note: t("partner.letters", { count }),
        }))}
        texts={{
          keys: t("plot.keys"),
          table: t("plot.table"),
          plot: t("plot.drawing"),
          time: t("partner.date"),
          now: t("partner.earned"),
        }}
      />
    </>
  );
}
