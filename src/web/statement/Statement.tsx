import { useIsFetching, useQueries, useQueryClient } from "@tanstack/react-query";
import { ReceiptText, RotateCw } from "lucide-react";
import { useState } from "react";
import { api, fetchFile } from "../api.ts";
import { AccountPage } from "../dashboard/AccountPage.tsx";
import { useAccountText } from "../language.tsx";
import { TimelineDialog } from "../orders/timeline/TimelineDialog.tsx";
import { refusalText } from "../refusalText.ts";
import { DownloadButton } from "../DownloadButton.tsx";
import { dataOf } from "../serverState.tsx";
import { RefusalNotice } from "../RefusalNotice.tsx";
import { useMinimumDuration } from "../ui/feedback/useMinimumDuration.ts";
import { Button } from "../ui/button/Button.tsx";
import { Card } from "../ui/layout/Card.tsx";
import { EmptyState } from "../ui/feedback/EmptyState.tsx";
import { IconButton } from "../ui/button/IconButton.tsx";
import { Loading } from "../ui/feedback/Loading.tsx";
import { Spinner } from "../ui/feedback/Spinner.tsx";
import { Tabs } from "../ui/layout/Tabs.tsx";
import { StatementDays } from "./StatementDays.tsx";
import styles from "./Statement.module.css";
import { type Book, books } from "./statement.ts";
import { useStatement } from "./useStatement.ts";

const spinnerMilliseconds = 1000;

export function Statement() {
  const t = useAccountText();
  const [book, setBook] = useState<Book>("balance");
  const actions = (
    <div className={styles.actions}>
      <RefreshButton />
      <DownloadButton
        name={book}
        fetchFile={() => fetchFile("statementFile", { book })}
        refusalText={(refused) => refusalText(t, refused)}
      >
        {t("statement.download")}
      </DownloadButton>
    </div>
  );
  return (
    <AccountPage title={t("statement.title")} lead={t("statement.lead")} actions={actions}>
      <Books book={book} setBook={setBook} />
    </AccountPage>
  );
}

function Books({ book, setBook }: { book: Book; setBook: (book: Book) => void }) {
  const t = useAccountText();
  const used = useUsedBooks();
  const lines = <Lines key={book} book={book} />;
  return (
    <Card flush aria-label={t("statement.title")} className={styles.card}>
      {used.length > 1 ? (
        <Tabs
          label={t("statement.books")}
          active={book}
          onSelect={setBook}
          tabs={used.map((id) => ({ id, label: t(`statement.book.${id}`) }))}
        >
          {lines}
        </Tabs>
      ) : (
        lines
      )}
    </Card>
  );
}

/** The balance, and the books with movements: a buyer sees no partner or investor book. */
function useUsedBooks(): Book[] {
  const others = books.filter((book) => book !== "balance");
  const asked = useQueries({
    queries: others.map((book) => ({
      queryKey: ["book", book],
      queryFn: async ({ signal }: { signal: AbortSignal }) =>
        (await dataOf(api.statement({ book }, { signal }))).data.length > 0,
      staleTime: Number.POSITIVE_INFINITY,
    })),
  });
  return ["balance", ...others.filter((_, at) => asked[at]?.data === true)];
}

function Lines({ book }: { book: Book }) {
  const t = useAccountText();
  const { lines, isLoading, isMore, isLoadingMore, refused, more, reload } = useStatement(book);
  const [timelineOf, setTimelineOf] = useState<string>();
  return (
    <>
      {isLoading && <Loading inset lines={6} />}
      {refused && <RefusalNotice inset refused={refused} onRetry={reload} />}
      {!isLoading && !refused && lines.length === 0 && (
        <EmptyState icon={<ReceiptText aria-hidden size={22} />} title={t("statement.empty")}>
          {t("statement.empty.text")}
        </EmptyState>
      )}
      <StatementDays lines={lines} onActivation={setTimelineOf} />
      {isMore && (
        <div className={styles.more}>
          <Button tone="secondary" busy={isLoadingMore} onClick={more}>
            {t("statement.more")}
          </Button>
        </div>
      )}
      {timelineOf !== undefined && (
        <TimelineDialog item={{ id: timelineOf }} onClose={() => setTimelineOf(undefined)} />
      )}
    </>
  );
}

function RefreshButton() {
  const t = useAccountText();
  const client = useQueryClient();
  const spins = useMinimumDuration(useIsFetching({ queryKey: ["statement"] }) > 0, spinnerMilliseconds);
  return (
    <IconButton
      label={t("activations.refresh")}
      icon={spins ? <Spinner size={17} /> : <RotateCw aria-hidden size={17} />}
      aria-busy={spins}
      onClick={() => void client.resetQueries({ queryKey: ["statement"] })}
    />
  );
}
