import { ListChecks, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useOfficeText } from "../../language.tsx";
import { Button } from "../../ui/button/Button.tsx";
import type { Column } from "../../ui/display/Table.tsx";
import { SelectBox } from "../../ui/form/SelectBox.tsx";
import styles from "../Office.module.css";
import { useMayDo } from "../useMayDo.ts";
import type { RowAction } from "./RowActions.tsx";
import { type AnyRow, headingOf, type Row, type TableName, tableOf } from "./tableState.ts";

interface Chosen {
  columns: Column<AnyRow>[];
  bar: ReactNode;
}

/** Rows that are chosen for an action on all of them, also beyond the page. Without an action: nothing. */
export function useChosen<Name extends TableName>(
  name: Name,
  rows: readonly AnyRow[],
  action: RowAction<readonly Row<Name>[]> | undefined,
): Chosen {
  const t = useOfficeText();
  const mayDo = useMayDo();
  const [chosen, setChosen] = useState<ReadonlyMap<string, AnyRow>>(new Map());
  if (!action || !mayDo(action)) return { columns: [], bar: null };
  const table = tableOf(name);
  const keyOf = (row: AnyRow) => String(row[table.key]);
  const choose = (row: AnyRow, isChosen: boolean) => {
    const others = [...chosen].filter(([key]) => key !== keyOf(row));
    setChosen(new Map(isChosen ? [...others, [keyOf(row), row]] : others));
  };
  const boxes: Column<AnyRow> = {
    id: "chosen",
    header: t("select.all"),
    quiet: true,
    cell: (row) => (
      <SelectBox
        label={t("select.one", { email: String(row[table.key] ?? row[headingOf(table)]) })}
        checked={chosen.has(keyOf(row))}
        onChange={(isChosen) => choose(row, isChosen)}
      />
    ),
  };
  const bar = (
    <ChosenBar
      action={action}
      chosen={[...chosen.values()] as unknown as readonly Row<Name>[]}
      onAll={() => setChosen(new Map([...chosen, ...rows.map((row) => [keyOf(row), row] as const)]))}
      onNone={() => setChosen(new Map())}
    />
  );
  return { columns: [boxes], bar };
}

interface ChosenBarProps<Each> {
  action: RowAction<readonly Each[]>;
  chosen: readonly Each[];
  onAll: () => void;
  onNone: () => void;
}

function ChosenBar<Each>({ action, chosen, onAll, onNone }: ChosenBarProps<Each>) {
  const t = useOfficeText();
  const [isOpen, setOpen] = useState(false);
  const close = () => {
    setOpen(false);
    onNone();
  };
  return (
    <div className={styles.chosen}>
      <p role="status" className={styles.soft}>
        {t("select.count", { count: chosen.length })}
      </p>
      <Button tone="ghost" size="small" icon={<ListChecks aria-hidden size={16} />} onClick={onAll}>
        {t("select.all")}
      </Button>
      {chosen.length > 0 && (
        <>
          <Button tone="ghost" size="small" icon={<X aria-hidden size={16} />} onClick={onNone}>
            {t("select.clear")}
          </Button>
          <Button
            size="small"
            aria-haspopup="dialog"
            icon={<action.Icon aria-hidden size={16} />}
            onClick={() => setOpen(true)}
          >
            {t(action.label)}
          </Button>
        </>
      )}
      {isOpen && <action.Dialog row={chosen} onClose={close} />}
    </div>
  );
}
