import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api.ts";
import { day, exactPrice } from "../../format.ts";
import { useLanguage, useOfficeText } from "../../language.tsx";
import { dataOf, refusedBy } from "../../serverState.tsx";
import { RefusalNotice } from "../../RefusalNotice.tsx";
import { BarChart } from "../../ui/display/BarChart.tsx";
import { Card } from "../../ui/layout/Card.tsx";
import { Skeleton } from "../../ui/feedback/Skeleton.tsx";
import { Tabs } from "../../ui/layout/Tabs.tsx";
import { lastDays, type Measure, measures } from "./dailyFigures.ts";
import styles from "./Overview.module.css";
import type { Row } from "../table/tableState.ts";
import { Exact } from "../../ui/display/Exact.tsx";

/** The chart needs 30 days; a page of the table has 25 rows. */
const pages = [1, 2];

export function DailyFigures() {
  const t = useOfficeText();
  const [measure, setMeasure] = useState<Measure>("orders");
  return (
    <Card className={styles.days} aria-labelledby="office-days">
      <h2 id="office-days" className={styles.heading}>
        {t("office.days")}
      </h2>
      <Tabs
        look="switch"
        label={t("office.days")}
        active={measure}
        onSelect={setMeasure}
        tabs={measures.map((id) => ({ id, label: t(`office.column.${id}`) }))}
      >
        <Chart measure={measure} />
      </Tabs>
    </Card>
  );
}

function useDays() {
  return useQuery({
    queryKey: ["office", "days"],
    queryFn: async ({ signal }) => {
      const asked = pages.map((page) => dataOf(api.officeTable({ table: "days", page }, { signal })));
      const got = await Promise.all(asked);
      return got.flatMap(({ rows }) => rows) as unknown as Row<"days">[];
    },
    refetchInterval: 60_000,
    refetchIntervalInBackground: false,
  });
}

function Chart({ measure }: { measure: Measure }) {
  const t = useOfficeText();
  const language = useLanguage();
  const days = useDays();
  const refused = days.data ? undefined : refusedBy(days.error);
  if (refused) return <RefusalNotice refused={refused} onRetry={() => void days.refetch()} />;
  if (!days.data) return <Skeleton height="15rem" />;
  const numbers = new Intl.NumberFormat(`${language}-u-nu-latn`);
  const isMoney = measure === "revenue" || measure === "top_ups";
  const say = (value: number) => (isMoney ? exactPrice(language, String(value)) : numbers.format(value));
  return (
    <BarChart
      key={measure}
      label={t("office.days.label", { name: t(`office.column.${measure}`) })}
      hint={t("partner.chart.keys")}
      scale={(value) => (isMoney || Number.isInteger(value) ? say(value) : "")}
      bars={lastDays(days.data, measure, new Date(days.dataUpdatedAt)).map(({ date, value }) => ({
        id: date,
        value,
        spoken: `${day(date)}: ${say(value)}`,
        mark: day(date).slice(0, 5),
        tooltip: (
          <>
            <span className={styles.soft}>{day(date)}</span>
            <Exact className={styles.dayValue}>{say(value)}</Exact>
          </>
        ),
      }))}
    />
  );
}
