import { ArrowLeft } from "lucide-react";
import { Link } from "wouter";
import { useLanguage, useOfficeText } from "../language.tsx";
import { paths } from "../paths.ts";
import { Access } from "./Access.tsx";
import styles from "./Admin.module.css";
import { News } from "./news/News.tsx";
import { useNewsDesk } from "./news/useNewsDesk.ts";
import { useUnsaved } from "./useUnsaved.tsx";

/** What administrators tell everybody: stories and main news (spec O §2). */
export function StoriesAdmin() {
  return (
    <Access>
      <Page />
    </Access>
  );
}

function Page() {
  const t = useOfficeText();
  const language = useLanguage();
  const news = useNewsDesk();
  const { ask, question } = useUnsaved(news.isUnsaved);
  return (
    <div className={styles.page}>
      <div>
        <Link href={paths.dashboard(language)} className={styles.back}>
          <ArrowLeft aria-hidden size={16} />
          {t("office.back")}
        </Link>
        <h1 className={styles.title}>{t("editor.heading")}</h1>
        <p className={styles.lead}>{t("editor.lead")}</p>
      </div>
      <News desk={news} ask={ask} />
      {question}
    </div>
  );
}
