import { useDocsText } from "../language.tsx";
import { useServerData } from "../serverData.tsx";
import { stored, useStored } from "../stored.ts";
import type { DocumentedCall } from "./calls.ts";
import { CodeTabs } from "./code/CodeTabs.tsx";
import { useDocsSession } from "./docsSession.tsx";
import { languages } from "./snippets/languages.ts";
import { requestOf } from "./snippets/request.ts";

export function RequestSamples({ call }: { call: DocumentedCall }) {
  const t = useDocsText();
  const { publicUrl } = useServerData();
  const { sampleToken, filled } = useDocsSession();
  const [language, setLanguage] = useStored(stored.sampleLanguage);
  const request = requestOf(call, filled(call.example.ask), publicUrl, sampleToken);
  return (
    <CodeTabs
      of={`${t("docs.request")} ${call.id}`}
      languages={languages}
      language={language}
      onSelect={setLanguage}
      text={languages[language].write(request)}
      copy={t("docs.copy.request")}
    />
  );
}
