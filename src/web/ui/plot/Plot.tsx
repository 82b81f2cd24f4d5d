import { ChartLine, Table2 } from "lucide-react";
import { type KeyboardEvent, type PointerEvent, useState } from "react";
import { Button } from "../button/Button.tsx";
import { Exact } from "../display/Exact.tsx";
import { type Column, Table } from "../display/Table.tsx";
import styles from "./Plot.module.css";
import { scaleEnd } from "./scaleEnd.ts";

/** One step of a plot: its value as a number for the drawing, and as people read it. */
export interface PlotPoint {
  id: string;
  /** The whole time, and the short one below the plot. */
  time: string;
  mark: string;
  /** null: not known. */
  value: number | null;
  shown: string;
  before?: number | null;
  shownBefore?: string;
  /** A further line of the tooltip. */
  note?: string;
}

export interface PlotTexts {
  /** How the arrow keys are used. */
  keys: string;
  table: string;
  plot: string;
  /** Of the columns, and of the lines where there are two. */
  time: string;
  now: string;
  before?: string;
}

interface PlotProps {
  label: string;
  look: "lines" | "bars";
  /** Oldest first. */
  points: readonly PlotPoint[];
  /** The last step is not over yet. */
  isOpen?: boolean;
  scale: (value: number) => string;
  texts: PlotTexts;
}

/** A plot that is read by pointer, by arrow keys, and as a table. */
export function Plot(props: PlotProps) {
  const { texts, points, label } = props;
  const [isTable, setTable] = useState(false);
  return (
    <figure aria-label={label} className={styles.figure}>
      <div className={styles.head}>
        {texts.before !== undefined && !isTable && <Legend texts={texts} />}
        <Button
          size="small"
          tone="ghost"
          icon={isTable ? <ChartLine aria-hidden size={16} /> : <Table2 aria-hidden size={16} />}
          onClick={() => setTable(!isTable)}
        >
          {isTable ? texts.plot : texts.table}
        </Button>
      </div>
      {isTable ? <PointTable label={label} points={points} texts={texts} /> : <Drawing {...props} />}
    </figure>
  );
}

function Legend({ texts }: { texts: PlotTexts }) {
  return (
    <p aria-hidden className={styles.legend}>
      <span className={styles.ofNow}>{texts.now}</span>
      <span className={styles.ofBefore}>{texts.before}</span>
    </p>
  );
}

function Drawing({ label, look, points, isOpen = false, scale, texts }: PlotProps) {
  const [active, setActive] = useState<number>();
  const last = points.length - 1;
  const isLine = look === "lines";
  const end = scaleEnd(Math.max(...points.flatMap(({ value, before }) => [value ?? 0, before ?? 0])));
  const pointed = active === undefined ? undefined : points[active];
  const spoken = points[active ?? last];
  // Of a line the first and last steps stand at the edges, of bars in the middle of theirs.
  const placeOf = (at: number) => (isLine ? at / Math.max(1, last) : (at + 0.5) / points.length) * 100;
  const onKeyDown = (event: KeyboardEvent) => {
    const next = keyed(event, active ?? last, last);
    if (next === undefined) return;
    event.preventDefault();
    setActive(next);
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const part = (event.clientX - left) / width;
    const read = event.currentTarget.matches(":dir(rtl)") ? 1 - part : part;
    setActive(
      Math.min(last, Math.max(0, isLine ? Math.round(read * last) : Math.floor(read * points.length))),
    );
  };
  return (
    <div className={styles.plot}>
      <Scale end={end} scale={scale} />
      <div
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-description={texts.keys}
        aria-orientation="horizontal"
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={active ?? last}
        aria-valuetext={spoken && `${spoken.time}: ${sayOf(spoken, texts)}`}
        className={styles.drawing}
        onKeyDown={onKeyDown}
        onFocus={(event) => event.target.matches(":focus-visible") && setActive(active ?? last)}
        onBlur={() => setActive(undefined)}
        onPointerDown={onPointerMove}
        onPointerMove={onPointerMove}
        onPointerLeave={() => setActive(undefined)}
      >
        <Lines look={look} points={points} end={end} isOpen={isOpen} placeOf={placeOf} />
        {pointed && active !== undefined && (
          <Pointed look={look} point={pointed} texts={texts} place={placeOf(active)} end={end} />
        )}
      </div>
      <Marks points={points} placeOf={placeOf} />
    </div>
  );
}

function Scale({ end, scale }: { end: number; scale: PlotProps["scale"] }) {
  return (
    <div aria-hidden className={styles.scale}>
      {[1, 0.5, 0].map((part) => (
        <span key={part}>
          <Exact>{scale(end * part)}</Exact>
        </span>
      ))}
    </div>
  );
}

function Marks({ points, placeOf }: Pick<LinesProps, "points" | "placeOf">) {
  const last = points.length - 1;
  return (
    <div aria-hidden className={styles.marks}>
      {[...new Set([0, Math.floor(last / 2), last])].map((at) => (
        <span key={at} style={{ insetInlineStart: `${placeOf(at)}%` }}>
          {points[at]?.mark}
        </span>
      ))}
    </div>
  );
}

interface LinesProps {
  look: PlotProps["look"];
  points: readonly PlotPoint[];
  end: number;
  isOpen: boolean;
  /** Percent from where lines begin. */
  placeOf: (at: number) => number;
}

/** In percent of the drawing, which the style mirrors where lines are read from the right. */
function Lines({ look, points, end, isOpen, placeOf }: LinesProps) {
  const drawn = points.map(({ value, before }, at) => ({
    at,
    now: value === null ? undefined : 100 - (value / end) * 100,
    before: typeof before === "number" ? 100 - (before / end) * 100 : undefined,
  }));
  const whole = isOpen ? drawn.slice(0, -1) : drawn;
  const half = (0.7 / points.length) * 50;
  return (
    <svg aria-hidden viewBox="0 0 100 100" preserveAspectRatio="none" className={styles.lines}>
      {look === "lines" ? (
        <>
          <path d={areaOf(whole, placeOf)} className={styles.area} />
          <path d={lineOf(drawn, placeOf, "before")} className={styles.before} />
          <path d={lineOf(whole, placeOf, "now")} className={styles.now} />
          {isOpen && <path d={lineOf(drawn.slice(-2), placeOf, "now")} className={styles.open} />}
        </>
      ) : (
        drawn.map(({ at, now = 100 }) => (
          <path
            key={at}
            d={`M${placeOf(at) - half} 100V${Math.min(now, 99.5)}H${placeOf(at) + half}V100Z`}
            className={styles.bar}
          />
        ))
      )}
    </svg>
  );
}

interface Step {
  at: number;
  now: number | undefined;
  before: number | undefined;
}
type PlaceOf = (at: number) => number;

/** A line through what is known: it breaks where nothing is. */
function lineOf(steps: readonly Step[], placeOf: PlaceOf, of: "now" | "before"): string {
  return steps
    .map((step, place) => {
      const height = step[of];
      if (height === undefined) return "";
      const isFirst = place === 0 || steps[place - 1]?.[of] === undefined;
      // One known step between two others is a short line, not nothing.
      return `${isFirst ? `M${placeOf(step.at) - 0.01} ${height}L` : "L"}${placeOf(step.at)} ${height}`;
    })
    .join("");
}

function areaOf(steps: readonly Step[], placeOf: PlaceOf): string {
  const known = steps.flatMap(({ at, now }) => (now === undefined ? [] : [`L${placeOf(at)} ${now}`]));
  const [first, last] = [steps[0], steps.at(-1)];
  if (!first || !last || known.length < steps.length) return "";
  return `M${placeOf(first.at)} 100${known.join("")}L${placeOf(last.at)} 100Z`;
}

interface PointedProps extends Pick<PlotProps, "look" | "texts"> {
  point: PlotPoint;
  place: number;
  end: number;
}

/** The step that is pointed at. */
function Pointed({ look, point, texts, place, end }: PointedProps) {
  return (
    <>
      <span aria-hidden className={styles.rule} style={{ insetInlineStart: `${place}%` }} />
      {point.value !== null && look === "lines" && (
        <span
          aria-hidden
          className={styles.dot}
          style={{ insetInlineStart: `${place}%`, insetBlockEnd: `${(point.value / end) * 100}%` }}
        />
      )}
      <Tooltip point={point} texts={texts} place={place} />
    </>
  );
}

const sayOf = ({ shown, shownBefore }: PlotPoint, { before }: PlotTexts) =>
  shownBefore === undefined || before === undefined ? shown : `${shown}; ${before}: ${shownBefore}`;

/** Arrow keys go in the reading direction. */
function keyed(event: KeyboardEvent, at: number, last: number): number | undefined {
  const back = event.currentTarget.matches(":dir(rtl)") ? "ArrowRight" : "ArrowLeft";
  if (event.key === "Home") return 0;
  if (event.key === "End") return last;
  if (event.key === "ArrowLeft" || event.key === "ArrowRight")
    return Math.min(last, Math.max(0, at + (event.key === back ? -1 : 1)));
  return undefined;
}

function Tooltip({ point, texts, place }: { point: PlotPoint; texts: PlotTexts; place: number }) {
  return (
    <span
      aria-hidden
      className={styles.tooltip}
      style={{ insetInlineStart: `clamp(4rem, ${place}%, 100% - 5rem)` }}
    >
      <span className={styles.soft}>{point.time}</span>
      <Exact className={styles.value}>{point.shown}</Exact>
      {point.shownBefore !== undefined && (
        <span className={styles.soft}>
          {texts.before}: <Exact>{point.shownBefore}</Exact>
        </span>
      )}
      {point.note !== undefined && <span className={styles.soft}>{point.note}</span>}
    </span>
  );
}

function PointTable({ label, points, texts }: Pick<PlotProps, "label" | "points" | "texts">) {
  const columns: Column<PlotPoint>[] = [
    { id: "time", header: texts.time, heading: true, cell: ({ time }) => <Exact>{time}</Exact> },
    { id: "now", header: texts.now, align: "end", cell: ({ shown }) => <Exact>{shown}</Exact> },
  ];
  if (texts.before !== undefined)
    columns.push({
      id: "before",
      header: texts.before,
      align: "end",
      cell: ({ shownBefore = "—" }) => <Exact>{shownBefore}</Exact>,
    });
  return (
    // Focusable, so that arrow keys scroll it.
    <div className={styles.table} {...{ tabIndex: 0, role: "group", "aria-label": label }}>
      <Table dense caption={label} columns={columns} rows={points.toReversed()} rowKey={({ id }) => id} />
    </div>
  );
}
