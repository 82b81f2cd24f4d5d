import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Newspaper } from "lucide-react";
import { api } from "../../api.ts";
import { day, isolated } from "../../format.ts";
import { useOfficeText } from "../../language.tsx";
import type { NewsItem } from "../../serverData.tsx";
import { dataOf, refusedBy } from "../../serverState.tsx";
import { stored, useStored } from "../../stored.ts";
import { RefusalNotice } from "../../RefusalNotice.tsx";
import { Badge } from "../../ui/feedback/Badge.tsx";
import { Card } from "../../ui/layout/Card.tsx";
import { EmptyState } from "../../ui/feedback/EmptyState.tsx";
import { Loading } from "../../ui/feedback/Loading.tsx";
import styles from "../Admin.module.css";
import { EditableRow, useFocusAfterMove, type Direction } from "../EditableRow.tsx";
import { Exact } from "../../ui/display/Exact.tsx";

export type Listed = NewsItem;

interface NewsRowsProps {
  editing: string | undefined;
  onMove: (item: Listed, way: Direction) => void;
  onEdit: (id: string) => void;
  onRemove: (id: string) => void;
}

export function NewsRows(props: NewsRowsProps) {
  const t = useOfficeText();
  return (
    <Card flush aria-labelledby="news-list">
      <h2 id="news-list" className={styles.listHeading}>
        {t("editor.news.list")}
      </h2>
      <Items {...props} />
    </Card>
  );
}

function Items({ editing, onMove, onEdit, onRemove }: NewsRowsProps) {
  const t = useOfficeText();
  const [language] = useStored(stored.activeLang);
  const news = useQuery({
    queryKey: ["news", language],
    queryFn: async ({ signal }) =>
      (await dataOf(api.newsList({ lang: language, all: "1" }, { signal }))).news,
    placeholderData: keepPreviousData,
  });
  const { list, note } = useFocusAfterMove(news.data?.map(({ id }) => id));
  const refused = news.data ? undefined : refusedBy(news.error);
  if (refused) return <RefusalNotice inset refused={refused} onRetry={() => void news.refetch()} />;
  if (!news.data) {
    return <Loading inset lines={4} />;
  }
  if (news.data.length === 0)
    return <EmptyState icon={<Newspaper aria-hidden size={22} />} title={t("news.empty")} />;
  return (
    <ol ref={list} aria-labelledby="news-list">
      {news.data.map((item, at, { length }) => (
        <EditableRow
          key={item.id}
          id={item.id}
          isFirst={at === 0}
          isLast={at === length - 1}
          isEdited={item.id === editing}
          importance={item.importance}
          onMove={(way) => {
            note(item.id, way);
            onMove(item, way);
          }}
          onEdit={() => onEdit(item.id)}
          onRemove={() => onRemove(item.id)}
        >
          <NewsSummary item={item} />
        </EditableRow>
      ))}
    </ol>
  );
}

function NewsSummary({ item }: { item: Listed }) {
  const t = useOfficeText();
  const { importance } = item;
  return (
    <>
      <p className={styles.facts}>
        <Exact>{`#${item.id}`}</Exact>
        <time dateTime={item.date}>{day(item.date)}</time>
        <span>{t("editor.news.priority.of", { number: isolated(String(item.priority)) })}</span>
        {importance !== "normal" && (
          <Badge tone={importance === "critical" ? "bad" : "accent"}>{t(`news.${importance}`)}</Badge>
        )}
      </p>
      <h3 dir="auto" className={styles.name}>
        {item.title.trim() === "" ? t("editor.untitled") : item.title}
      </h3>
      <div className={styles.lines}>
        {item.lines.map((line, at) => (
          // The server sanitised these lines.
          <p key={at} dir="auto" dangerouslySetInnerHTML={{ __html: line }} />
        ))}
      </div>
    </>
  );
}
