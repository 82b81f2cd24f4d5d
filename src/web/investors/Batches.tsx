import { Package, RotateCw } from "lucide-react";
import { balance as money, dayOf, percent } from "../format.ts";
import { useAccountText, useLanguage } from "../language.tsx";
import { RefusalNotice } from "../RefusalNotice.tsx";
import { useMinimumDuration } from "../ui/feedback/useMinimumDuration.ts";
import { Card } from "../ui/layout/Card.tsx";
import { EmptyState } from "../ui/feedback/EmptyState.tsx";
import { IconButton } from "../ui/button/IconButton.tsx";
import { Loading } from "../ui/feedback/Loading.tsx";
import { Pagination } from "../ui/display/Pagination.tsx";
import { Spinner } from "../ui/feedback/Spinner.tsx";
import { type Column, Table } from "../ui/display/Table.tsx";
import { BatchState } from "./BatchState.tsx";
import type { Batch } from "./batches.ts";
import styles from "./Investor.module.css";
import { useBatches } from "./useBatches.ts";
import { Exact } from "../ui/display/Exact.tsx";

const spinnerMilliseconds = 1000;
/** Page numbers shown at a time (spec O §4). */
const pagesShown = 5;

interface BatchesProps {
  page: number;
  onPage: (page: number) => void;
}

export function Batches({ page, onPage }: BatchesProps) {
  const t = useAccountText();
  const { batches, pages, isLoading, isFetching, refused, reload } = useBatches(page, onPage);
  const spins = useMinimumDuration(isFetching, spinnerMilliseconds);
  const columns = useColumns();
  return (
    <Card flush aria-labelledby="investor-batches">
      <header className={styles.head}>
        <h2 id="investor-batches" className={styles.heading}>
          {t("investor.batches.title")}
        </h2>
        <IconButton
          label={t("activations.refresh")}
          icon={spins ? <Spinner size={17} /> : <RotateCw aria-hidden size={17} />}
          aria-busy={spins}
          onClick={reload}
        />
      </header>
      {isLoading && <Loading inset lines={4} />}
      {refused && <RefusalNotice inset refused={refused} onRetry={reload} />}
      {!isLoading && !refused && batches.length === 0 && (
        <EmptyState icon={<Package aria-hidden size={22} />} title={t("investor.batches.none")}>
          {t("investor.batches.none.text")}
        </EmptyState>
      )}
      {batches.length > 0 && (
        <Table
          caption={t("investor.batches.title")}
          columns={columns}
          rows={batches}
          rowKey={({ id_batch: id }) => id}
          folds
        />
      )}
      <Pagination page={page} pages={pages} shown={pagesShown} onPage={onPage} />
    </Card>
  );
}

function useColumns(): Column<Batch>[] {
  const t = useAccountText();
  const language = useLanguage();
  const counts = new Intl.NumberFormat(`${language}-u-nu-latn`);
  const figure = (id: string, header: string, of: (batch: Batch) => string): Column<Batch> => ({
    id,
    header,
    align: "end",
    cell: (batch) => <Exact>{of(batch)}</Exact>,
  });
  return [
    {
      id: "id",
      header: t("investor.batch.id"),
      heading: true,
      cell: ({ id_batch: id }) => <Exact>{`#${id}`}</Exact>,
    },
    {
      id: "date",
      header: t("investor.batch.date"),
      cell: ({ created_at: at }) => <Exact>{dayOf(at)}</Exact>,
    },
    figure("total", t("investor.batch.total"), ({ count }) => counts.format(count)),
    figure("active", t("investor.batch.active"), ({ alive }) => counts.format(alive)),
    figure("earnings", t("investor.batch.earnings"), ({ amount }) => money(language, amount)),
    figure("held", t("investor.batch.held"), ({ held }) => money(language, held ?? "0")),
    figure("percent", t("investor.batch.percent"), (batch) => percent(language, batch.percent)),
    {
      id: "domains",
      header: t("investor.batch.domains"),
      cell: (batch) => <Domains batch={batch} />,
    },
    { id: "state", header: t("investor.batch.state"), cell: (batch) => <BatchState batch={batch} /> },
  ];
}

function Domains({ batch: { domain_names: domains, restricted } }: { batch: Batch }) {
  const t = useAccountText();
  return (
    <div className={styles.domains}>
      <Exact>{domains.length > 0 ? domains.join(", ") : "—"}</Exact>
      {restricted.length > 0 && (
        <span className={styles.restricted}>
          {t("investor.batch.restricted")} <Exact>{restricted.join(", ")}</Exact>
        </span>
      )}
    </div>
  );
}
