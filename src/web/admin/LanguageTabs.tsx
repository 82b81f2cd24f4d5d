import type { ReactNode } from "react";
import { languageCodes, languages, type Language } from "../../i18n/languages.ts";
import { useOfficeText } from "../language.tsx";
import { stored, useStored } from "../stored.ts";
import { VisuallyHidden } from "../ui/layout/VisuallyHidden.tsx";
import { Tabs } from "../ui/layout/Tabs.tsx";
import styles from "./Admin.module.css";

interface LanguageTabsProps {
  isWritten: (language: Language) => boolean;
  children: ReactNode;
}

/** One tab for each language, with a dot where a text is written. Remembers the choice (spec O §2). */
export function LanguageTabs({ isWritten, children }: LanguageTabsProps) {
  const t = useOfficeText();
  const [active, setActive] = useStored(stored.activeLang);
  const mark = (
    <span className={styles.dot}>
      <VisuallyHidden>{t("editor.language.written")}</VisuallyHidden>
    </span>
  );
  return (
    <div className={styles.languages}>
      <Tabs
        label={t("editor.languages")}
        active={active}
        onSelect={setActive}
        tabs={languageCodes.map((id) => ({
          id,
          label: id.toUpperCase(),
          badge: isWritten(id) ? mark : undefined,
        }))}
      >
        {children}
      </Tabs>
    </div>
  );
}

export const inLanguageOf = (language: Language) => ({ lang: language, dir: languages[language].direction });
