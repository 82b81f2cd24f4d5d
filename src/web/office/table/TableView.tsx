import { Inbox, SearchX } from "lucide-react";
import { useState } from "react";
import { useLocation } from "wouter";
import { useLanguage, useOfficeText } from "../../language.tsx";
import { RefusalNotice } from "../../RefusalNotice.tsx";
import { Button } from "../../ui/button/Button.tsx";
import { Card } from "../../ui/layout/Card.tsx";
import { EmptyState } from "../../ui/feedback/EmptyState.tsx";
import { Loading } from "../../ui/feedback/Loading.tsx";
import { Pagination } from "../../ui/display/Pagination.tsx";
import { type Column, Table } from "../../ui/display/Table.tsx";
import { pageOfRow } from "../objects/objects.ts";
import { PastLastPage } from "./PastLastPage.tsx";
import { CellView } from "./CellView.tsx";
import { useChosen } from "./Chosen.tsx";
import { headerOf } from "./headerOf.ts";
import styles from "../Office.module.css";
import { useMayDo } from "../useMayDo.ts";
import { type RowAction, RowActions, type RowLink } from "./RowActions.tsx";
import {
  type AnyRow,
  columnsOf,
  isNarrowed,
  headingOf,
  numeric,
  type Row,
  type TableName,
  nextSort,
  type TableState,
} from "./tableState.ts";
import { searchedIn } from "./searched.ts";
import { TableTools } from "./TableTools.tsx";
import { useRows, useTableState } from "./useTable.ts";

/** Of the table, and of no row. */
export type TableAction = RowAction<undefined>;

interface TableViewProps<Name extends TableName> {
  name: Name;
  title: string;
  actions?: readonly RowAction<Row<Name>>[] | undefined;
  links?: readonly RowLink<Row<Name>>[] | undefined;
  tableActions?: readonly TableAction[] | undefined;
  /** Of the rows that are chosen. */
  chosenAction?: RowAction<readonly Row<Name>[]>;
}

/** A table of the contract. The server searches, filters, sorts and pages; the address keeps the state. */
export function TableView<Name extends TableName>(props: TableViewProps<Name>) {
  const { name, title, actions, links: ways, tableActions, chosenAction } = props;
  const t = useOfficeText();
  const { table, state, change } = useTableState(name);
  const { rows, total, more, pages, readAt, isStale, isFetching, refused, reload } = useRows(name, state);
  const columns = useColumns(name, actions, ways, { rows: rows ?? [], at: readAt });
  const chosen = useChosen(name, rows ?? [], chosenAction);
  const language = useLanguage();
  const [, navigate] = useLocation();
  const counted = more ? t("office.rows.more", { max: total }) : t("office.rows", { count: total });
  return (
    <>
      {tableActions && <TableActions tableActions={tableActions} />}
      <Card flush aria-label={title}>
        <TableTools
          name={name}
          isFetching={isFetching}
          onReload={reload}
          found={rows && !isStale ? counted : undefined}
        />
        {chosen.bar}
        {refused && <RefusalNotice inset refused={refused} onRetry={reload} />}
        {!rows && !refused && <Loading inset lines={8} />}
        {rows && (
          <div aria-busy={isStale} className={isStale ? styles.stale : undefined}>
            {rows.length === 0 && pages > 0 ? (
              <PastLastPage pages={pages} onLast={() => change({ page: pages })} />
            ) : rows.length === 0 ? (
              <NoRows name={name} state={state} />
            ) : (
              <Table
                key={name}
                caption={title}
                columns={[...chosen.columns, ...columns]}
                rows={rows}
                rowKey={(row) => String(row[table.key])}
                onRow={(row) => navigate(pageOfRow(language, name, row) ?? "")}
                isOpenable={(row) => pageOfRow(language, name, row) !== undefined}
              />
            )}
            <div className={styles.foot}>
              <p role="status" className={styles.soft}>
                {!isNarrowed(state) && counted}
              </p>
              <Pagination
                page={Math.min(state.page, pages)}
                pages={pages}
                onPage={(page) => change({ page })}
              />
            </div>
          </div>
        )}
      </Card>
    </>
  );
}

function NoRows({ name, state }: { name: TableName; state: TableState }) {
  const t = useOfficeText();
  const isSearched = state.search !== "";
  const Icon = isNarrowed(state) ? SearchX : Inbox;
  return (
    <EmptyState
      icon={<Icon aria-hidden size={22} />}
      title={t(isNarrowed(state) ? "office.empty" : "office.none")}
    >
      {isSearched ? t("office.empty.hint", { what: t(searchedIn(name)) }) : undefined}
    </EmptyState>
  );
}

function useColumns<Name extends TableName>(
  name: Name,
  actions: readonly RowAction<Row<Name>>[] | undefined,
  ways: readonly RowLink<Row<Name>>[] | undefined,
  beside: { rows: readonly AnyRow[]; at: number },
): Column<AnyRow>[] {
  const t = useOfficeText();
  const { table, state, change } = useTableState(name);
  const columns = columnsOf(table).map(([id, column]): Column<AnyRow> => {
    const order =
      state.sort === id
        ? ("ascending" as const)
        : state.sort === `-${id}`
          ? ("descending" as const)
          : undefined;
    return {
      id,
      header: headerOf(t, id, column),
      heading: id === headingOf(table),
      ...(numeric.has(column.kind) && { align: "end" as const }),
      sort: column.sort && { order, onSort: () => change({ sort: nextSort(state.sort, id) }) },
      cell: (row) => {
        const value = row[id] ?? null;
        return <CellView table={name} name={id} column={column} value={value} beside={beside} />;
      },
    };
  });
  if (!actions) return columns;
  return [
    ...columns,
    {
      id: "acts",
      header: t("office.acts"),
      quiet: true,
      cell: (row) => (
        <RowActions
          actions={actions}
          links={ways}
          row={row as unknown as Row<Name>}
          name={String(row[headingOf(table)])}
        />
      ),
    },
  ];
}

function TableActions({ tableActions }: { tableActions: readonly TableAction[] }) {
  const t = useOfficeText();
  const mayDo = useMayDo();
  const [open, setOpen] = useState<TableAction>();
  return (
    <div className={styles.tableActions}>
      {tableActions.filter(mayDo).map((one) => (
        <Button
          key={one.label}
          tone="secondary"
          aria-haspopup="dialog"
          icon={<one.Icon aria-hidden size={17} />}
          onClick={() => setOpen(one)}
        >
          {t(one.label)}
        </Button>
      ))}
      {open && <open.Dialog row={undefined} onClose={() => setOpen(undefined)} />}
    </div>
  );
}
