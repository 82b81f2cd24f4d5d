import { ArrowLeft } from "lucide-react";
import { Link } from "wouter";
import { useLanguage, useOfficeText } from "../language.tsx";
import { paths } from "../paths.ts";
import { stored, useStored } from "../stored.ts";
import { Tabs } from "../ui/layout/Tabs.tsx";
import { AdminAccess } from "./AdminAccess.tsx";
import styles from "./Admin.module.css";
import { NewsTab } from "./news/NewsTab.tsx";
import { useNewsEditor } from "./news/useNewsEditor.ts";
import { StoriesTab } from "./stories/StoriesTab.tsx";
import { useStoryEditor } from "./stories/useStoryEditor.ts";
import { useUnsaved } from "./useUnsaved.tsx";

/** The editor of stories and main news (spec O §2). */
export function StoriesAdmin() {
  return (
    <AdminAccess>
      <Page />
    </AdminAccess>
  );
}

const tabs = ["stories", "news"] as const;

function Page() {
  const t = useOfficeText();
  const language = useLanguage();
  const [tab, setTab] = useStored(stored.adminTab);
  // State above the tabs: switching tabs keeps the draft.
  const news = useNewsEditor();
  const stories = useStoryEditor();
  const { ask, question } = useUnsaved(news.isUnsaved || stories.isUnsaved);
  return (
    <div className={styles.page}>
      <div>
        <Link href={paths.office(language)} className={styles.back}>
          <ArrowLeft aria-hidden data-mirrored size={16} />
          {t("office.title")}
        </Link>
        <h1 className={styles.title}>{t("editor.heading")}</h1>
        <p className={styles.lead}>{t("editor.lead")}</p>
      </div>
      <div>
        <Tabs
          label={t("editor.tabs")}
          active={tab}
          onSelect={setTab}
          tabs={tabs.map((id) => ({ id, label: t(`editor.tab.${id}`) }))}
        >
          {tab === "news" ? (
            <NewsTab editor={news} ask={(go) => ask(go, news.isUnsaved)} />
          ) : (
            <StoriesTab editor={stories} ask={(go) => ask(go, stories.isUnsaved)} />
          )}
        </Tabs>
      </div>
      {question}
    </div>
  );
}
