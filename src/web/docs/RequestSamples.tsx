import type { Endpoint } from "../../contract/endpoint.ts";
import { useAppText } from "../language.tsx";
import { useServerData } from "../serverData.tsx";
import { stored, useStored } from "../stored.ts";
import styles from "./Call.module.css";
import { CodeTabs } from "./CodeTabs.tsx";
import { useDocsSession } from "./docsSession.tsx";
import { languages } from "./snippets/languages.ts";
import { requestOf } from "./snippets/request.ts";

interface RequestSamplesProps {
  of: string;
  endpoint: Endpoint;
  ask: Record<string, string>;
}

export function RequestSamples({ of, endpoint, ask }: RequestSamplesProps) {
  const t = useAppText();
  const { publicUrl } = useServerData();
  const { sampleToken } = useDocsSession();
  const [language, setLanguage] = useStored(stored.sampleLanguage);
  const text = languages[language].write(requestOf(endpoint, ask, publicUrl, sampleToken));
  return (
    <div className={styles.request}>
      <h3 className={styles.heading}>{t("docs.request")}</h3>
      <CodeTabs
        of={of}
        languages={languages}
        language={language}
        onSelect={setLanguage}
        text={text}
        copy={t("docs.copy.request")}
      />
    </div>
  );
}
