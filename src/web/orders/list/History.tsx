import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Archive, Plus, RotateCw } from "lucide-react";
import { memo, Suspense, useEffect, useMemo, useState } from "react";
import { pollSeconds } from "../../../contract/limits.ts";
import { api } from "../../api.ts";
import { byDay, isolated, moment, price } from "../../format.ts";
import { ErrorBoundary } from "../../ErrorBoundary.tsx";
import { useAppText, useLanguage } from "../../language.tsx";
import { dataOf, useIsLive, useRefused } from "../../serverState.tsx";
import { stored, useStored } from "../../stored.ts";
import { RefusalNotice } from "../../RefusalNotice.tsx";
import { Button } from "../../ui/button/Button.tsx";
import { DaySection } from "../../ui/layout/DaySection.tsx";
import { classNames } from "../../ui/layout/classNames.ts";
import { CopyButton } from "../../ui/button/CopyButton.tsx";
import { useMinimumDuration } from "../../ui/feedback/useMinimumDuration.ts";
import { EmptyState } from "../../ui/feedback/EmptyState.tsx";
import { IconButton } from "../../ui/button/IconButton.tsx";
import { Pagination } from "../../ui/display/Pagination.tsx";
import { Spinner } from "../../ui/feedback/Spinner.tsx";
import { unlessOnControl } from "../../ui/button/unlessOnControl.ts";
import bar from "./Activations.module.css";
import { answerIn, longList, webLink } from "./activations.ts";
import { RowMenu } from "../acts/RowMenu.tsx";
import { OrderAgainButton } from "../form/OrderAgainButton.tsx";
import { CodeButton } from "../letter/CodeButton.tsx";
import type { OrderList } from "./useOrderList.ts";
import { LetterLink } from "../letter/LetterLink.tsx";
import styles from "./History.module.css";
import { entriesOf, type HistoryEntry, isGroups } from "./history.ts";
import { LetterDialog, NoteDialog, TimelineDialog } from "../dialogs.tsx";
import row from "./Row.module.css";
import { CutNote, NothingFound } from "./Found.tsx";
import { askOf, isNarrowed } from "./listQuery.ts";
import { FindButton, ListTools, useListTools } from "./ListTools.tsx";
import { useListQuery } from "./useListQuery.ts";
import { OrderLink } from "../page/OrderLink.tsx";
import { NoteAct } from "../note/NoteAct.tsx";
import { RowNote } from "../note/RowNote.tsx";
import { SkipAct } from "../skips/SkipAct.tsx";
import { RowSubject } from "./RowSubject.tsx";
import { RowSkeletons } from "./RowSkeletons.tsx";
import { OrderStateButton } from "./OrderStateButton.tsx";
import { focusSite } from "./useShortcuts.ts";
import { Exact } from "../../ui/display/Exact.tsx";
import { orderStates } from "../../../contract/order-states.ts";

const spinnerMilliseconds = 1000;

interface HistoryProps {
  order: OrderList["order"];
  onTopUp: (missingDollars: number) => void;
}

/** All orders and letters of the account (spec B §2 "History"). */
export function History({ order, onTopUp }: HistoryProps) {
  const t = useAppText();
  const { page, setPage, pages, days, query, found, isCut, isLoading, isFetching, refused, reload } =
    useHistory();
  const spins = useMinimumDuration(isFetching, spinnerMilliseconds);
  const count = days.reduce((sum, [, entries]) => sum + entries.length, 0);
  const tools = useListTools({ isLoading, count, pages });
  return (
    <>
      {tools.isShown && <ListTools states={orderStates} isAsked={tools.isAsked} found={found} />}
      <div className={bar.bar}>
        <p>{t("history.live")}</p>
        <span className={bar.tools}>
          <FindButton tools={tools} />
          <IconButton
            label={t("activations.refresh")}
            icon={spins ? <Spinner size={17} /> : <RotateCw aria-hidden size={17} />}
            aria-busy={spins}
            onClick={reload}
          />
        </span>
      </div>
      {isLoading && <RowSkeletons label={t("history.loading")} />}
      {refused && <RefusalNotice inset refused={refused} onRetry={reload} />}
      {!isLoading && !refused && days.length === 0 && isNarrowed(query) && <NothingFound />}
      {!isLoading && !refused && days.length === 0 && !isNarrowed(query) && (
        <EmptyState
          icon={<Archive aria-hidden size={22} />}
          title={t("activations.empty")}
          action={<OrderButton />}
        >
          {t("history.empty.text")}
        </EmptyState>
      )}
      <Days days={days} order={order} onTopUp={onTopUp} />
      {isCut && <CutNote />}
      <Pagination page={page} pages={pages} onPage={setPage} />
    </>
  );
}

function OrderButton() {
  const t = useAppText();
  return (
    <Button tone="secondary" size="small" icon={<Plus aria-hidden size={16} />} onClick={focusSite}>
      {t("order.title")}
    </Button>
  );
}

type DaysProps = HistoryProps & Pick<ReturnType<typeof useHistory>, "days">;

function Days(props: DaysProps) {
  const [open, setOpen] = useState<HistoryEntry>();
  const [timelineOf, setTimelineOf] = useState<HistoryEntry>();
  const [noteOf, setNoteOf] = useState<HistoryEntry>();
  return (
    <>
      <Entries {...props} onOpen={setOpen} onTimeline={setTimelineOf} onNote={setNoteOf} />
      <ErrorBoundary over again={open ?? timelineOf ?? noteOf}>
        <Suspense>
          {open && (
            <LetterDialog
              mayStay
              item={open}
              known={open}
              onClose={() => setOpen(undefined)}
              onTimeline={() => {
                setOpen(undefined);
                setTimelineOf(open);
              }}
            />
          )}
          {timelineOf && <TimelineDialog item={timelineOf} onClose={() => setTimelineOf(undefined)} />}
          {noteOf && <NoteDialog item={noteOf} onClose={() => setNoteOf(undefined)} />}
        </Suspense>
      </ErrorBoundary>
    </>
  );
}

/** Memoised: a page may hold hundreds of letters, and polling must not redraw them. */
const Entries = memo(function Entries({ days, ...rest }: DaysProps & Omit<RowProps, "entry">) {
  const isLong = days.reduce((sum, [, entries]) => sum + entries.length, 0) > longList;
  return days.map(([day, entries]) => (
    <DaySection key={day} day={day} level={3}>
      <ul className={classNames(bar.list, isLong && bar.long)}>
        {entries.map((entry) => (
          <Row key={entry.key} entry={entry} {...rest} />
        ))}
      </ul>
    </DaySection>
  ));
});

const timeOf = (unixSeconds: number) => moment(unixSeconds).slice(11);

/** One page, polled every 3 s without the stream (spec B §4). Stores the page number and the last page seen. */
function useHistory() {
  const [query] = useListQuery();
  const [page, setPage] = useStored(stored.fullCurrentPage);
  const isLive = useIsLive();
  const [pagesSeen, setPagesSeen] = useStored(stored.maxFullPageSeen);
  const answer = useQuery({
    queryKey: ["history", page, askOf(query)],
    queryFn: ({ signal }) => ask({ offset: page, ...askOf(query) }, signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (isLive && state.error === null ? false : pollSeconds * 1000),
  });
  const groups = answer.data?.data;
  const days = useMemo(() => byDay(entriesOf(groups ?? {}), ({ receivedAt }) => receivedAt), [groups]);
  const pages = answer.data?.pages;
  const isBeyond = page > 1 && groups !== undefined && !answer.isPlaceholderData && days.length === 0;
  useEffect(() => {
    if (pages !== undefined) setPagesSeen(Math.max(1, pages));
    if (isBeyond) setPage(1);
  }, [pages, isBeyond, setPage, setPagesSeen]);
  return {
    page,
    setPage,
    pages: pages ?? pagesSeen,
    days,
    query,
    found: answer.data?.found,
    isCut: answer.data?.cut === true,
    isLoading: answer.isPending,
    isFetching: answer.isFetching,
    refused: useRefused(answer),
    reload: () => void answer.refetch(),
  };
}

/** Logs a history of another shape (spec B §8). */
async function ask(asked: Parameters<typeof api.history>[0], signal: AbortSignal) {
  const answer = await dataOf(api.history(asked, { signal }));
  if (isGroups(answer.data)) return answer;
  reportError(new Error("the history came in an unexpected shape"));
  return { ...answer, data: {} };
}

interface RowProps extends HistoryProps {
  entry: HistoryEntry;
  onOpen: (entry: HistoryEntry) => void;
  onTimeline: (entry: HistoryEntry) => void;
  onNote: (entry: HistoryEntry) => void;
}

function Row({ entry, onOpen, onTimeline, onNote, order, onTopUp }: RowProps) {
  const t = useAppText();
  const language = useLanguage();
  const isReceived = entry.state === "received";
  // An expired letter opens too, with its remaining data.
  const opens = isReceived && (entry.message !== "" || entry.letterId !== undefined);
  const code = answerIn(entry);
  const link = webLink(entry.link);
  return (
    <li
      className={classNames(row.row, opens && row.opens)}
      data-state={entry.state}
      onClick={opens ? (event) => unlessOnControl(event, () => onOpen(entry)) : undefined}
    >
      <div className={row.what}>
        <div className={row.line}>
          {opens ? (
            <button type="button" className={row.site} onClick={() => onOpen(entry)}>
              <Exact>{entry.site}</Exact>
            </button>
          ) : (
            <Exact className={row.site}>{entry.site}</Exact>
          )}
          <div className={row.address}>
            <Exact className={row.email}>{entry.email}</Exact>
            <CopyButton text={entry.email} label={t("activations.copyEmail", { email: entry.email })} />
          </div>
        </div>
        <div className={row.facts}>
          <Exact className={row.at}>{timeOf(entry.receivedAt)}</Exact>
          <OrderLink id={entry.id} />
          <RowSubject subject={entry.subject} />
          {entry.ended !== undefined && (
            <p>{t(`history.${entry.ended}`, { price: isolated(price(language, entry.price)) })}</p>
          )}
          {isReceived && !opens && <p className={styles.missing}>{t("letter.missing")}</p>}
        </div>
        <RowNote note={entry.note} onPress={() => onNote(entry)} />
      </div>
      <div className={row.status}>
        <OrderStateButton state={entry.state} email={entry.email} onPress={() => onTimeline(entry)} />
      </div>
      {code !== undefined && <CodeButton code={code} className={row.code} />}
      {code === undefined && link !== undefined && <LetterLink link={link} className={row.code} />}
      <div className={row.actions}>
        <RowMenu email={entry.email}>
          <OrderAgainButton like={entry} order={order} onTopUp={onTopUp} />
          <NoteAct note={entry.note} onPress={() => onNote(entry)} />
          {entry.ended !== undefined && <SkipAct order={entry} />}
        </RowMenu>
      </div>
    </li>
  );
}
