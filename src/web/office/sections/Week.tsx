import type { ReactNode } from "react";
import type { Language } from "../../../i18n/languages.ts";
import { percent } from "../../format.ts";
import { useLanguage, useOfficeText } from "../../language.tsx";
import { Exact } from "../../ui/display/Exact.tsx";
import { type Column, Table } from "../../ui/display/Table.tsx";
import { Card } from "../../ui/layout/Card.tsx";
import { ChangeText } from "./ChangeText.tsx";
import { changeOf } from "./figures.ts";
import styles from "./Overview.module.css";
import type { State } from "./useOverview.ts";

type Week = NonNullable<State["week"]>;
type Changed = Week["sites"][number];

/** Stock that runs out first, and what sold more or less than in the week before. */
export function Week({ state: { week } }: { state: State }) {
  return (
    <>
      <Stock rows={week?.stock ?? []} />
      <div className={styles.pair}>
        <Changes name="sites" rows={week?.sites ?? []} />
        <Changes name="domains" rows={week?.domains ?? []} />
      </div>
    </>
  );
}

function Stock({ rows }: { rows: Week["stock"] }) {
  const t = useOfficeText();
  const language = useLanguage();
  const lasting = new Intl.NumberFormat(`${language}-u-nu-latn`, {
    style: "unit",
    unit: "day",
    unitDisplay: "long",
  });
  const numbers = new Intl.NumberFormat(`${language}-u-nu-latn`);
  const columns: Column<Week["stock"][number]>[] = [
    { id: "site", header: t("office.column.site"), heading: true, cell: ({ site }) => <Exact>{site}</Exact> },
    { id: "domain", header: t("office.column.domain"), cell: ({ domain }) => <Exact>{domain}</Exact> },
    {
      id: "available",
      header: t("office.week.available"),
      align: "end",
      cell: ({ available }) => <Exact>{numbers.format(available)}</Exact>,
    },
    {
      id: "days",
      header: t("office.week.lasts"),
      align: "end",
      cell: ({ days }) => (
        <span className={days < 3 ? styles.short : undefined}>
          {days < 1 ? t("office.week.today") : lasting.format(Math.floor(days))}
        </span>
      ),
    },
  ];
  return (
    <Listed
      id="office-stock"
      title={t("office.week.stock")}
      text={t("office.week.stock.text")}
      rows={rows}
      none={t("office.week.stock.none")}
    >
      <Table
        caption={t("office.week.stock")}
        columns={columns}
        rows={rows}
        rowKey={({ site, domain }) => `${site} ${domain}`}
      />
    </Listed>
  );
}

function Changes({ name, rows }: { name: "sites" | "domains"; rows: Changed[] }) {
  const t = useOfficeText();
  const language = useLanguage();
  const numbers = new Intl.NumberFormat(`${language}-u-nu-latn`);
  const columns: Column<Changed>[] = [
    {
      id: "name",
      header: t(`office.column.${name === "sites" ? "site" : "domain"}`),
      heading: true,
      cell: (row) => <Exact>{row.name}</Exact>,
    },
    {
      id: "orders",
      header: t("office.week.orders"),
      align: "end",
      cell: (row) => <Exact>{numbers.format(row.orders)}</Exact>,
    },
    {
      id: "change",
      header: t("office.week.change"),
      align: "end",
      cell: ({ orders, before }) => (
        <span className={styles.change}>
          <ChangeText
            measure="orders"
            change={changeOf("orders", orders, before)}
            before={before === null ? "—" : numbers.format(before)}
          />
        </span>
      ),
    },
    {
      id: "success",
      header: t("office.measure.success"),
      align: "end",
      spare: true,
      cell: (row) => <Exact>{successText(language, row)}</Exact>,
    },
  ];
  return (
    <Listed
      id={`office-week-${name}`}
      title={t(`office.week.${name}`)}
      text={t("office.week.text")}
      rows={rows}
      none={t("office.week.none")}
    >
      <Table
        dense
        caption={t(`office.week.${name}`)}
        columns={columns}
        rows={rows}
        rowKey={(row) => row.name}
      />
    </Listed>
  );
}

const successText = (language: Language, { orders, received }: Changed) =>
  orders === 0 ? "—" : percent(language, Math.round((received / orders) * 1000) / 1000);

interface ListedProps<Row> {
  id: string;
  title: string;
  text: string;
  none: string;
  rows: readonly Row[];
  children: ReactNode;
}

function Listed<Row>({ id, title, text, none, rows, children }: ListedProps<Row>) {
  return (
    <Card flush aria-labelledby={id}>
      <header className={styles.listHead}>
        <h2 id={id} className={styles.listTitle}>
          {title}
        </h2>
        <p className={styles.soft}>{rows.length === 0 ? none : text}</p>
      </header>
      {rows.length > 0 && children}
    </Card>
  );
}
