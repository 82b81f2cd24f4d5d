import { useQuery } from "@tanstack/react-query";
import { CircleSlash, NotebookPen, Plus, SearchX, X } from "lucide-react";
import { type ReactNode, Suspense, useMemo, useState } from "react";
import { useSearch } from "wouter";
import { pollSeconds } from "../../../contract/limits.ts";
import { api } from "../../api.ts";
import { AccountPage } from "../../dashboard/AccountPage.tsx";
import { ErrorBoundary } from "../../ErrorBoundary.tsx";
import { isolated, price } from "../../format.ts";
import { useAppText, useLanguage } from "../../language.tsx";
import { Moment } from "../../Moment.tsx";
import { paths } from "../../paths.ts";
import { RefusalNotice } from "../../RefusalNotice.tsx";
import { dataOf, useIsLive, useRefused } from "../../serverState.tsx";
import { Button, LinkButton } from "../../ui/button/Button.tsx";
import { CopyButton } from "../../ui/button/CopyButton.tsx";
import { Exact } from "../../ui/display/Exact.tsx";
import { Badge } from "../../ui/feedback/Badge.tsx";
import { EmptyState } from "../../ui/feedback/EmptyState.tsx";
import { Loading } from "../../ui/feedback/Loading.tsx";
import { Card } from "../../ui/layout/Card.tsx";
import { useCancels } from "../cancel/useCancels.ts";
import { LetterDialog, NoteDialog } from "../dialogs.tsx";
import { CodeButton } from "../letter/CodeButton.tsx";
import { LetterLink } from "../letter/LetterLink.tsx";
import { answerIn, type Item, isWaiting, mayAct, toneOf, webLink } from "../list/activations.ts";
import { entriesOf, type HistoryEntry } from "../list/history.ts";
import { stateText } from "../list/stateText.ts";
import { Questions } from "../../questions/Questions.tsx";
import { useSkip } from "../skips/useSkips.ts";
import { Timeline } from "../timeline/Timeline.tsx";
import styles from "./OrderPage.module.css";

/** One order by its number: what it is, its letters, what happened, and what can be done with it. */
export function OrderPage() {
  const t = useAppText();
  const id = new URLSearchParams(useSearch()).get("id") ?? "";
  return (
    <AccountPage title={t("orderPage.title", { id: isolated(`#${id}`) })}>
      <Order key={id} id={id} />
    </AccountPage>
  );
}

function useOrder(id: string) {
  const isLive = useIsLive();
  return useQuery({
    queryKey: ["history", "order", id],
    queryFn: async ({ signal }) => {
      const found = await dataOf(api.history({ search: id }, { signal }));
      // A number is also found as the beginning of an address or as a code.
      return entriesOf(found.data).filter((entry) => entry.id === id);
    },
    enabled: /^[0-9]+$/.test(id),
    refetchInterval: ({ state }) =>
      state.data?.some(({ state: one }) => one === "pending") && !isLive ? pollSeconds * 1000 : false,
  });
}

function Order({ id }: { id: string }) {
  const t = useAppText();
  const language = useLanguage();
  const asked = useOrder(id);
  const refused = useRefused(asked);
  const [first] = asked.data ?? [];
  const about = useMemo(() => ({ activation_id: id }), [id]);
  if (refused) return <RefusalNotice refused={refused} onRetry={() => void asked.refetch()} />;
  if (asked.isFetching && !asked.data) return <Loading lines={8} />;
  if (!first)
    return (
      <Card>
        <EmptyState
          icon={<SearchX aria-hidden size={22} />}
          title={t("orderPage.none", { id: isolated(`#${id}`) })}
          action={<LinkButton href={paths.dashboard(language)}>{t("pay.toOrders")}</LinkButton>}
        />
      </Card>
    );
  return (
    <div className={styles.columns}>
      <div className={styles.column}>
        <Facts order={first} />
        <Letters entries={asked.data?.filter(({ letterId }) => letterId !== undefined) ?? []} />
      </div>
      <Card aria-labelledby="what-happened" className={styles.part}>
        <h2 id="what-happened" className={styles.title}>
          {t("timeline.title")}
        </h2>
        <Timeline id={id} />
        <Questions about={about} />
      </Card>
    </div>
  );
}

function Facts({ order }: { order: HistoryEntry }) {
  const t = useAppText();
  const language = useLanguage();
  const { site, email, state, orderedAt, ended, note } = order;
  const dollars = price(language, order.price);
  return (
    <Card aria-label={email} className={styles.part}>
      <p className={styles.head}>
        <Exact className={styles.email}>{email}</Exact>
        <CopyButton text={email} label={t("activations.copyEmail", { email })} />
        <Badge tone={toneOf(state)}>{t(stateText(state))}</Badge>
      </p>
      <dl className={styles.facts}>
        <Fact name={t("find.site")}>
          <Exact>{site}</Exact>
        </Fact>
        <Fact name={t("orderPage.price")}>
          <Exact>{dollars}</Exact>
        </Fact>
        <Fact name={t("orderPage.at")}>
          <Moment at={orderedAt} />
        </Fact>
        {note !== undefined && (
          <Fact name={t("note.title")}>
            <bdi>{note}</bdi>
          </Fact>
        )}
      </dl>
      {ended !== undefined && <p>{t(`history.${ended}`, { price: isolated(dollars) })}</p>}
      <Acts order={order} />
    </Card>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Acts({ order }: { order: HistoryEntry }) {
  const t = useAppText();
  const language = useLanguage();
  const item = useMemo(() => itemOf(order), [order]);
  const { cancel, canceling } = useCancels(useMemo(() => [item], [item]));
  const again = paths.dashboard(language, { from: order.site, to: order.email.split("@")[1] ?? "" });
  return (
    <div className={styles.acts}>
      <LinkButton tone="secondary" href={again} icon={<Plus aria-hidden size={16} />}>
        {t("orderPage.again")}
      </LinkButton>
      {isWaiting(item) && mayAct("cancel", item) && (
        <Button
          tone="secondary"
          icon={<X aria-hidden size={16} />}
          disabled={canceling.has(order.id)}
          onClick={() => cancel([item])}
        >
          {t("cancel.do")}
        </Button>
      )}
      <NoteButton order={order} />
      {order.ended !== undefined && <SkipButton order={order} />}
    </div>
  );
}

function NoteButton({ order }: { order: HistoryEntry }) {
  const t = useAppText();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button tone="secondary" icon={<NotebookPen aria-hidden size={16} />} onClick={() => setOpen(true)}>
        {t(order.note === undefined ? "note.add" : "note.change")}
      </Button>
      {isOpen && (
        <ErrorBoundary over>
          <Suspense>
            <NoteDialog item={order} onClose={() => setOpen(false)} />
          </Suspense>
        </ErrorBoundary>
      )}
    </>
  );
}

function SkipButton({ order }: { order: HistoryEntry }) {
  const { isBusy, words, press } = useSkip(order);
  return (
    <Button
      tone="secondary"
      busy={isBusy}
      icon={<CircleSlash aria-hidden size={16} />}
      onClick={() => void press()}
    >
      {words}
    </Button>
  );
}

/** As a row of the list, which is what can be canceled. */
const itemOf = (order: HistoryEntry): Item => ({
  key: order.id,
  id: order.id,
  site: order.site,
  email: order.email,
  state: order.state,
  code: order.code,
  link: order.link,
  value: order.value,
  price: order.price,
  expiresAt: undefined,
});

function Letters({ entries }: { entries: readonly HistoryEntry[] }) {
  const t = useAppText();
  const [open, setOpen] = useState<HistoryEntry>();
  if (entries.length === 0) return null;
  return (
    <Card aria-labelledby="letters" className={styles.part}>
      <h2 id="letters" className={styles.title}>
        {t("orderPage.letters")}
      </h2>
      <ul className={styles.letters}>
        {entries.map((entry) => (
          <LetterLine key={entry.key} entry={entry} onOpen={() => setOpen(entry)} />
        ))}
      </ul>
      {open && (
        <ErrorBoundary over again={open}>
          <Suspense>
            <LetterDialog
              item={open}
              known={open}
              onClose={() => setOpen(undefined)}
              onTimeline={() => setOpen(undefined)}
            />
          </Suspense>
        </ErrorBoundary>
      )}
    </Card>
  );
}

function LetterLine({ entry, onOpen }: { entry: HistoryEntry; onOpen: () => void }) {
  const t = useAppText();
  const code = answerIn(entry);
  const link = webLink(entry.link);
  return (
    <li className={styles.letter}>
      <div className={styles.what}>
        <button type="button" className={styles.subject} onClick={onOpen}>
          <bdi>{entry.subject || t("letter.title")}</bdi>
        </button>
        <p className={styles.note}>
          <Exact>{entry.sender}</Exact>
          <span aria-hidden> · </span>
          <Moment at={entry.receivedAt} />
        </p>
      </div>
      {code !== undefined && <CodeButton code={code} />}
      {code === undefined && link !== undefined && <LetterLink link={link} />}
    </li>
  );
}
