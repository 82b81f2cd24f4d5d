import { ArrowDownLeft, ArrowUpRight } from "lucide-react";
import { byDay, exactBalance, moment, movement } from "../format.ts";
import { useAccountText, useLanguage } from "../language.tsx";
import { DaySection } from "../ui/layout/DaySection.tsx";
import { classNames } from "../ui/layout/classNames.ts";
import styles from "./Statement.module.css";
import { isIncoming, type StatementLine } from "./statement.ts";
import { Exact } from "../ui/display/Exact.tsx";

interface StatementDaysProps {
  lines: readonly StatementLine[];
  onActivation: (id: string) => void;
}

const timeOf = (unixSeconds: number) => moment(unixSeconds, "seconds").slice(11);

export function StatementDays({ lines, onActivation }: StatementDaysProps) {
  return byDay(lines, ({ at }) => at).map(([day, ofDay]) => (
    <DaySection key={day} day={day} level={2}>
      <ul>
        {ofDay.map((line) => (
          <Line key={line.id} line={line} onActivation={onActivation} />
        ))}
      </ul>
    </DaySection>
  ));
}

function Line({ line, onActivation }: { line: StatementLine } & Pick<StatementDaysProps, "onActivation">) {
  const t = useAccountText();
  const language = useLanguage();
  const { activation_id: activation } = line;
  const incoming = isIncoming(line);
  const Arrow = incoming ? ArrowDownLeft : ArrowUpRight;
  return (
    <li className={styles.line}>
      <span className={classNames(styles.arrow, incoming && styles.incoming)}>
        <Arrow aria-hidden data-mirrored size={16} />
      </span>
      <div className={styles.what}>
        <p className={styles.kind}>
          {t(`statement.kind.${line.kind}`)}
          {activation !== undefined && (
            <button
              type="button"
              className={styles.activation}
              aria-haspopup="dialog"
              aria-label={t("statement.activation", { id: activation })}
              onClick={() => onActivation(activation)}
            >
              <Exact>{`#${activation}`}</Exact>
            </button>
          )}
        </p>
        {line.reason !== undefined && (
          <p className={styles.reason}>
            <bdi>{line.reason}</bdi>
          </p>
        )}
        <time dateTime={new Date(line.at * 1000).toISOString()} className={styles.time}>
          <Exact>{timeOf(line.at)}</Exact>
        </time>
      </div>
      <div className={styles.money}>
        <Exact className={classNames(styles.amount, incoming && styles.plus)}>
          {movement(language, line.amount)}
        </Exact>
        <span className={styles.balance}>
          {t("statement.balance")} <Exact>{exactBalance(language, line.balance)}</Exact>
        </span>
      </div>
    </li>
  );
}
