import { ChartColumn } from "lucide-react";
import { useState } from "react";
import { useAppText } from "../language.tsx";
import { refusedBy } from "../serverState.tsx";
import { RefusalNotice } from "../RefusalNotice.tsx";
import { Card } from "../ui/layout/Card.tsx";
import { EmptyState } from "../ui/feedback/EmptyState.tsx";
import { Skeleton } from "../ui/feedback/Skeleton.tsx";
import { Tabs } from "../ui/layout/Tabs.tsx";
import { lastDays } from "./income.ts";
import { IncomeChart } from "./IncomeChart.tsx";
import styles from "./Partner.module.css";
import { useDailyEarnings, type EarningKind, earningKinds } from "./useDailyEarnings.ts";

export function IncomeCard() {
  const t = useAppText();
  const [way, setWay] = useState<EarningKind>("soft");
  return (
    <Card className={styles.income} aria-labelledby="income-title">
      <h2 id="income-title" className={styles.heading}>
        {t("partner.income.title")}
      </h2>
      <Tabs
        look="switch"
        label={t("partner.income.title")}
        active={way}
        onSelect={setWay}
        tabs={earningKinds.map((id) => ({ id, label: t(`partner.way.${id}`) }))}
      >
        <Chart key={way} way={way} />
      </Tabs>
    </Card>
  );
}

function Chart({ way }: { way: EarningKind }) {
  const t = useAppText();
  const series = useDailyEarnings(way);
  const refused = series.data ? undefined : refusedBy(series.error);
  if (refused) return <RefusalNotice refused={refused} onRetry={() => void series.refetch()} />;
  if (!series.data) return <Skeleton height="15rem" />;
  // The time of the data, so that the chart moves on with it.
  const days = lastDays(series.data, new Date(series.dataUpdatedAt));
  if (days.length === 0) {
    return (
      <EmptyState icon={<ChartColumn aria-hidden size={22} />} title={t("partner.chart.none")}>
        {t("partner.chart.none.text")}
      </EmptyState>
    );
  }
  const label = t("partner.chart.label", { way: t(`partner.way.${way}`) });
  return <IncomeChart days={days} label={label} />;
}
