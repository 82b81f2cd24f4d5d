import { openAuth } from "../../auth/authDialog.ts";
import { useDocsText, useLanguage } from "../../language.tsx";
import { paths } from "../../paths.ts";
import { useServerData } from "../../serverData.tsx";
import { stored, useStored } from "../../stored.ts";
import { Button, LinkButton } from "../../ui/button/Button.tsx";
import styles from "../Call.module.css";
import { CodeSample } from "../code/CodeSample.tsx";
import { CodeTabs } from "../code/CodeTabs.tsx";
import { useDocsSession } from "../docsSession.tsx";
import { startSamples, tokenSample } from "./startSamples.ts";
import { TokenSwitch } from "../TokenSwitch.tsx";

/** Where the reader gets a token, and how a terminal does. */
export function FirstToken({ of, title }: { of: string; title: string }) {
  const t = useDocsText();
  const language = useLanguage();
  const { isSignedIn, sampleToken } = useDocsSession();
  return (
    <>
      <div className={styles.token}>
        {isSignedIn ? (
          <LinkButton tone="secondary" size="small" href={paths.dashboard(language)}>
            {t("nav.dashboard")}
          </LinkButton>
        ) : (
          <Button tone="secondary" size="small" onClick={() => openAuth("register")}>
            {t("docs.start.signUp")}
          </Button>
        )}
        <TokenSwitch />
      </div>
      <CodeSample
        of={of}
        title={title}
        copy={t("docs.copy.code")}
        language="curl"
        text={tokenSample(sampleToken)}
      />
    </>
  );
}

/** One program that works when pasted: from a token to the code of a letter. */
export function FirstProgram({ of }: { of: string }) {
  const t = useDocsText();
  const { publicUrl, domains } = useServerData();
  const { sampleToken } = useDocsSession();
  const [language, setLanguage] = useStored(stored.sampleLanguage);
  const domain = domains[0]?.name ?? "letters.test";
  return (
    <CodeTabs
      of={of}
      languages={startSamples}
      language={language}
      onSelect={setLanguage}
      text={startSamples[language].write({ base: publicUrl, domain, token: sampleToken })}
      copy={t("docs.copy.code")}
    />
  );
}
