import { ArrowDownLeft, ArrowUpRight } from "lucide-react";
import { Link } from "wouter";
import { byDay, exactBalance, moment, movement } from "../format.ts";
import { useAccountText, useLanguage } from "../language.tsx";
import { DaySection } from "../ui/layout/DaySection.tsx";
import { classNames } from "../ui/layout/classNames.ts";
import styles from "./Statement.module.css";
import { isIncoming, type StatementLine } from "./statement.ts";
import { Exact } from "../ui/display/Exact.tsx";

/** Where a line leads: to the page of its order or payment. */
export interface ReadBy {
  orderPage: (id: string) => string;
  paymentPage: (id: string) => string;
}

interface StatementDaysProps {
  lines: readonly StatementLine[];
  readBy: ReadBy;
}

const timeOf = (unixSeconds: number) => moment(unixSeconds, "seconds").slice(11);

export function StatementDays({ lines, readBy }: StatementDaysProps) {
  return byDay(lines, ({ at }) => at).map(([day, ofDay]) => (
    <DaySection key={day} day={day} level={2}>
      <ul>
        {ofDay.map((line) => (
          <Line key={line.id} line={line} readBy={readBy} />
        ))}
      </ul>
    </DaySection>
  ));
}

interface LineProps extends Pick<StatementDaysProps, "readBy"> {
  line: StatementLine;
}

function Line({ line, readBy }: LineProps) {
  const t = useAccountText();
  const language = useLanguage();
  const incoming = isIncoming(line);
  const Arrow = incoming ? ArrowDownLeft : ArrowUpRight;
  return (
    <li className={styles.line}>
      <span className={classNames(styles.arrow, incoming && styles.incoming)}>
        <Arrow aria-hidden data-mirrored size={16} />
      </span>
      <div className={styles.what}>
        <p className={styles.kind}>
          <span>{t(`statement.kind.${line.kind}`)}</span>
          <About line={line} readBy={readBy} />
        </p>
        {line.reason !== undefined && (
          <p className={styles.reason}>
            <bdi>{line.reason}</bdi>
          </p>
        )}
        <p className={styles.time}>
          <time dateTime={new Date(line.at * 1000).toISOString()}>
            <Exact>{timeOf(line.at)}</Exact>
          </time>
          {line.site !== undefined && <Exact>{`#${line.activation_id}`}</Exact>}
        </p>
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

/** What the money moved for: an order by its site and address, a payment by its number. */
function About({ line, readBy }: LineProps) {
  const t = useAccountText();
  const { activation_id: id, site, email, payment_id: payment } = line;
  if (payment !== undefined)
    return (
      <Link href={readBy.paymentPage(payment)} className={styles.about}>
        {t("statement.payment", { id: `\u2068№${payment}\u2069` })}
      </Link>
    );
  if (id === undefined) return null;
  const text = site === undefined ? `#${id}` : `${site} · ${email}`;
  return (
    <Link href={readBy.orderPage(id)} className={styles.about}>
      <Exact>{text}</Exact>
    </Link>
  );
}
