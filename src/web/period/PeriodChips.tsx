import { useId, useState } from "react";
import { useAppText } from "../language.tsx";
import { Chip, Chips } from "../ui/button/Chip.tsx";
import { Input } from "../ui/form/Input.tsx";
import { hasPeriod, lastDays, noPeriod, type Period, presetOf, presets } from "./period.ts";
import styles from "./PeriodChips.module.css";

interface PeriodChipsProps {
  period: Period;
  onPeriod: (period: Period) => void;
}

/** Today, 7 days, 30 days, or two days of one's own. A second press on the chosen one takes it off. */
export function PeriodChips({ period, onPeriod }: PeriodChipsProps) {
  const t = useAppText();
  const id = useId();
  const chosen = presetOf(period);
  const isOwn = hasPeriod(period) && !chosen;
  const [isOpen, setOpen] = useState(isOwn);
  const choose = (next: Period) => {
    setOpen(false);
    onPeriod(next);
  };
  return (
    <div className={styles.period}>
      <Chips label={t("period.title")}>
        {presets.map((preset) => (
          <Chip
            key={preset.days}
            chosen={preset === chosen}
            onClick={() => choose(preset === chosen ? noPeriod : lastDays(preset.days))}
          >
            {t(preset.text)}
          </Chip>
        ))}
        <Chip
          chosen={isOwn}
          aria-expanded={isOpen || isOwn}
          aria-controls={id}
          onClick={() => (isOwn ? choose(noPeriod) : setOpen(!isOpen))}
        >
          {t("period.own")}
        </Chip>
      </Chips>
      <div id={id} className={styles.days}>
        {(isOpen || isOwn) && (
          <>
            <Day name="since" period={period} onPeriod={onPeriod} />
            <Day name="until" period={period} onPeriod={onPeriod} />
          </>
        )}
      </div>
    </div>
  );
}

function Day({ name, period, onPeriod }: PeriodChipsProps & { name: keyof Period }) {
  const t = useAppText();
  return (
    <label className={styles.day}>
      <span>{t(`period.${name}`)}</span>
      <Input
        type="date"
        min={name === "until" ? period.since : undefined}
        max={name === "since" ? period.until : undefined}
        value={period[name]}
        onChange={({ target }) => onPeriod({ ...period, [name]: target.value })}
      />
    </label>
  );
}
