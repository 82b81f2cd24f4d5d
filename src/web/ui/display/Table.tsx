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
  /** The cell that names the row: bold, the card's title on phones. */
  heading?: boolean;
  /** Makes the header a sort button; `order` is the current one, if any. */
  sort?: { order: "ascending" | "descending" | undefined; onSort: () => void } | undefined;
  /** Hides its header visually (a column of buttons). */
  quiet?: boolean;
  /** Left out where a dense table has no room for it. */
  spare?: boolean;
}

interface TableProps<Row> {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** A press on the row, except its buttons. Add a button for the keyboard: rows take no focus. */
  onRow?: ((row: Row) => void) | undefined;
  isOpenable?: ((row: Row) => boolean) | undefined;
  rowClass?: ((row: Row) => string | undefined) | undefined;
  /** Stays a table on phones: for a few narrow columns. */
  dense?: boolean;
  /** On tablets the last two cells move below the figures. */
  folds?: boolean;
}

export function Table<Row>(props: TableProps<Row>) {
  const { caption, columns, rows, rowKey, onRow, isOpenable, rowClass, dense, folds } = props;
  const opens = (row: Row) => onRow !== undefined && (isOpenable?.(row) ?? true);
  const { frame, scrolls } = useScrolls();
  return (
    <div
      ref={frame}
      className={classNames(styles.frame, scrolls && styles.scrolls)}
      // Focusable, so that arrow keys scroll it.
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
                data-spare={column.spare}
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
      {/* Cards hide their headers, so nothing in them may take the focus. */}
      <span className={styles.unsorted}>{header}</span>
    </>
  );
}

/** Whether the table overflows; changes with window, font and rows. */
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
      data-spare={column.spare}
      data-label={column.quiet || column.heading ? undefined : column.header}
      className={classNames(column.heading && styles.heading, column.quiet && styles.actions)}
    >
      {column.cell(row)}
    </Tag>
  );
}
