import type { Endpoint } from "../../contract/endpoint.ts";
import { useAppText } from "../language.tsx";
import { useServerData } from "../serverData.tsx";
import { stored, useStored } from "../stored.ts";
import { CopyButton } from "../ui/CopyButton.tsx";
import { Tabs } from "../ui/Tabs.tsx";
import styles from "./Call.module.css";
import { useReader } from "./reader.tsx";
import { languages, type SampleLanguage } from "./snippets/languages.ts";
import { requestOf } from "./snippets/request.ts";

const tabs = (Object.keys(languages) as SampleLanguage[]).map((id) => ({ id, label: languages[id].label }));

interface RequestSamplesProps {
  /** The name of the call on the page. */
  of: string;
  endpoint: Endpoint;
  ask: Record<string, string>;
}

/** The call as a program makes it, in the language that the reader chose last on any call. */
export function RequestSamples({ of, endpoint, ask }: RequestSamplesProps) {
  const t = useAppText();
  const { publicUrl } = useServerData();
  const { sampleToken } = useReader();
  const [language, setLanguage] = useStored(stored.sampleLanguage);
  const text = languages[language].write(requestOf(endpoint, ask, publicUrl, sampleToken));
  return (
    <div className={styles.request}>
      <h3 className={styles.heading}>{t("docs.request")}</h3>
      <div className={styles.samples}>
        <Tabs label={`${t("docs.languages")}: ${of}`} tabs={tabs} active={language} onSelect={setLanguage}>
          <pre
            dir="ltr"
            tabIndex={0}
            role="group"
            aria-label={`${of}: ${languages[language].label}`}
            className={styles.code}
          >
            <code>{text}</code>
          </pre>
        </Tabs>
        <span className={styles.copy}>
          <CopyButton text={text} label={t("docs.copy.request")} />
        </span>
      </div>
    </div>
  );
}
