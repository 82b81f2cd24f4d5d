import { CopyButton } from "../../ui/button/CopyButton.tsx";
import { Tabs } from "../../ui/layout/Tabs.tsx";
import { useDocsText } from "../../language.tsx";
import styles from "../Call.module.css";
import { Code } from "./Code.tsx";
import type { CodeLanguage } from "./highlight.ts";

interface CodeTabsProps<Language extends CodeLanguage> {
  of: string;
  languages: Readonly<Record<Language, { readonly label: string }>>;
  language: Language;
  onSelect: (language: Language) => void;
  text: string;
  copy: string;
}

export function CodeTabs<Language extends CodeLanguage>(props: CodeTabsProps<Language>) {
  const { of, languages, language, onSelect, text, copy } = props;
  const t = useDocsText();
  const tabs = (Object.keys(languages) as Language[]).map((id) => ({ id, label: languages[id].label }));
  return (
    <div className={styles.samples}>
      <Tabs label={`${t("docs.languages")}: ${of}`} tabs={tabs} active={language} onSelect={onSelect}>
        <Code name={`${of}: ${languages[language].label}`} language={language} text={text} />
      </Tabs>
      <span className={styles.copy}>
        <CopyButton text={text} label={copy} />
      </span>
    </div>
  );
}
