import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { Link } from "wouter";
import { api } from "../../api.ts";
import { exactPrice, percent, spanText } from "../../format.ts";
import { useLanguage, useOfficeText } from "../../language.tsx";
import { paths } from "../../paths.ts";
import { RefusalNotice } from "../../RefusalNotice.tsx";
import { dataOf, refusedBy } from "../../serverState.tsx";
import { Exact } from "../../ui/display/Exact.tsx";
import { Skeleton } from "../../ui/feedback/Skeleton.tsx";
import { Card } from "../../ui/layout/Card.tsx";
import { Tabs } from "../../ui/layout/Tabs.tsx";
import { Plot, type PlotPoint } from "../../ui/plot/Plot.tsx";
import { utcText } from "../utcText.ts";
import { ChangeText } from "./ChangeText.tsx";
import styles from "./Figures.module.css";
import {
  beforeOf,
  changeOf,
  type Measure,
  measureNames,
  measures,
  type Period,
  periods,
  type FiguresReply,
  valueOf,
} from "./figures.ts";

/** What the shop did in a period, beside the time before it: eight figures, and the plot of one of them. */
export function Figures({ living }: { living: number }) {
  const t = useOfficeText();
  const language = useLanguage();
  const [period, setPeriod] = useState<Period>("day");
  return (
    <Card aria-labelledby="office-figures" className={styles.figures}>
      <div className={styles.head}>
        <h2 id="office-figures" className={styles.heading}>
          {t("office.figures")}
        </h2>
        <p className={styles.soft} data-figure="living">
          {t("office.figures.living", { count: living })}
        </p>
      </div>
      <Tabs
        look="switch"
        label={t("office.figures.period")}
        active={period}
        onSelect={setPeriod}
        tabs={periods.map((id) => ({ id, label: t(`office.period.${id}`) }))}
      >
        <OfPeriod period={period} />
      </Tabs>
      <Link href={paths.office(language, "days")}>{t("office.section.days")}</Link>
    </Card>
  );
}

const useFigures = (period: Period) =>
  useQuery({
    queryKey: ["office", "figures", period],
    queryFn: ({ signal }) => dataOf(api.officeFigures({ period }, { signal })),
    refetchInterval: 60_000,
    refetchIntervalInBackground: false,
  });

function OfPeriod({ period }: { period: Period }) {
  const t = useOfficeText();
  const [measure, setMeasure] = useState<Measure>("orders");
  const figures = useFigures(period);
  const refused = figures.data ? undefined : refusedBy(figures.error);
  if (refused) return <RefusalNotice refused={refused} onRetry={() => void figures.refetch()} />;
  return (
    <div className={styles.period} aria-busy={!figures.data}>
      <p className={styles.soft}>
        {figures.data ? (
          t("office.figures.span", { since: utcText(figures.data.since), until: utcText(figures.data.until) })
        ) : (
          <Skeleton width="18rem" />
        )}
      </p>
      <div role="group" aria-labelledby="office-figures" data-figures className={styles.tiles}>
        {measures.map((name) => (
          <Tile
            key={name}
            measure={name}
            reply={figures.data}
            isShown={name === measure}
            onShow={() => setMeasure(name)}
          />
        ))}
      </div>
      {figures.data ? (
        <MeasurePlot key={measure} measure={measure} period={period} reply={figures.data} />
      ) : (
        <Skeleton height="18.75rem" />
      )}
    </div>
  );
}

interface TileProps {
  measure: Measure;
  reply: FiguresReply | undefined;
  isShown: boolean;
  onShow: () => void;
}

function Tile({ measure, reply, isShown, onShow }: TileProps) {
  const t = useOfficeText();
  const say = useSay(measure);
  const now = reply && valueOf(measure, reply.now);
  const before = reply && beforeOf(measure, reply);
  return (
    <button type="button" aria-pressed={isShown} className={styles.tile} onClick={onShow}>
      <span className={styles.soft}>{t(measureNames[measure])}</span>
      <span className={styles.value} data-figure={measure}>
        {now === undefined ? <Skeleton width="4rem" /> : <Exact>{say(now)}</Exact>}
      </span>
      <span className={styles.change}>
        {now === undefined || before === undefined ? (
          <Skeleton width="6rem" />
        ) : (
          <ChangeText change={changeOf(measure, now, before)} measure={measure} before={say(before)} />
        )}
      </span>
    </button>
  );
}

/** The text of a value; a dash for what is not known. */
function useSay(measure: Measure): (value: number | null) => string {
  const language = useLanguage();
  return useMemo(() => {
    const numbers = new Intl.NumberFormat(`${language}-u-nu-latn`);
    return (value) => {
      if (value === null) return "—";
      if (measure === "success") return percent(language, Math.round(value * 1000) / 1000);
      if (measure === "seconds") return spanText(language, value);
      return measure === "orders" || measure === "registrations" || measure === "letters"
        ? numbers.format(value)
        : exactPrice(language, String(value));
    };
  }, [language, measure]);
}

/** Times of the shop, which counts in UTC. */
function useTimes(period: Period): { time: Intl.DateTimeFormat; mark: Intl.DateTimeFormat } {
  const language = useLanguage();
  return useMemo(() => {
    const format = (options: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat(`${language}-u-ca-gregory-nu-latn`, { timeZone: "UTC", ...options });
    const month = { month: "short" } as const;
    if (period === "year")
      return {
        time: format({ month: "long", year: "numeric" }),
        mark: format({ ...month, year: "numeric" }),
      };
    const day = { ...month, day: "numeric" } as const;
    if (period === "month") return { time: format({ ...day, year: "numeric" }), mark: format(day) };
    const hour = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
    return { time: format({ ...day, ...hour }), mark: format(hour) };
  }, [language, period]);
}

function MeasurePlot({ measure, period, reply }: { measure: Measure; period: Period; reply: FiguresReply }) {
  const t = useOfficeText();
  const say = useSay(measure);
  const times = useTimes(period);
  const isCompared = reply.before !== null;
  const points = useMemo(
    () =>
      reply.steps.map(({ at, now, before }): PlotPoint => {
        const [value, past] = [valueOf(measure, now), valueOf(measure, before)];
        const date = new Date(at * 1000);
        return {
          id: String(at),
          time: times.time.format(date),
          mark: times.mark.format(date),
          value,
          shown: say(value),
          ...(isCompared && { before: past, shownBefore: say(past) }),
        };
      }),
    [reply, isCompared, measure, say, times],
  );
  return (
    <Plot
      look="lines"
      label={`${t(measureNames[measure])}, ${t(`office.period.${period}`)}`}
      points={points}
      isOpen
      scale={say}
      texts={{
        keys: t("plot.keys"),
        table: t("plot.table"),
        plot: t("plot.drawing"),
        time: t(`office.step.${period}`),
        now: t(`office.now.${period}`),
        ...(isCompared && { before: t(`office.before.${period}`) }),
      }}
    />
  );
}
