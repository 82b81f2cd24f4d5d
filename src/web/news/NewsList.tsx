import { Newspaper } from "lucide-react";
import { day } from "../format.ts";
import { useText } from "../language.tsx";
import { useServerData } from "../serverData.tsx";
import { Badge } from "../ui/Badge.tsx";
import { Empty } from "../ui/Empty.tsx";
import { isShown, type NewsItem } from "./news.ts";
import styles from "./NewsList.module.css";

/** The announcements: date, title, lines; important ones stand out (spec B §2). */
export function NewsList() {
  const t = useText();
  const shown = useServerData().news.filter(isShown);
  return (
    <section aria-labelledby="news">
      <h2 id="news" className={styles.heading}>
        {t("news.title")}
      </h2>
      {shown.length === 0 ? (
        <div className={styles.none}>
          <Empty icon={<Newspaper aria-hidden size={22} />} title={t("news.empty")}>
            {t("news.empty.text")}
          </Empty>
        </div>
      ) : (
        <ol className={styles.list}>
          {shown.map((item) => (
            <Item key={item.id} item={item} />
          ))}
        </ol>
      )}
    </section>
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
          // The server made these lines safe before it stored them.
          <p key={at} dir="auto" dangerouslySetInnerHTML={{ __html: line }} />
        ))}
      </div>
    </li>
  );
}
