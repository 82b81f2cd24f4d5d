import { Table2 } from "lucide-react";
import { useState } from "react";
import type { Account } from "../dashboard/account.ts";
import { balance as money, day } from "../format.ts";
import { useAppText, useLanguage } from "../language.tsx";
import { refusedBy } from "../serverState.tsx";
import { RefusalNotice } from "../RefusalNotice.tsx";
import { Button } from "../ui/button/Button.tsx";
import { Card } from "../ui/layout/Card.tsx";
import { EmptyState } from "../ui/feedback/EmptyState.tsx";
import { Loading } from "../ui/feedback/Loading.tsx";
import { type Column, Table } from "../ui/display/Table.tsx";
import { Tabs } from "../ui/layout/Tabs.tsx";
import { type Day, newestFirst, sum } from "./income.ts";
import styles from "./Partner.module.css";
import { useDailyEarnings, type EarningKind, earningKinds } from "./useDailyEarnings.ts";
import { Exact } from "../ui/display/Exact.tsx";

/** Days shown at first: one more than the longest month. */
const shownAtFirst = 31;

export function Statistics({ account }: { account: Account }) {
  const t = useAppText();
  const [way, setWay] = useState<EarningKind>("soft");
  return (
    <Card flush aria-label={t("partner.statistics")} className={styles.statistics}>
      <Tabs
        label={t("partner.statistics")}
        active={way}
        onSelect={setWay}
        tabs={earningKinds.map((id) => ({ id, label: t(`partner.tab.${id}`) }))}
      >
        <Days key={way} way={way} account={account} />
      </Tabs>
    </Card>
  );
}

type Row = Day & { isTotal?: boolean };

function Days({ way, account }: { way: EarningKind; account: Account }) {
  const t = useAppText();
  const series = useDailyEarnings(way);
  const [shown, setShown] = useState(shownAtFirst);
  const refused = series.data ? undefined : refusedBy(series.error);
  const columns = useColumns(way, account);
  if (refused) return <RefusalNotice inset refused={refused} onRetry={() => void series.refetch()} />;
  if (!series.data) return <Loading inset lines={4} />;
  if (series.data.length === 0) {
    return (
      <EmptyState icon={<Table2 aria-hidden size={22} />} title={t(`partner.none.${way}`)}>
        {t(`partner.none.${way}.text`)}
      </EmptyState>
    );
  }
  const days: Row[] = newestFirst(series.data);
  return (
    <>
      <Table
        dense
        caption={t("partner.statistics")}
        columns={columns}
        rows={[totalOf(days), ...days.slice(0, shown)]}
        rowKey={(row) => row.date}
        rowClass={({ isTotal }) => (isTotal ? styles.total : undefined)}
      />
      {days.length > shown && (
        <div className={styles.more}>
          <Button tone="secondary" onClick={() => setShown(Number.POSITIVE_INFINITY)}>
            {t("partner.days.all")}
          </Button>
        </div>
      )}
    </>
  );
}

function useColumns(way: EarningKind, account: Account): Column<Row>[] {
  const t = useAppText();
  const language = useLanguage();
  const softId: Column<Row>[] =
    way === "soft"
      ? [{ id: "soft", header: t("partner.soft.title"), cell: () => <Exact>{account.soft.id}</Exact> }]
      : [];
  return [
    {
      id: "date",
      header: t("partner.date"),
      heading: true,
      cell: ({ date, isTotal }) => (isTotal ? t("partner.way.total") : <Exact>{day(date)}</Exact>),
    },
    ...softId,
    { id: "count", header: t("partner.count"), align: "end", cell: ({ count }) => <Exact>{count}</Exact> },
    {
      id: "earned",
      header: t("partner.earned"),
      align: "end",
      cell: ({ earned }) => <Exact>{money(language, earned)}</Exact>,
    },
  ];
}

function totalOf(days: readonly Day[]): Row {
  return {
    date: "total",
    isTotal: true,
    earned: sum(days.map(({ earned }) => earned)),
    count: days.reduce((all, { count }) => all + count, 0),
  };
}
