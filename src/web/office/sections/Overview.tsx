import { ChevronRight } from "lucide-react";
import { Link } from "wouter";
import { useLanguage, useOfficeText } from "../../language.tsx";
import { type OfficeSection, paths } from "../../paths.ts";
import { refusedBy } from "../../serverState.tsx";
import { RefusalNotice } from "../../RefusalNotice.tsx";
import { Badge } from "../../ui/feedback/Badge.tsx";
import { Card } from "../../ui/layout/Card.tsx";
import { Loading } from "../../ui/feedback/Loading.tsx";
import { Notice } from "../../ui/feedback/Notice.tsx";
import { DailySummary } from "./DailySummary.tsx";
import { Figures } from "./Figures.tsx";
import styles from "./Overview.module.css";
import { SetupHint } from "../setup/SetupHint.tsx";
import { utcText } from "../utcText.ts";
import { Week } from "./Week.tsx";
import { type State, useOverview } from "./useOverview.ts";
import { Exact } from "../../ui/display/Exact.tsx";

/** What is broken and what waits stands first; nothing is drawn before it is known, so that nothing moves. */
export function Overview() {
  const { data: state, error, refetch } = useOverview();
  const refused = state ? undefined : refusedBy(error);
  const isBroken = state && (state.backup.late || !isHealthy(state));
  return (
    <>
      <SetupHint />
      {refused && <RefusalNotice refused={refused} onRetry={() => void refetch()} />}
      {!state && !refused && (
        <div className={styles.unknown}>
          <Loading lines={8} />
        </div>
      )}
      {state && (
        <>
          <div className={styles.now}>
            {isBroken && <Health state={state} />}
            <Waiting state={state} />
            {!isBroken && <Health state={state} />}
          </div>
          <Figures living={state.living} />
          <Week state={state} />
          <DailySummary />
        </>
      )}
    </>
  );
}

const isHealthy = ({ health }: State) => Object.values(health).every(({ length }) => length === 0);

type Place = { section: OfficeSection; query: string };

/** Where each is decided, in the order in which they are told. */
const places: Record<keyof State["waiting"], Place> = {
  audit: { section: "health", query: "" },
  backup: { section: "health", query: "" },
  stock: { section: "domains", query: "" },
  payments: { section: "payments", query: "?filters=state%3Areview" },
  adjustments: { section: "adjustments", query: "?filters=state%3Awaits" },
  questions: { section: "questions", query: "?filters=state%3Awaits" },
  complaints: { section: "complaints", query: "?filters=state%3Areview" },
  batches: { section: "batches", query: "?filters=state%3Areview" },
  rates: { section: "rates", query: "" },
  withdrawals: { section: "withdrawals", query: "?filters=state%3Awaiting" },
  partners: { section: "held", query: "" },
  shares: { section: "shares", query: "?sort=-waiting" },
  tasks: { section: "tasks", query: "?filters=state%3Afailed" },
  turned_away: { section: "letters", query: "" },
};

/** What waits for somebody, each with its way there; above everything else. */
function Waiting({ state }: { state: State }) {
  const t = useOfficeText();
  const language = useLanguage();
  const numbers = new Intl.NumberFormat(`${language}-u-nu-latn`);
  const waiting = (Object.keys(places) as (keyof typeof places)[]).filter((name) => state.waiting[name] > 0);
  return (
    <Card aria-labelledby="office-waiting">
      <h2 id="office-waiting" className={styles.heading}>
        {t("office.waiting")}
      </h2>
      {waiting.length === 0 ? (
        <Notice tone="good">{t("office.waiting.none")}</Notice>
      ) : (
        <ul className={styles.waiting}>
          {waiting.map((name) => (
            <li key={name}>
              <Link
                href={paths.office(language, places[name].section) + places[name].query}
                className={styles.way}
              >
                <Badge tone="warn">{numbers.format(state.waiting[name])}</Badge>
                <span className={styles.what}>{t(`office.waiting.${name}`)}</span>
                <ChevronRight aria-hidden data-mirrored size={16} className={styles.chevron} />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function Health({ state }: { state: State }) {
  const t = useOfficeText();
  const language = useLanguage();
  const { health } = state;
  return (
    <Card aria-labelledby="office-health" className={styles.health}>
      <h2 id="office-health" className={styles.heading}>
        {t("office.health")}
      </h2>
      {isHealthy(state) && <Notice tone="good">{t("office.health.good")}</Notice>}
      {health.troubles.map((name) => (
        <Notice key={name} tone="bad">
          {t(`office.health.trouble.${name}`)}
        </Notice>
      ))}
      {health.down.length > 0 && (
        <Notice tone="bad" title={t("office.health.down")}>
          <Exact>{health.down.join(", ")}</Exact>
        </Notice>
      )}
      {health.failing.length > 0 && (
        <Notice tone="warn" title={t("office.health.failing")}>
          <Exact>{health.failing.join(", ")}</Exact>
        </Notice>
      )}
      <LastBackup {...state.backup} />
      <Link href={paths.office(language, "health")}>{t("office.health.more")}</Link>
    </Card>
  );
}

function LastBackup({ at, late }: State["backup"]) {
  const t = useOfficeText();
  if (at === null) return <p className={styles.soft}>{t("office.health.backup.never")}</p>;
  const time = utcText(at);
  return late ? (
    <Notice tone="bad">{t("office.health.backup.late", { time })}</Notice>
  ) : (
    <p className={styles.soft}>{t("office.health.backup", { time })}</p>
  );
}
