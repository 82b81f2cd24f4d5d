import { type KeyboardEvent, useId, useRef, useState } from "react";
import { chartMoney, day } from "../format.ts";
import { useAppText, useLanguage } from "../language.tsx";
import { type Day, scaleEnd } from "./income.ts";
import styles from "./IncomeChart.module.css";

/**
 * What each day earned, as bars: oldest at the start of the line, whatever the direction of writing. A day is told when the
 * pointer is over it, when it has the focus (arrow keys go along), and in a table for who does not see it.
 */
export function IncomeChart({ days, label }: { days: readonly Day[]; label: string }) {
  const t = useAppText();
  const language = useLanguage();
  const hint = useId();
  const [told, setTold] = useState<number>();
  const { bars, onKeyDown, stop } = useRoving(days.length);
  const end = scaleEnd(Math.max(...days.map(({ earned }) => Number(earned))));
  return (
    <figure className={styles.figure}>
      <p id={hint} hidden>
        {t("partner.chart.keys")}
      </p>
      <div className={styles.plot}>
        <div aria-hidden className={styles.scale}>
          {[1, 0.5, 0].map((part) => (
            <span key={part}>
              <bdi>{chartMoney(language, end * part, 0)}</bdi>
            </span>
          ))}
        </div>
        <div
          ref={bars}
          role="group"
          aria-label={label}
          aria-describedby={hint}
          className={styles.bars}
          onKeyDown={onKeyDown}
          onPointerLeave={() => setTold(undefined)}
        >
          {days.map((one, at) => (
            <button
              key={one.date}
              type="button"
              tabIndex={at === stop ? 0 : -1}
              aria-label={`${day(one.date)}: ${chartMoney(language, one.earned)}`}
              className={styles.day}
              onPointerEnter={() => setTold(at)}
              onFocus={() => setTold(at)}
              onBlur={() => setTold(undefined)}
            >
              <span className={styles.bar} style={{ blockSize: `${(Number(one.earned) / end) * 100}%` }} />
            </button>
          ))}
          {told !== undefined && days[told] && <Told one={days[told]} at={(told + 0.5) / days.length} />}
        </div>
      </div>
      <div aria-hidden className={styles.dates}>
        {[days.at(0), days.at(Math.floor(days.length / 2)), days.at(-1)].map(
          (one) => one && <span key={one.date}>{day(one.date).slice(0, 5)}</span>,
        )}
      </div>
    </figure>
  );
}

/** The words of one day, above its bar. */
function Told({ one, at }: { one: Day; at: number }) {
  const t = useAppText();
  const language = useLanguage();
  return (
    <span
      aria-hidden
      className={styles.told}
      style={{ insetInlineStart: `clamp(4rem, ${at * 100}%, 100% - 4rem)` }}
    >
      <span className={styles.when}>{day(one.date)}</span>
      <bdi className={styles.money}>{chartMoney(language, one.earned)}</bdi>
      <span className={styles.count}>{t("partner.letters", { count: one.count })}</span>
    </span>
  );
}

/** One stop of Tab for all bars; the arrow keys go along the days in the direction of reading. */
function useRoving(length: number) {
  const bars = useRef<HTMLDivElement>(null);
  const [stop, setStop] = useState(length - 1);
  const onKeyDown = (event: KeyboardEvent) => {
    const isMirrored = bars.current?.matches(":dir(rtl)") === true;
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
    bars.current?.querySelectorAll("button").item(next).focus();
  };
  return { bars, onKeyDown, stop };
}
