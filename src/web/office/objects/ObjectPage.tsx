import { SearchX } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useSearch } from "wouter";
import { useOfficeText } from "../../language.tsx";
import type { OfficeObject } from "../../paths.ts";
import { RefusalNotice } from "../../RefusalNotice.tsx";
import { Button } from "../../ui/button/Button.tsx";
import { EmptyState } from "../../ui/feedback/EmptyState.tsx";
import { Loading } from "../../ui/feedback/Loading.tsx";
import { Card } from "../../ui/layout/Card.tsx";
import styles from "../Office.module.css";
import { CellView } from "../table/CellView.tsx";
import type { RowAction } from "../table/RowActions.tsx";
import { headerOf } from "../table/headerOf.ts";
import { columnsOf, type Row, type TableName, tableOf } from "../table/tableState.ts";
import { useMayDo } from "../useMayDo.ts";
import { useRows } from "../table/useTable.ts";

/** The number in the address. */
export const useObjectId = (): string => new URLSearchParams(useSearch()).get("id") ?? "";

interface ObjectPageProps<Name extends TableName> {
  object: OfficeObject;
  /** The table that has its row. */
  name: Name;
  /** The column that it is called by, if not by its number. */
  heading?: keyof Row<Name> & string;
  actions: readonly RowAction<Row<Name>>[];
  /** Facts that the row has not. */
  facts?: ReactNode;
  children: (row: Row<Name>, id: string) => ReactNode;
}

/** One thing by its number: what it is, what can be done with it, and all that belongs to it. */
export function ObjectPage<Name extends TableName>(props: ObjectPageProps<Name>) {
  const { object, name, heading, actions, facts, children } = props;
  const t = useOfficeText();
  const id = useObjectId();
  const ask = { search: id === "" ? "-" : id, filters: {}, sort: tableOf(name).sort, page: 1 };
  const { rows, isStale, refused, reload } = useRows(name, ask);
  const row = rows?.find((one) => one[tableOf(name).key] === id) as Row<Name> | undefined;
  const called = heading && row?.[heading];
  const title = typeof called === "string" ? called : t(`office.object.${object}`, { id });
  return (
    <>
      <h1 className={styles.title}>
        <bdi>{title}</bdi>
      </h1>
      {refused && <RefusalNotice refused={refused} onRetry={reload} />}
      {!refused && !row && (!rows || isStale) && <Loading lines={8} />}
      {!refused && !row && rows && !isStale && (
        <EmptyState icon={<SearchX aria-hidden size={22} />} title={t(`office.object.${object}.none`)} />
      )}
      {row && (
        <>
          <div className={styles.person}>
            <Facts name={name} row={row} title={title} without={heading ?? tableOf(name).key}>
              {facts}
            </Facts>
            <Acts actions={actions} row={row} />
          </div>
          {children(row, id)}
        </>
      )}
    </>
  );
}

interface FactsProps<Name extends TableName> {
  name: Name;
  row: Row<Name>;
  title: string;
  /** The column that the title says. */
  without: string;
  children: ReactNode;
}

function Facts<Name extends TableName>({ name, row, title, without, children }: FactsProps<Name>) {
  const t = useOfficeText();
  const shown = columnsOf(tableOf(name)).filter(([column]) => column !== without);
  return (
    <Card aria-label={title}>
      <dl className={styles.facts}>
        {shown.map(([column, declared]) => (
          <Fact key={column} label={headerOf(t, column, declared)}>
            <CellView
              table={name}
              name={column}
              column={declared}
              value={row[column as unknown as keyof Row<Name>]}
            />
          </Fact>
        ))}
        {children}
      </dl>
    </Card>
  );
}

export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface ActsProps<Of> {
  actions: readonly RowAction<Of>[];
  row: Of;
}

/** Only those that will not be refused; what takes something away stands apart. */
function Acts<Of>({ actions, row }: ActsProps<Of>) {
  const t = useOfficeText();
  const [open, setOpen] = useState<RowAction<Of>>();
  const mayDo = useMayDo();
  const fitting = actions.filter((action) => mayDo(action) && (action.fits?.(row) ?? true));
  if (fitting.length === 0) return null;
  const group = (isDangerous: boolean) => (
    <div className={styles.list}>
      {fitting
        .filter((act) => (act.isDangerous === true) === isDangerous)
        .map((act) => (
          <Button
            key={act.label}
            wide
            tone="secondary"
            className={isDangerous ? styles.danger : undefined}
            aria-haspopup="dialog"
            icon={<act.Icon aria-hidden size={17} />}
            onClick={() => setOpen(act)}
          >
            {t(act.label)}
          </Button>
        ))}
    </div>
  );
  return (
    <Card aria-label={t("office.acts")} className={styles.acts}>
      {group(false)}
      {group(true)}
      {open && <open.Dialog row={row} onClose={() => setOpen(undefined)} />}
    </Card>
  );
}
