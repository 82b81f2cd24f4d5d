import type { MouseEvent, ReactNode } from "react";
import { classes } from "./classes.ts";
import styles from "./Table.module.css";

export interface Column<Row> {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  align?: "start" | "end";
  /** The cell that names the row: bold, and the title of the card on phones. */
  heading?: boolean;
  /** Says its header only to screen readers (a column of buttons). */
  quiet?: boolean;
}

interface TableProps<Row> {
  /** Names the table for screen readers. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** A press anywhere on the row but on its buttons. Give a button in a cell too: rows take no keyboard focus. */
  onRow?: ((row: Row) => void) | undefined;
  /** Which rows react to the press. */
  isOpenable?: ((row: Row) => boolean) | undefined;
  rowClass?: ((row: Row) => string | undefined) | undefined;
}

/** A table that becomes a list of cards on phones, each value with its header. */
export function Table<Row>({ caption, columns, rows, rowKey, onRow, isOpenable, rowClass }: TableProps<Row>) {
  const opens = (row: Row) => onRow !== undefined && (isOpenable?.(row) ?? true);
  return (
    <div className={styles.frame}>
      <table className={styles.table}>
        <caption className={styles.hidden}>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.id} scope="col" data-align={column.align}>
                <span className={column.quiet ? styles.hidden : undefined}>{column.header}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={rowKey(row)}
              className={classes(opens(row) && styles.openable, rowClass?.(row))}
              onClick={opens(row) ? (event) => unlessControl(event, () => onRow?.(row)) : undefined}
            >
              {columns.map((column) => (
                <Cell key={column.id} column={column} row={row} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const Tag = column.heading ? "th" : "td";
  return (
    <Tag
      scope={column.heading ? "row" : undefined}
      data-align={column.align}
      data-label={column.quiet || column.heading ? undefined : column.header}
      className={classes(column.heading && styles.heading, column.quiet && styles.actions)}
    >
      {column.cell(row)}
    </Tag>
  );
}

/** A press on a button or a link inside the row, or a selection of text, is not a press on the row. */
function unlessControl(event: MouseEvent<HTMLElement>, act: () => void) {
  const control = event.target instanceof Element && event.target.closest("a,button,input,select,label");
  if (!control && !getSelection()?.toString()) act();
}
