import { useState } from "react";
import { Link, useLocation } from "wouter";
import { useLanguage, useOfficeText } from "../../language.tsx";
import { type OfficeSection, paths } from "../../paths.ts";
import { RefusalNotice } from "../../RefusalNotice.tsx";
import { Button } from "../../ui/button/Button.tsx";
import { Pagination } from "../../ui/display/Pagination.tsx";
import { type Column, Table } from "../../ui/display/Table.tsx";
import { Loading } from "../../ui/feedback/Loading.tsx";
import { Card } from "../../ui/layout/Card.tsx";
import styles from "../Office.module.css";
import { pageOfRow } from "../objects/objects.ts";
import { CellView } from "./CellView.tsx";
import { headerOf } from "./headerOf.ts";
import { type AnyRow, columnsOf, headingOf, numeric, type TableName, tableOf } from "./tableState.ts";
import { useRows } from "./useTable.ts";

const shownRows = 8;

const none = {};

interface TablePartProps {
  name: TableName;
  title: string;
  search?: string;
  filters?: Readonly<Record<string, string>>;
  /** The column that all rows have alike. */
  without?: string;
  /** Nothing is shown where it has no rows. */
  isQuiet?: true;
  /** Where the whole table is. */
  whole?: { section: OfficeSection; query: Readonly<Record<string, string>> };
}

/** The first rows of a table, for a page of several. */
export function TablePart(props: TablePartProps) {
  const { name, title, search = "", filters = none, without, isQuiet, whole } = props;
  const t = useOfficeText();
  const language = useLanguage();
  const [, navigate] = useLocation();
  const table = tableOf(name);
  const [isWhole, setWhole] = useState(false);
  const [page, setPage] = useState(1);
  const { rows, total, more, pages, readAt, refused, reload } = useRows(name, {
    search,
    filters,
    sort: table.sort,
    page,
  });
  const columns = useColumns(name, without, { rows: rows ?? [], at: readAt });
  if (isQuiet && !refused && !(rows && rows.length > 0)) return null;
  const count = more ? t("office.rows.more", { max: total }) : t("office.rows", { count: total });
  return (
    <Card flush aria-label={title}>
      <div className={styles.partHead}>
        <h2 className={styles.partTitle}>{title}</h2>
        {whole && total > shownRows && (
          <Link href={`${paths.office(language, whole.section)}?${new URLSearchParams(whole.query)}`}>
            {count}
          </Link>
        )}
        {!whole && !isWhole && total > shownRows && (
          <Button tone="ghost" size="small" onClick={() => setWhole(true)}>
            {t("office.part.all", { rows: count })}
          </Button>
        )}
      </div>
      {refused && <RefusalNotice inset refused={refused} onRetry={reload} />}
      {!rows && !refused && <Loading inset lines={3} />}
      {rows?.length === 0 && (
        <p className={styles.partNone}>{t(search === "" ? "office.none" : "office.empty")}</p>
      )}
      {rows && rows.length > 0 && (
        <Table
          caption={title}
          columns={columns}
          rows={isWhole ? rows : rows.slice(0, shownRows)}
          rowKey={(row) => String(row[table.key])}
          onRow={(row) => navigate(pageOfRow(language, name, row) ?? "")}
          isOpenable={(row) => pageOfRow(language, name, row) !== undefined}
        />
      )}
      {isWhole && <Pagination page={page} pages={pages} onPage={setPage} />}
    </Card>
  );
}

function useColumns(
  name: TableName,
  without: string | undefined,
  beside: { rows: readonly AnyRow[]; at: number },
): Column<AnyRow>[] {
  const t = useOfficeText();
  const table = tableOf(name);
  return columnsOf(table)
    .filter(([id]) => id !== without)
    .map(([id, column]) => ({
      id,
      header: headerOf(t, id, column),
      heading: id === headingOf(table),
      ...(numeric.has(column.kind) && { align: "end" as const }),
      cell: (row) => (
        <CellView table={name} name={id} column={column} value={row[id] ?? null} beside={beside} />
      ),
    }));
}
