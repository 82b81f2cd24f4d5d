import { useQuery } from "@tanstack/react-query";
import { Coins } from "lucide-react";
import type { Endpoints } from "../../../contract/api.ts";
import type { Reply } from "../../../contract/endpoint.ts";
import { api } from "../../api.ts";
import { exactPrice, spanText } from "../../format.ts";
import { useLanguage, useOfficeText } from "../../language.tsx";
import { dataOf, refusedBy } from "../../serverState.tsx";
import { RefusalNotice } from "../../RefusalNotice.tsx";
import { Badge } from "../../ui/feedback/Badge.tsx";
import { Card } from "../../ui/layout/Card.tsx";
import { EmptyState } from "../../ui/feedback/EmptyState.tsx";
import { Loading } from "../../ui/feedback/Loading.tsx";
import { Notice } from "../../ui/feedback/Notice.tsx";
import { Table } from "../../ui/display/Table.tsx";
import styles from "./Chains.module.css";
import { currencyName } from "../table/CellView.tsx";
import { utcText } from "../utcText.ts";
import { Exact } from "../../ui/display/Exact.tsx";

type Chain = Reply<Endpoints["chains"]>["data"][number];

const pollSeconds = 15;

export function Chains() {
  const t = useOfficeText();
  const chains = useQuery({
    queryKey: ["office", "chains"],
    queryFn: async ({ signal }) => (await dataOf(api.chains({}, { signal }))).data,
    refetchInterval: pollSeconds * 1000,
    refetchIntervalInBackground: false,
  });
  const refused = chains.data ? undefined : refusedBy(chains.error);
  if (refused) return <RefusalNotice refused={refused} onRetry={() => void chains.refetch()} />;
  if (!chains.data) {
    return (
      <Card>
        <Loading lines={8} />
      </Card>
    );
  }
  if (chains.data.length === 0) {
    return (
      <Card>
        <EmptyState icon={<Coins aria-hidden size={22} />} title={t("office.chains.none")} />
      </Card>
    );
  }
  return chains.data.map((chain) => <ChainCard key={chain.chain} chain={chain} />);
}

function ChainCard({ chain }: { chain: Chain }) {
  const t = useOfficeText();
  const id = `chain-${chain.chain}`;
  return (
    <Card flush aria-labelledby={id}>
      <header className={styles.head}>
        <h2 id={id} className={styles.name}>
          <Exact>{chain.chain}</Exact>
        </h2>
        <Badge tone={chain.on_sale ? "good" : "plain"}>
          {t(chain.on_sale ? "office.chain.onSale" : "office.chain.notOnSale")}
        </Badge>
      </header>
      {chain.failing_since !== undefined && (
        <div className={styles.trouble}>
          <Notice
            tone="warn"
            title={t("office.chain.failing", {
              since: utcText(chain.failing_since),
              count: chain.failures ?? 1,
            })}
          >
            {chain.error !== undefined && <bdi>{chain.error}</bdi>}
          </Notice>
        </div>
      )}
      <Figures chain={chain} />
      <Nodes chain={chain} />
      <ReceivedTable chain={chain} />
    </Card>
  );
}

function Figures({ chain }: { chain: Chain }) {
  const t = useOfficeText();
  const language = useLanguage();
  const numbers = new Intl.NumberFormat(`${language}-u-nu-latn`);
  const figures = [
    ["height", chain.height === undefined ? undefined : numbers.format(chain.height)],
    ["lag", chain.lag_seconds === undefined ? undefined : spanText(language, chain.lag_seconds)],
    ["behind", chain.blocks_behind === undefined ? undefined : numbers.format(chain.blocks_behind)],
    ["lookedAt", chain.looked_at === undefined ? undefined : utcText(chain.looked_at)],
    ["undecided", numbers.format(chain.undecided.reduce((sum, { count }) => sum + count, 0))],
    ["credited", exactPrice(language, chain.credited)],
  ] as const;
  return (
    <dl className={styles.figures}>
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt className={styles.soft}>{t(`office.chain.${name}`)}</dt>
          <dd className={styles.value}>{value === undefined ? "—" : <Exact>{value}</Exact>}</dd>
        </div>
      ))}
    </dl>
  );
}

function Nodes({ chain }: { chain: Chain }) {
  const t = useOfficeText();
  const language = useLanguage();
  if (chain.nodes.length === 0) return null;
  return (
    <Table
      caption={t("office.chain.nodes", { chain: chain.chain })}
      rows={chain.nodes}
      rowKey={({ name }) => name}
      columns={[
        {
          id: "name",
          header: t("office.chain.node"),
          heading: true,
          cell: ({ name, in_use: isUsed }) => (
            <span className={styles.node}>
              <Exact>{name}</Exact>
              {isUsed && <Badge tone="accent">{t("office.chain.inUse")}</Badge>}
            </span>
          ),
        },
        {
          id: "height",
          header: t("office.chain.height"),
          align: "end",
          cell: ({ height }) =>
            height === undefined ? (
              "—"
            ) : (
              <Exact>{new Intl.NumberFormat(`${language}-u-nu-latn`).format(height)}</Exact>
            ),
        },
        {
          id: "answered",
          header: t("office.chain.answered"),
          cell: ({ answered_at: at }) => (at === undefined ? "—" : <Exact>{utcText(at)}</Exact>),
        },
        {
          id: "trouble",
          header: t("office.chain.trouble"),
          cell: ({ trouble, trouble_at: at }) =>
            trouble === undefined ? (
              "—"
            ) : (
              <Exact className={styles.text}>
                {at === undefined ? trouble : `${utcText(at)}: ${trouble}`}
              </Exact>
            ),
        },
      ]}
    />
  );
}

function ReceivedTable({ chain }: { chain: Chain }) {
  const t = useOfficeText();
  const language = useLanguage();
  if (chain.takings.length === 0) return null;
  return (
    <div className={styles.takings}>
      <Table
        dense
        caption={t("office.chain.takings", { chain: chain.chain })}
        rows={chain.takings}
        rowKey={({ currency }) => currency}
        columns={[
          {
            id: "currency",
            header: t("office.column.currency"),
            heading: true,
            cell: ({ currency }) => <Exact>{currencyName(currency)}</Exact>,
          },
          {
            id: "received",
            header: t("office.chain.received"),
            align: "end",
            cell: ({ received }) => <Exact>{received}</Exact>,
          },
          {
            id: "credited",
            header: t("office.chain.credited"),
            align: "end",
            cell: ({ credited }) => <Exact>{exactPrice(language, credited)}</Exact>,
          },
        ]}
      />
    </div>
  );
}
