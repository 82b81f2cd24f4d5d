import { useState } from "react";
import { useAppText } from "../language.tsx";
import { stored, useStored } from "../stored.ts";
import { CopyButton } from "../ui/CopyButton.tsx";
import { Tabs } from "../ui/Tabs.tsx";
import styles from "./Call.module.css";
import { signatureChecks } from "./signatures.ts";

type Language = keyof typeof signatureChecks;

const tabs = (Object.keys(signatureChecks) as Language[]).map((id) => ({
  id,
  label: signatureChecks[id].label,
}));

/** How a program checks a message: first in the language in which its reader looks at the calls, if there is one. */
export function WebhookChecks({ of }: { of: string }) {
  const t = useAppText();
  const [read] = useStored(stored.sampleLanguage);
  const [chosen, choose] = useState<Language>();
  const language = chosen ?? (read === "curl" ? "javascript" : read);
  const { label, text } = signatureChecks[language];
  return (
    <div className={styles.samples}>
      <Tabs label={`${t("docs.languages")}: ${of}`} tabs={tabs} active={language} onSelect={choose}>
        <pre dir="ltr" tabIndex={0} role="group" aria-label={`${of}: ${label}`} className={styles.code}>
          <code>{text}</code>
        </pre>
      </Tabs>
      <span className={styles.copy}>
        <CopyButton text={text} label={t("docs.copy.code")} />
      </span>
    </div>
  );
}
