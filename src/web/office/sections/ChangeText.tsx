import { exactPrice, isolated } from "../../format.ts";
import { useLanguage, useOfficeText } from "../../language.tsx";
import { Exact } from "../../ui/display/Exact.tsx";
import styles from "./Figures.module.css";
import type { Change, Measure } from "./figures.ts";

interface ChangeTextProps {
  change: Change | undefined;
  measure: Measure;
  /** The value before, as people read it. */
  before: string;
}

const paces = { more: "slower", less: "faster", same: "same" } as const;

/** How a figure has changed: by a sign, by a word, and by colour last. */
export function ChangeText({ change, measure, before }: ChangeTextProps) {
  const t = useOfficeText();
  const say = useDifference(measure);
  if (!change) return <span className={styles.soft}>{t("office.change.unknown")}</span>;
  const tone = change.isGood === undefined ? styles.soft : change.isGood ? styles.good : styles.bad;
  const way = measure === "seconds" ? paces[change.way] : change.way;
  return (
    <>
      <span className={tone}>{t(`office.change.${way}`, { change: say(change) })}</span>{" "}
      <span className={styles.soft}>
        {t("office.change.before")} <Exact>{before}</Exact>
      </span>
    </>
  );
}

/** A difference with its sign: of a part in points, of a time in seconds, of others in percent. */
function useDifference(measure: Measure): (change: Change) => string {
  const language = useLanguage();
  const t = useOfficeText();
  const signed = (value: number, options: Intl.NumberFormatOptions) =>
    new Intl.NumberFormat(`${language}-u-nu-latn`, { signDisplay: "exceptZero", ...options })
      .format(value)
      .replace("-", "−");
  return ({ part, by }) => {
    if (part !== undefined)
      return signed(part, { style: "percent", maximumFractionDigits: Math.abs(part) < 0.1 ? 1 : 0 });
    if (measure === "success")
      return t("office.change.points", { change: signed(by * 100, { maximumFractionDigits: 1 }) });
    if (measure === "seconds")
      // Its sign would have the whole read from left to right, the unit of Arabic first.
      return signed(by, {
        style: "unit",
        unit: "second",
        unitDisplay: "short",
        maximumFractionDigits: 1,
      }).replace(/\u200e[+−][\d.,]+/, isolated);
    return measure === "orders" || measure === "registrations" || measure === "letters"
      ? signed(by, {})
      : `+${exactPrice(language, String(by))}`;
  };
}
