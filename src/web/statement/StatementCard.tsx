import { Printer, ReceiptText, SearchX } from "lucide-react";
import { type ReactNode, useState } from "react";
import { flushSync } from "react-dom";
import { useAccountText } from "../language.tsx";
import { hasPeriod } from "../period/period.ts";
import { PeriodChips } from "../period/PeriodChips.tsx";
import { RefusalNotice } from "../RefusalNotice.tsx";
import { Button } from "../ui/button/Button.tsx";
import { Chip, Chips } from "../ui/button/Chip.tsx";
import { IconButton } from "../ui/button/IconButton.tsx";
import { EmptyState } from "../ui/feedback/EmptyState.tsx";
import { Loading } from "../ui/feedback/Loading.tsx";
import { Spinner } from "../ui/feedback/Spinner.tsx";
import { Card } from "../ui/layout/Card.tsx";
import { Tabs } from "../ui/layout/Tabs.tsx";
import { useBusy } from "../useBusy.ts";
import { PrintHead } from "./PrintHead.tsx";
import { type ReadBy, StatementDays } from "./StatementDays.tsx";
import { StatementSums } from "./StatementSums.tsx";
import styles from "./Statement.module.css";
import { isNarrowed, kindsOf, type StatementPeriod, type StatementQuery } from "./statement.ts";
import { type StatementSource, useStatement, useStatementQuery, useUsedBooks } from "./useStatement.ts";

interface StatementCardProps {
  /** Where it is one part of a page. */
  title?: string;
  source: StatementSource;
  readBy: ReadBy;
  /** Stands on paper, above the movements. */
  owner?: string;
}

/** The movements of an account by book, period and kind, as its owner and the back office read them. */
export function StatementCard({ title, source, readBy, owner }: StatementCardProps) {
  const t = useAccountText();
  const [query, change] = useStatementQuery();
  const lines = <Lines key={query.book} source={source} query={query} readBy={readBy} owner={owner} />;
  const { used, isLoading } = useUsedBooks(source);
  const all = used.includes(query.book) ? used : [...used, query.book];
  return (
    <Card data-settles flush aria-label={title ?? t("statement.title")} className={styles.card}>
      {title !== undefined && <h2 className={styles.title}>{title}</h2>}
      {isLoading && <div hidden aria-busy />}
      {all.length > 1 ? (
        <Tabs
          label={t("statement.books")}
          active={query.book}
          onSelect={(book) => change({ book })}
          tabs={all.map((id) => ({ id, label: t(`statement.book.${id}`) }))}
        >
          {lines}
        </Tabs>
      ) : (
        lines
      )}
    </Card>
  );
}

interface LinesProps extends Pick<StatementCardProps, "source" | "readBy"> {
  query: StatementQuery;
  owner: string | undefined;
}

function Lines({ source, query, readBy, owner }: LinesProps) {
  const t = useAccountText();
  const statement = useStatement(source, query);
  const { lines, period, isLoading, isMore, isLoadingMore, refused, more, reload } = statement;
  const [whole, setWhole] = useState<StatementPeriod>();
  const isEmpty = !isLoading && !refused && lines.length === 0;
  return (
    <>
      <PrintHead query={query} sums={period ?? whole} isPart={isMore} owner={owner} />
      <Filters
        query={query}
        print={lines.length > 0 && <PrintButton {...{ source, query, statement }} onSums={setWhole} />}
      />
      {period && <StatementSums sums={period} />}
      {isLoading && <Loading inset lines={6} />}
      {refused && <RefusalNotice inset refused={refused} onRetry={reload} />}
      {isEmpty && isNarrowed(query) && (
        <EmptyState icon={<SearchX aria-hidden size={22} />} title={t("statement.nothing")}>
          {t("statement.nothing.text")}
        </EmptyState>
      )}
      {isEmpty && !isNarrowed(query) && (
        <EmptyState icon={<ReceiptText aria-hidden size={22} />} title={t("statement.empty")}>
          {t("statement.empty.text")}
        </EmptyState>
      )}
      <StatementDays lines={lines} readBy={readBy} />
      {isMore && lines.length > 0 && (
        <div className={styles.more}>
          <Button tone="secondary" busy={isLoadingMore} onClick={more}>
            {t("statement.more")}
          </Button>
        </div>
      )}
    </>
  );
}

function Filters({ query, print }: { query: StatementQuery; print: ReactNode }) {
  const t = useAccountText();
  const [, change] = useStatementQuery();
  const { book, kinds } = query;
  return (
    <div className={styles.filters}>
      <div className={styles.periods}>
        <PeriodChips period={query} onPeriod={change} />
        {print}
      </div>
      <Chips label={t("statement.kinds")}>
        {kindsOf[book].map((kind) => {
          const isOn = kinds.includes(kind);
          const others = kinds.filter((one) => one !== kind);
          return (
            <Chip
              key={kind}
              chosen={isOn}
              onClick={() => change({ kinds: isOn ? others : [...others, kind] })}
            >
              {t(`statement.kind.${kind}`)}
            </Chip>
          );
        })}
      </Chips>
    </div>
  );
}

interface PrintButtonProps extends Pick<LinesProps, "source" | "query"> {
  statement: ReturnType<typeof useStatement>;
  onSums: (sums: StatementPeriod) => void;
}

/** Prints all movements that fit, not only those that are loaded, with their sums. */
function PrintButton({ source, query, statement, onSums }: PrintButtonProps) {
  const t = useAccountText();
  const [isBusy, whileBusy] = useBusy();
  const print = async () => {
    const isWhole = await whileBusy(async () => {
      if (!hasPeriod(query)) {
        const until = Math.ceil(Date.now() / 1000);
        const answer = await source.read({ book: query.book, until }, {});
        if (!answer.ok) return false;
        const { period } = answer.data;
        if (period) flushSync(() => onSums(period));
      }
      return statement.all();
    });
    // The last lines are on the page one task later.
    if (isWhole) setTimeout(() => window.print());
  };
  return (
    <IconButton
      label={t("statement.print")}
      aria-busy={isBusy}
      disabled={isBusy}
      icon={isBusy ? <Spinner size={17} /> : <Printer aria-hidden size={17} />}
      onClick={() => void print()}
    />
  );
}
