import { useQuery } from "@tanstack/react-query";
import { LockOpen } from "lucide-react";
import { useState } from "react";
import type { Endpoints } from "../../../contract/api.ts";
import type { Reply } from "../../../contract/endpoint.ts";
import { api } from "../../api.ts";
import { exactPrice, spanText } from "../../format.ts";
import { useLanguage, useOfficeText } from "../../language.tsx";
import { dataOf, refusedBy } from "../../serverState.tsx";
import { RefusalNotice } from "../../RefusalNotice.tsx";
import { Badge } from "../../ui/feedback/Badge.tsx";
import { Button } from "../../ui/button/Button.tsx";
import { Card } from "../../ui/layout/Card.tsx";
import { Loading } from "../../ui/feedback/Loading.tsx";
import { Notice } from "../../ui/feedback/Notice.tsx";
import { Table } from "../../ui/display/Table.tsx";
import { actsOn } from "../actions/ActDialog.tsx";
import styles from "../Office.module.css";
import own from "./Rates.module.css";
import { utcText } from "../utcText.ts";
import { Exact } from "../../ui/display/Exact.tsx";

type RatesReply = Reply<Endpoints["rates"]>;
type Rate = RatesReply["data"][number];
type HeldRate = Rate & { held: NonNullable<Rate["held"]> };

/** The server asks the sources every 30 seconds. */
const pollSeconds = 15;

export function Rates({ title }: { title: string }) {
  const t = useOfficeText();
  const rates = useQuery({
    queryKey: ["office", "rates"],
    queryFn: ({ signal }) => dataOf(api.rates({}, { signal })),
    refetchInterval: pollSeconds * 1000,
    refetchIntervalInBackground: false,
  });
  const refused = rates.data ? undefined : refusedBy(rates.error);
  if (refused) return <RefusalNotice refused={refused} onRetry={() => void rates.refetch()} />;
  if (!rates.data) {
    return (
      <Card>
        <Loading lines={8} />
      </Card>
    );
  }
  const { data, sources } = rates.data;
  const isFixed = sources.length === 0;
  return (
    <>
      <p className={styles.lead}>{t(isFixed ? "office.rates.fixed" : "office.rates.text")}</p>
      {data.filter(isHeld).map((rate) => (
        <HeldRateNotice key={rate.coin} rate={rate} />
      ))}
      <Card flush aria-label={title}>
        <Coins title={title} rates={data} isFixed={isFixed} at={rates.dataUpdatedAt / 1000} />
      </Card>
      {!isFixed && (
        <Card flush aria-label={t("office.rates.sources")}>
          <Sources sources={sources} />
        </Card>
      )}
    </>
  );
}

const isHeld = (rate: Rate): rate is HeldRate => rate.held !== undefined;

function HeldRateNotice({ rate }: { rate: HeldRate }) {
  const t = useOfficeText();
  const language = useLanguage();
  const [isAsked, setAsked] = useState(false);
  const { coin, held } = rate;
  return (
    <>
      <Notice
        tone="warn"
        title={t("office.rates.held", { coin, since: utcText(held.since) })}
        action={
          <Button tone="secondary" size="small" className={own.release} onClick={() => setAsked(true)}>
            {t("office.rate.release", { coin })}
          </Button>
        }
      >
        {t("office.rates.held.text", {
          from: exactPrice(language, held.from),
          to: exactPrice(language, held.to),
        })}
      </Notice>
      {isAsked && <release.Dialog row={rate} onClose={() => setAsked(false)} />}
    </>
  );
}

interface CoinsProps {
  title: string;
  rates: readonly Rate[];
  isFixed: boolean;
  /** The time of the answer, in unix seconds. */
  at: number;
}

function Coins({ title, rates, isFixed, at }: CoinsProps) {
  const t = useOfficeText();
  const language = useLanguage();
  return (
    <Table
      caption={title}
      rows={rates}
      rowKey={({ coin }) => coin}
      columns={[
        {
          id: "coin",
          header: t("office.rates.coin"),
          heading: true,
          cell: ({ coin }) => <Exact>{coin}</Exact>,
        },
        {
          id: "rate",
          header: t("office.rates.rate"),
          align: "end",
          cell: ({ usd }) => (usd === undefined ? "—" : <Exact>{exactPrice(language, usd)}</Exact>),
        },
        {
          id: "state",
          header: t("office.column.state"),
          cell: (rate) => <State rate={rate} isFixed={isFixed} />,
        },
        ...(isFixed
          ? []
          : [
              {
                id: "quotes",
                header: t("office.rates.toldBy"),
                cell: ({ quotes }: Rate) => <Quotes quotes={quotes} at={at} />,
              },
            ]),
      ]}
    />
  );
}

function State({ rate: { usd, why }, isFixed }: { rate: Rate; isFixed: boolean }) {
  const t = useOfficeText();
  if (usd !== undefined) return <Badge tone="good">{t("office.rates.good")}</Badge>;
  if (isFixed || why === undefined) return <Badge>{t("office.rates.unset")}</Badge>;
  return (
    <div className={own.state}>
      <Badge tone="warn">{t(why === "held" ? "office.rates.isHeld" : "office.rates.none")}</Badge>
      {why !== "held" && <span className={styles.soft}>{t(`office.rates.why.${why}`)}</span>}
    </div>
  );
}

function Quotes({ quotes, at }: { quotes: Rate["quotes"]; at: number }) {
  const t = useOfficeText();
  const language = useLanguage();
  if (quotes.length === 0) return <span className={styles.none}>—</span>;
  return (
    <ul className={own.quotes}>
      {quotes.map(({ source, usd, told_at: quotedAt, use }) => (
        <li key={source} className={own.quote}>
          <Exact className={own.source}>{source}</Exact>
          <Exact>{usd === undefined ? "—" : exactPrice(language, usd)}</Exact>
          <span className={styles.soft}>
            {t("office.rates.age", { span: spanText(language, Math.max(1, at - quotedAt)) })}
            {use !== "used" && `, ${t(use === "old" ? "office.rates.old" : "office.rates.off")}`}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Sources({ sources }: Pick<RatesReply, "sources">) {
  const t = useOfficeText();
  const time = (at: number | undefined) =>
    at === undefined ? "—" : <Exact className={styles.time}>{utcText(at)}</Exact>;
  return (
    <Table
      caption={t("office.rates.sources")}
      rows={sources}
      rowKey={({ name }) => name}
      columns={[
        {
          id: "name",
          header: t("office.rates.source"),
          heading: true,
          cell: ({ name }) => <Exact>{name}</Exact>,
        },
        {
          id: "answered",
          header: t("office.chain.answered"),
          cell: ({ answered_at: at }) => time(at),
        },
        {
          id: "rests",
          header: t("office.utc", { name: t("office.rates.rests") }),
          cell: ({ rests_until: at }) => time(at),
        },
        {
          id: "trouble",
          header: t("office.chain.trouble"),
          cell: ({ trouble }) => (trouble === undefined ? "—" : <bdi className={styles.text}>{trouble}</bdi>),
        },
      ]}
    />
  );
}

const release = actsOn<HeldRate>()({
  act: "releaseRate",
  title: "office.rate.release",
  done: "office.rate.released",
  button: "office.rate.release.do",
  Icon: LockOpen,
  isDangerous: true,
  of: ({ coin }) => ({ coin }),
  holes: ({ coin, held }, { money }) => ({ coin, from: money(held.from), to: money(held.to) }),
});
