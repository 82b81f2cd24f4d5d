import { RotateCw, Search, X } from "lucide-react";
import type { FormEvent } from "react";
import type { OfficeColumn } from "../../../contract/office/office.ts";
import { fetchFile } from "../../api.ts";
import { useOfficeText } from "../../language.tsx";
import { DownloadButton } from "../../DownloadButton.tsx";
import { hasPeriod, noPeriod } from "../../period/period.ts";
import { PeriodChips } from "../../period/PeriodChips.tsx";
import { periodText } from "../../period/periodText.ts";
import { FilterChips } from "../../ui/button/FilterChips.tsx";
import { useMinimumDuration } from "../../ui/feedback/useMinimumDuration.ts";
import { Button } from "../../ui/button/Button.tsx";
import { IconButton } from "../../ui/button/IconButton.tsx";
import { Input } from "../../ui/form/Input.tsx";
import { Select } from "../../ui/form/Select.tsx";
import { Spinner } from "../../ui/feedback/Spinner.tsx";
import styles from "../Office.module.css";
import { officeRefusalText } from "../officeRefusalText.ts";
import { searchedIn } from "./searched.ts";
import { type ChoiceValue, type ColumnName, columnsOf, isNarrowed, type TableName } from "./tableState.ts";
import { formText } from "../formText.ts";
import { askOf, useTableState } from "./useTable.ts";

const spinnerMilliseconds = 600;

interface TableToolsProps {
  name: TableName;
  isFetching: boolean;
  onReload: () => void;
  /** How many rows there are; undefined until it is known. */
  found: string | undefined;
}

export function TableTools({ name, isFetching, onReload, found }: TableToolsProps) {
  const t = useOfficeText();
  const { table, state, change } = useTableState(name);
  const spins = useMinimumDuration(isFetching, spinnerMilliseconds);
  const filterable = columnsOf(table).filter(([, { filter }]) => filter);
  const { search, filters } = state;
  const isAsked = isNarrowed(state);
  const chips = [
    search !== "" && { id: "search", label: search, onRemove: () => change({ search: "" }) },
    ...filterable.flatMap(([id, column]) => {
      const value = filters[id];
      if (value === undefined) return [];
      const { [id]: _, ...others } = filters;
      const label = t("office.filter", {
        name: t(`office.column.${id}`),
        value: wordOf(t, column, value),
      });
      return { id, label, onRemove: () => change({ filters: others }) };
    }),
    hasPeriod(state) && { id: "period", label: periodText(t, state), onRemove: () => change(noPeriod) },
  ].filter((chip) => chip !== false);
  return (
    <div className={styles.tools}>
      {table.search && <SearchField name={name} />}
      {filterable.map(([id, column]) => (
        <Filter key={id} name={name} id={id} column={column} />
      ))}
      {table.time !== undefined && <PeriodChips period={state} onPeriod={change} />}
      <Order name={name} />
      {isAsked && (
        <Button
          tone="ghost"
          icon={<X aria-hidden size={16} />}
          onClick={() => change({ search: "", filters: {}, ...noPeriod })}
        >
          {t("office.clear")}
        </Button>
      )}
      <div className={styles.ends}>
        <IconButton
          label={t("office.reload")}
          icon={spins ? <Spinner size={17} /> : <RotateCw aria-hidden size={17} />}
          aria-busy={spins}
          onClick={onReload}
        />
        <TableDownload name={name} />
      </div>
      {isAsked && <FilterChips className={styles.narrowed} filters={chips} found={found} />}
    </div>
  );
}

/** A value of a filter as the choice of it says. */
function wordOf(t: ReturnType<typeof useOfficeText>, { kind }: OfficeColumn, value: string): string {
  if (kind === "flag") return t(value === "1" ? "office.yes" : "office.no");
  return kind === "choice" ? t(`office.choice.${value as ChoiceValue}`) : value;
}

function SearchField({ name }: { name: TableName }) {
  const t = useOfficeText();
  const { state, change } = useTableState(name);
  const search = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    change({ search: formText(new FormData(event.currentTarget), "search") });
  };
  return (
    <form role="search" className={styles.search} onSubmit={search}>
      <Input
        // "Back" restores the words of the search.
        key={state.search}
        name="search"
        type="search"
        aria-label={t("office.search")}
        placeholder={t(searchedIn(name))}
        title={t(searchedIn(name))}
        defaultValue={state.search}
        maxLength={200}
        autoComplete="off"
      />
      <IconButton type="submit" label={t("office.search.do")} icon={<Search aria-hidden size={17} />} />
    </form>
  );
}

function Filter({ name, id, column }: { name: TableName; id: ColumnName; column: OfficeColumn }) {
  const t = useOfficeText();
  const { state, change } = useTableState(name);
  const label = t(`office.column.${id}`);
  const value = state.filters[id] ?? "";
  const filter = (next: string) => {
    const { [id]: _, ...others } = state.filters;
    change({ filters: next === "" ? others : { ...others, [id]: next } });
  };
  const say = (choice: string) => t("office.filter", { name: label, value: choice });
  if (column.kind !== "flag" && column.kind !== "choice") {
    return <WordFilter key={value} label={label} value={value} onFilter={filter} />;
  }
  const choices =
    column.kind === "flag"
      ? [
          { value: "1", label: say(t("office.yes")) },
          { value: "0", label: say(t("office.no")) },
        ]
      : (column.of ?? []).map((one) => ({
          value: one,
          label: say(t(`office.choice.${one as ChoiceValue}`)),
        }));
  return (
    <Select
      aria-label={label}
      className={styles.filter}
      value={value}
      choices={[{ value: "", label: say(t("office.all")) }, ...choices]}
      onChange={(event) => filter(event.target.value)}
    />
  );
}

function WordFilter({
  label,
  value,
  onFilter,
}: {
  label: string;
  value: string;
  onFilter: (next: string) => void;
}) {
  const take = (typed: string) => {
    // Commas separate the filters on the wire.
    const next = typed.replaceAll(",", "").trim();
    if (next !== value) onFilter(next);
  };
  return (
    <Input
      aria-label={label}
      placeholder={label}
      defaultValue={value}
      className={styles.word}
      autoComplete="off"
      onBlur={(event) => take(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === "Enter") take(event.currentTarget.value);
      }}
    />
  );
}

/** The orders of the headings, for layouts without headings. */
function Order({ name }: { name: TableName }) {
  const t = useOfficeText();
  const { table, state, change } = useTableState(name);
  const choices = columnsOf(table)
    .filter(([, { sort }]) => sort)
    .flatMap(([id]) => [
      { value: id, label: t("office.sort.up", { name: t(`office.column.${id}`) }) },
      { value: `-${id}`, label: t("office.sort.down", { name: t(`office.column.${id}`) }) },
    ]);
  return (
    <span className={styles.order}>
      <Select
        aria-label={t("office.sort")}
        value={state.sort}
        choices={choices}
        onChange={(event) => change({ sort: event.target.value })}
      />
    </span>
  );
}

/** Downloads all matching rows, not this page alone. */
function TableDownload({ name }: { name: TableName }) {
  const t = useOfficeText();
  const { state } = useTableState(name);
  return (
    <DownloadButton
      name={name}
      label={t("office.download")}
      fetchFile={() => fetchFile("officeFile", askOf(name, state))}
      refusalText={(refused) => officeRefusalText(t, refused)}
    >
      CSV
    </DownloadButton>
  );
}
