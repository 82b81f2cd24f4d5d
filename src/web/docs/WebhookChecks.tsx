import { useState } from "react";
import { useAppText } from "../language.tsx";
import { stored, useStored } from "../stored.ts";
import { CodeTabs } from "./CodeTabs.tsx";
import { signatureChecks } from "./signatureSamples.ts";

/** How a program checks a message: first in the language in which its reader looks at the calls, if there is one. */
export function WebhookChecks({ of }: { of: string }) {
  const t = useAppText();
  const [read] = useStored(stored.sampleLanguage);
  const [chosen, choose] = useState<keyof typeof signatureChecks>();
  const language = chosen ?? (read === "curl" ? "javascript" : read);
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
