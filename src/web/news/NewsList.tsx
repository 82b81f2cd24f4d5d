import { Newspaper } from "lucide-react";
import { day } from "../format.ts";
import { useText } from "../language.tsx";
import { Badge } from "../ui/feedback/Badge.tsx";
import { Button } from "../ui/button/Button.tsx";
import { EmptyState } from "../ui/feedback/EmptyState.tsx";
import { Spinner } from "../ui/feedback/Spinner.tsx";
import type { NewsItem } from "../serverData.tsx";
import { isShown, useNews } from "./useNews.ts";
import styles from "./NewsList.module.css";

/** The announcements: date, title, lines; important ones stand out (spec B §2). */
export function NewsList() {
  const t = useText();
  return (
    <section aria-labelledby="news">
      <h2 id="news" className={styles.heading}>
        {t("news.title")}
      </h2>
      <Items />
    </section>
  );
}

function Items() {
  const t = useText();
  const { news, failed, again } = useNews();
  const icon = <Newspaper aria-hidden size={22} />;
  if (failed) {
    const action = <Button onClick={again}>{t("news.again")}</Button>;
    return (
      <div className={styles.none}>
        <EmptyState icon={icon} title={t("news.failed")} action={action} />
      </div>
    );
  }
  if (news === undefined) return <Spinner label={t("ui.loading")} />;
  const shown = news.filter(isShown);
  if (shown.length === 0) {
    return (
      <div className={styles.none}>
        <EmptyState icon={icon} title={t("news.empty")}>
          {t("news.empty.text")}
        </EmptyState>
      </div>
    );
  }
  return (
    <ol className={styles.list}>
      {shown.map((item) => (
        <Item key={item.id} item={item} />
      ))}
    </ol>
  );
}

function Item({ item }: { item: NewsItem }) {
  const t = useText();
  const { importance } = item;
  return (
    <li className={styles.item} data-importance={importance}>
      <p className={styles.when}>
        <time dateTime={item.date}>{day(item.date)}</time>
        {importance !== "normal" && (
          <Badge tone={importance === "critical" ? "bad" : "accent"}>{t(`news.${importance}`)}</Badge>
        )}
      </p>
      <div className={styles.text}>
        {item.title.trim() !== "" && <h3 dir="auto">{item.title}</h3>}
        {item.lines.map((line, at) => (
          // The server sanitised these lines.
          <p key={at} dir="auto" dangerouslySetInnerHTML={{ __html: line }} />
        ))}
      </div>
    </li>
  );
}
