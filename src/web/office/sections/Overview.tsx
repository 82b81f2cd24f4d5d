import { ChevronRight } from "lucide-react";
import { Link } from "wouter";
import { exactPrice } from "../../format.ts";
import { useLanguage, useOfficeText } from "../../language.tsx";
import { type OfficeSection, paths } from "../../paths.ts";
import { refusedBy } from "../../serverState.tsx";
import { RefusalNotice } from "../../RefusalNotice.tsx";
import { Badge } from "../../ui/feedback/Badge.tsx";
import { Card } from "../../ui/layout/Card.tsx";
import { Notice } from "../../ui/feedback/Notice.tsx";
import { Skeleton } from "../../ui/feedback/Skeleton.tsx";
import { DailyFigures } from "./DailyFigures.tsx";
import styles from "./Overview.module.css";
import { SetupHint } from "../setup/SetupHint.tsx";
import { TableView } from "../table/TableView.tsx";
import { utcText } from "../utcText.ts";
import { type Figures, useOverview } from "./useOverview.ts";
import { Exact } from "../../ui/display/Exact.tsx";

export function Overview() {
  const t = useOfficeText();
  const overview = useOverview();
  const refused = overview.data ? undefined : refusedBy(overview.error);
  return (
    <>
      <SetupHint />
      {refused ? (
        <RefusalNotice refused={refused} onRetry={() => void overview.refetch()} />
      ) : (
        <>
          <Today figures={overview.data} />
          <div className={styles.pair}>
            <Waiting figures={overview.data} />
            <div data-settles className={styles.side}>
              <Health figures={overview.data} />
              <DailyFigures />
            </div>
          </div>
        </>
      )}
      <TableView name="days" title={t("office.days.all")} />
    </>
  );
}

const counts = ["living", "orders_today", "received_today", "letters_today", "registrations_today"] as const;
const sums = ["revenue_today", "top_ups_today"] as const;

function Today({ figures }: { figures: Figures | undefined }) {
  const t = useOfficeText();
  const language = useLanguage();
  const numbers = new Intl.NumberFormat(`${language}-u-nu-latn`);
  const tiles = [
    ...counts.map((name) => [name, figures && numbers.format(figures[name])] as const),
    ...sums.map((name) => [name, figures && exactPrice(language, figures[name])] as const),
  ];
  return (
    <section aria-labelledby="office-today" aria-busy={!figures}>
      <h2 id="office-today" className={styles.heading}>
        {t("office.today")} <span className={styles.soft}>{t("office.today.text")}</span>
      </h2>
      <dl className={styles.figures}>
        {tiles.map(([name, value]) => (
          <div key={name} className={styles.figure}>
            <dt className={styles.soft}>{t(`office.figure.${name}`)}</dt>
            <dd className={styles.value} data-figure={name}>
              {value === undefined ? <Skeleton width="4rem" /> : <Exact>{value}</Exact>}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const places: Record<keyof Figures["waiting"], { section: OfficeSection; query: string }> = {
  payments: { section: "payments", query: "?filters=state%3Areview" },
  partners: { section: "held", query: "" },
  batches: { section: "batches", query: "?filters=state%3Areview" },
  shares: { section: "shares", query: "?sort=-waiting" },
  complaints: { section: "complaints", query: "?filters=state%3Areview" },
  questions: { section: "questions", query: "?filters=state%3Awaits" },
  turned_away: { section: "letters", query: "" },
  rates: { section: "rates", query: "" },
  adjustments: { section: "adjustments", query: "?filters=state%3Awaits" },
  audit: { section: "health", query: "" },
};

function Waiting({ figures }: { figures: Figures | undefined }) {
  const t = useOfficeText();
  const language = useLanguage();
  return (
    <Card aria-labelledby="office-waiting">
      <h2 id="office-waiting" className={styles.heading}>
        {t("office.waiting")}
      </h2>
      <ul className={styles.waiting}>
        {(Object.keys(places) as (keyof Figures["waiting"])[]).map((name) => {
          const count = figures?.waiting[name];
          const { section, query } = places[name];
          return (
            <li key={name}>
              <Link href={paths.office(language, section) + query} className={styles.way}>
                <span className={styles.what}>{t(`office.waiting.${name}`)}</span>
                {count === undefined ? (
                  <Skeleton width="2rem" />
                ) : (
                  <Badge tone={count > 0 ? "warn" : "plain"}>{count}</Badge>
                )}
                <ChevronRight aria-hidden data-mirrored size={16} className={styles.chevron} />
              </Link>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

function Health({ figures }: { figures: Figures | undefined }) {
  const t = useOfficeText();
  const language = useLanguage();
  const health = figures?.health;
  return (
    <Card aria-labelledby="office-health" aria-busy={!figures} className={styles.health}>
      <h2 id="office-health" className={styles.heading}>
        {t("office.health")}
      </h2>
      {!health && <Skeleton height="3rem" />}
      {health && health.down.length === 0 && health.failing.length === 0 && (
        <Notice tone="good">{t("office.health.good")}</Notice>
      )}
      {health && health.down.length > 0 && (
        <Notice tone="bad" title={t("office.health.down")}>
          <Exact>{health.down.join(", ")}</Exact>
        </Notice>
      )}
      {health && health.failing.length > 0 && (
        <Notice tone="warn" title={t("office.health.failing")}>
          <Exact>{health.failing.join(", ")}</Exact>
        </Notice>
      )}
      {figures && <LastBackup {...figures.backup} />}
      {figures && <Link href={paths.office(language, "health")}>{t("office.health.more")}</Link>}
    </Card>
  );
}

function LastBackup({ at, late }: Figures["backup"]) {
  const t = useOfficeText();
  if (at === null) return <p className={styles.soft}>{t("office.health.backup.never")}</p>;
  const time = utcText(at);
  return late ? (
    <Notice tone="bad">{t("office.health.backup.late", { time })}</Notice>
  ) : (
    <p className={styles.soft}>{t("office.health.backup", { time })}</p>
  );
}
