import { useState } from "react";
import { useDocsText } from "../../language.tsx";
import { stored, useStored } from "../../stored.ts";
import { CodeTabs } from "../code/CodeTabs.tsx";
import { signatureChecks } from "./signatureSamples.ts";

/** How a program checks the signature of a webhook, in each language. */
export function WebhookChecks({ of }: { of: string }) {
  const t = useDocsText();
  const [read] = useStored(stored.sampleLanguage);
  const [chosen, choose] = useState<keyof typeof signatureChecks>();
  const language = chosen ?? (read === "curl" || read === "typescript" ? "javascript" : read);
  return (
    <CodeTabs
      of={of}
      languages={signatureChecks}
      language={language}
      onSelect={choose}
      text={signatureChecks[language].text}
      copy={t("docs.copy.code")}
    />
  );
}
