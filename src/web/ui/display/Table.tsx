import { ArrowDown, ArrowUp, ChevronsUpDown } from "lucide-react";
import { type CSSProperties, type ReactNode, useCallback, useState } from "react";
import { classNames } from "../layout/classNames.ts";
import styles from "./Table.module.css";
import { unlessOnControl } from "../button/unlessOnControl.ts";

export interface Column<Row> {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  align?: "start" | "end";
  /** The cell that names the row: bold, and the title of the card on phones. */
  heading?: boolean;
  /** Its heading is a button that puts the rows in its order; `order` is the one that they are in, if they are. */
  sort?: { order: "ascending" | "descending" | undefined; onSort: () => void } | undefined;
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
  /** A few narrow columns, which stay a table on phones: cards of single figures would be a mile long. */
  dense?: boolean;
  /** On tablets the last two cells, which hold words, stand below the figures: beside them they would have no room. */
  folds?: boolean;
}

/** A table that becomes a list of cards on phones, each value with its header. */
export function Table<Row>(props: TableProps<Row>) {
  const { caption, columns, rows, rowKey, onRow, isOpenable, rowClass, dense, folds } = props;
  const opens = (row: Row) => onRow !== undefined && (isOpenable?.(row) ?? true);
  const { frame, scrolls } = useScrolls();
  return (
    <div
      ref={frame}
      className={classNames(styles.frame, scrolls && styles.scrolls)}
      // Who has no pointer scrolls it by the arrow keys.
      {...(scrolls && { tabIndex: 0, role: "group", "aria-label": caption })}
    >
      <table
        className={classNames(styles.table, dense ? styles.dense : styles.cards, folds && styles.folds)}
        style={folds ? ({ "--figures": columns.length - 2 } as CSSProperties) : undefined}
      >
        <caption className={styles.hidden}>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.id}
                scope="col"
                data-align={column.align}
                aria-sort={column.sort?.order}
                className={column.quiet ? styles.actions : undefined}
              >
                <Heading column={column} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={rowKey(row)}
              className={classNames(opens(row) && styles.openable, rowClass?.(row))}
              onClick={opens(row) ? (event) => unlessOnControl(event, () => onRow?.(row)) : undefined}
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

const orderIcons = { ascending: ArrowUp, descending: ArrowDown };

function Heading<Row>({ column: { header, quiet, sort } }: { column: Column<Row> }) {
  if (!sort) return <span className={quiet ? styles.hidden : undefined}>{header}</span>;
  const Icon = sort.order ? orderIcons[sort.order] : ChevronsUpDown;
  return (
    <>
      <button type="button" className={styles.sort} onClick={sort.onSort}>
        {header}
        <Icon aria-hidden size={14} className={styles.order} />
      </button>
      {/* Nobody sees the headings of cards, so nothing in them may take the focus. */}
      <span className={styles.unsorted}>{header}</span>
    </>
  );
}

/** Is there more than fits? Only the browser knows, and it changes with the window, the font and the rows. */
function useScrolls() {
  const [scrolls, setScrolls] = useState(false);
  const frame = useCallback((element: HTMLDivElement | null) => {
    if (!element) return undefined;
    const watch = new ResizeObserver(() => setScrolls(element.scrollWidth > element.clientWidth));
    for (const watched of [element, ...element.children]) watch.observe(watched);
    return () => watch.disconnect();
  }, []);
  return { frame, scrolls };
}

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const Tag = column.heading ? "th" : "td";
  return (
    <Tag
      scope={column.heading ? "row" : undefined}
      data-align={column.align}
      data-label={column.quiet || column.heading ? undefined : column.header}
      className={classNames(column.heading && styles.heading, column.quiet && styles.actions)}
    >
      {column.cell(row)}
    </Tag>
  );
}
