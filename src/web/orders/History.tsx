import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Archive, RotateCw } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { pollSeconds } from "../../contract/limits.ts";
import { api } from "../api.ts";
import { moment } from "../format.ts";
import { useAppText } from "../language.tsx";
import { refusalText } from "../refusalText.ts";
import { dataOf, refusedBy, useIsLive } from "../serverState.tsx";
import { stored, useStored } from "../stored.ts";
import { Button } from "../ui/Button.tsx";
import { classes } from "../ui/classes.ts";
import { CopyButton } from "../ui/CopyButton.tsx";
import { useAtLeast } from "../ui/atLeast.ts";
import { Empty } from "../ui/Empty.tsx";
import { IconButton } from "../ui/IconButton.tsx";
import { Notice } from "../ui/Notice.tsx";
import { Pager } from "../ui/Pager.tsx";
import { Spinner } from "../ui/Spinner.tsx";
import bar from "./Activations.module.css";
import { answerIn } from "./activations.ts";
import { CodeButton } from "./CodeButton.tsx";
import styles from "./History.module.css";
import { byDay, entriesOf, type HistoryEntry, isGroups } from "./history.ts";
import { LetterDialog } from "./LetterDialog.tsx";
import row from "./Row.module.css";
import { RowBones } from "./RowBones.tsx";
import { StateButton } from "./StateButton.tsx";
import { TimelineDialog } from "./TimelineDialog.tsx";

const spinnerMilliseconds = 1000;

/** Every order and letter of the account (spec B §2 "History"). */
export function History() {
  const t = useAppText();
  const { page, setPage, pages, days, isLoading, isFetching, refused, reload } = useHistory();
  const spins = useAtLeast(isFetching, spinnerMilliseconds);
  return (
    <>
      <div className={bar.bar}>
        <p>{t("history.live")}</p>
        <IconButton
          label={t("activations.refresh")}
          icon={spins ? <Spinner size={17} /> : <RotateCw aria-hidden size={17} />}
          aria-busy={spins}
          onClick={reload}
        />
      </div>
      {isLoading && <RowBones label={t("history.loading")} />}
      {refused && (
        <div className={bar.trouble}>
          <Notice
            tone="warn"
            action={
              <Button tone="secondary" size="small" className={styles.again} onClick={reload}>
                {t("order.types.again")}
              </Button>
            }
          >
            {refusalText(t, refused)}
          </Notice>
        </div>
      )}
      {!isLoading && !refused && days.length === 0 && (
        <Empty icon={<Archive aria-hidden size={22} />} title={t("activations.empty")}>
          {t("history.empty.text")}
        </Empty>
      )}
      <Days days={days} />
      <Pager page={page} pages={pages} onPage={setPage} />
    </>
  );
}

/** The entries under their days, and what opens from them. */
function Days({ days }: Pick<ReturnType<typeof useHistory>, "days">) {
  const [open, setOpen] = useState<HistoryEntry>();
  const [told, setTold] = useState<HistoryEntry>();
  return (
    <>
      {days.map(({ day, entries }) => (
        <section key={day} aria-label={day}>
          <h3 className={styles.day}>
            <bdi>{day}</bdi>
          </h3>
          <ul className={bar.list}>
            {entries.map((entry) => (
              <Row
                key={entry.key}
                entry={entry}
                onOpen={() => setOpen(entry)}
                onTimeline={() => setTold(entry)}
              />
            ))}
          </ul>
        </section>
      ))}
      {open && (
        <LetterDialog
          item={open}
          known={open}
          onClose={() => setOpen(undefined)}
          onTimeline={() => {
            setOpen(undefined);
            setTold(open);
          }}
        />
      )}
      {told && <TimelineDialog item={told} onClose={() => setTold(undefined)} />}
    </>
  );
}

const dayOf = (unixSeconds: number) => moment(unixSeconds).slice(0, 10);
const timeOf = (unixSeconds: number) => moment(unixSeconds).slice(11);

/** One page, asked for every 3 s while nobody tells what happens (spec B §4). The page and the last one ever seen outlive a reload. */
function useHistory() {
  const [page, setPage] = useStored(stored.fullCurrentPage);
  const isLive = useIsLive();
  const [pagesSeen, setPagesSeen] = useStored(stored.maxFullPageSeen);
  const query = useQuery({
    queryKey: ["history", page],
    queryFn: ({ signal }) => ask(page, signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (isLive && state.error === null ? false : pollSeconds * 1000),
  });
  const groups = query.data?.data;
  const days = useMemo(() => byDay(entriesOf(groups ?? {}), dayOf), [groups]);
  const pages = query.data?.pages;
  const isBeyond = page > 1 && groups !== undefined && !query.isPlaceholderData && days.length === 0;
  // Both stand in local storage, which is outside React. An empty page other than the first falls back to it.
  useEffect(() => {
    if (pages !== undefined) setPagesSeen(Math.max(1, pages));
    if (isBeyond) setPage(1);
  }, [pages, isBeyond, setPage, setPagesSeen]);
  return {
    page,
    setPage,
    pages: pages ?? pagesSeen,
    days,
    isLoading: query.isPending,
    isFetching: query.isFetching,
    refused: refusedBy(query.error),
    reload: () => void query.refetch(),
  };
}

/** A history in another shape is only logged (spec B §8). */
async function ask(page: number, signal: AbortSignal) {
  const said = await dataOf(api.history({ offset: page }, { signal }));
  if (isGroups(said.data)) return said;
  reportError(new Error("the history came in an unexpected shape"));
  return { ...said, data: {} };
}

interface RowProps {
  entry: HistoryEntry;
  onOpen: () => void;
  onTimeline: () => void;
}

function Row({ entry, onOpen, onTimeline }: RowProps) {
  const t = useAppText();
  const isReceived = entry.state === "received";
  // A letter that is no longer kept opens too: what is known of it stays.
  const opens = isReceived && (entry.message !== "" || entry.letterId !== undefined);
  const code = answerIn(entry);
  return (
    <li className={classes(row.row, opens && row.opens)} data-state={entry.state}>
      <div className={row.what}>
        <p className={row.head}>
          {opens ? (
            <button type="button" className={row.site} onClick={onOpen}>
              <bdi>{entry.site}</bdi>
            </button>
          ) : (
            <bdi className={row.site}>{entry.site}</bdi>
          )}
          <span className={row.id}>
            <bdi>#{entry.id}</bdi>
          </span>
        </p>
        <div className={row.address}>
          <bdi className={row.email}>{entry.email}</bdi>
          <CopyButton text={entry.email} label={t("activations.copyEmail", { email: entry.email })} />
        </div>
        {entry.subject !== "" && (
          <p dir="auto" className={styles.subject}>
            {entry.subject}
          </p>
        )}
        {isReceived && !opens && <p className={styles.missing}>{t("letter.missing")}</p>}
      </div>
      <div className={row.status}>
        <StateButton state={entry.state} email={entry.email} onPress={onTimeline} />
        <bdi className={row.time}>{timeOf(entry.receivedAt)}</bdi>
      </div>
      {code !== undefined && <CodeButton code={code} className={row.code} />}
    </li>
  );
}
