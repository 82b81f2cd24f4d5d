import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react";
import styles from "./BarChart.module.css";
import { Exact } from "./Exact.tsx";

export interface Bar {
  id: string;
  value: number;
  spoken: string;
  tooltip: ReactNode;
  mark: string;
}

interface BarChartProps {
  label: string;
  hint: string;
  /** Oldest first, at the start of the line in either direction. */
  bars: readonly Bar[];
  scale: (value: number) => string;
}

/** A bar chart with tooltips on hover and focus (arrow keys). Screen readers read each bar; add a table of the figures. */
export function BarChart({ label, hint, bars, scale }: BarChartProps) {
  const hintId = useId();
  const [active, setActive] = useState<number>();
  const { frame, onKeyDown, stop } = useRoving(bars.length);
  const end = scaleEnd(Math.max(...bars.map(({ value }) => value)));
  const pointed = active === undefined ? undefined : bars[active];
  return (
    <figure>
      <p id={hintId} hidden>
        {hint}
      </p>
      <div className={styles.plot}>
        <div aria-hidden className={styles.scale}>
          {[1, 0.5, 0].map((part) => (
            <span key={part}>
              <Exact>{scale(end * part)}</Exact>
            </span>
          ))}
        </div>
        <div
          ref={frame}
          role="group"
          aria-label={label}
          aria-describedby={hintId}
          className={styles.bars}
          onKeyDown={onKeyDown}
          onPointerLeave={() => setActive(undefined)}
        >
          {bars.map((bar, at) => (
            <button
              key={bar.id}
              type="button"
              tabIndex={at === stop ? 0 : -1}
              aria-label={bar.spoken}
              className={styles.day}
              onPointerEnter={() => setActive(at)}
              onFocus={() => setActive(at)}
              onBlur={() => setActive(undefined)}
            >
              <span className={styles.bar} style={{ blockSize: `${(bar.value / end) * 100}%` }} />
            </button>
          ))}
          {active !== undefined && pointed && <BarTooltip bar={pointed} at={(active + 0.5) / bars.length} />}
        </div>
        <div aria-hidden className={styles.marks}>
          {bars.map(
            (bar, at) =>
              [0, Math.floor(bars.length / 2), bars.length - 1].includes(at) && (
                <span key={bar.id} style={{ insetInlineStart: `${((at + 0.5) / bars.length) * 100}%` }}>
                  {bar.mark}
                </span>
              ),
          )}
        </div>
      </div>
    </figure>
  );
}

function BarTooltip({ bar, at }: { bar: Bar; at: number }) {
  return (
    <span
      aria-hidden
      className={styles.tooltip}
      style={{ insetInlineStart: `clamp(4rem, ${at * 100}%, 100% - 4rem)` }}
    >
      {bar.tooltip}
    </span>
  );
}

/** One tab stop; arrow keys move in the reading direction. */
function useRoving(length: number) {
  const frame = useRef<HTMLDivElement>(null);
  const [stop, setStop] = useState(length - 1);
  const onKeyDown = (event: KeyboardEvent) => {
    const isMirrored = frame.current?.matches(":dir(rtl)") === true;
    const steps: Record<string, number> = {
      ArrowLeft: isMirrored ? 1 : -1,
      ArrowRight: isMirrored ? -1 : 1,
      Home: -length,
      End: length,
    };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = Math.min(length - 1, Math.max(0, stop + step));
    setStop(next);
    frame.current?.querySelectorAll("button").item(next).focus();
  };
  return { frame, onKeyDown, stop };
}

/** The upper end of a scale: the next 1, 2 or 5 times a power of ten. */
export function scaleEnd(highest: number): number {
  if (highest <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(highest));
  const step = [1, 2, 5, 10].find((one) => one * power >= highest) ?? 10;
  return Number((step * power).toPrecision(1));
}
