import { type ReactNode, useId } from "react";
import { sandboxCode } from "../../../contract/sandbox.ts";
import { openAuth } from "../../auth/authDialog.ts";
import { useDocsText, useLanguage } from "../../language.tsx";
import { paths } from "../../paths.ts";
import { useServerData } from "../../serverData.tsx";
import { stored, useStored } from "../../stored.ts";
import { Button, LinkButton } from "../../ui/button/Button.tsx";
import callStyles from "../Call.module.css";
import { CodeSample, TextWithCode } from "../code/CodeSample.tsx";
import { CodeTabs } from "../code/CodeTabs.tsx";
import { useDocsSession } from "../docsSession.tsx";
import { DocsSection } from "../DocsSection.tsx";
import styles from "./QuickStart.module.css";
import { startSamples, tokenSample } from "./startSamples.ts";
import { TokenSwitch } from "../TokenSwitch.tsx";

/** From nothing to the code of a letter: a token, and one program that works when pasted. */
export function QuickStart() {
  const t = useDocsText();
  const name = t("docs.start");
  const { publicUrl, domains } = useServerData();
  const { sampleToken } = useDocsSession();
  const [language, setLanguage] = useStored(stored.sampleLanguage);
  const domain = domains[0]?.name ?? "letters.test";
  const program = startSamples[language].write({ base: publicUrl, domain, token: sampleToken });
  return (
    <DocsSection id="start" title={name}>
      <ol className={styles.steps}>
        <Step title={t("docs.start.token")}>
          <p className={callStyles.summary}>{t("docs.start.token.text")}</p>
          <GetToken />
          <CodeSample
            of={name}
            title={t("docs.start.token")}
            copy={t("docs.copy.code")}
            language="curl"
            text={tokenSample(sampleToken)}
          />
        </Step>
        <Step title={t("docs.start.run")}>
          <p className={callStyles.summary}>
            <TextWithCode text={t("docs.start.run.text", { code: sandboxCode })} />
          </p>
          <CodeTabs
            of={name}
            languages={startSamples}
            language={language}
            onSelect={setLanguage}
            text={program}
            copy={t("docs.copy.code")}
          />
          {language === "typescript" && (
            <p className={callStyles.summary}>
              <TextWithCode text={t("docs.start.client")} />
            </p>
          )}
        </Step>
        <Step title={t("docs.start.next")}>
          <p className={callStyles.summary}>
            <TextWithCode text={t("docs.start.next.text")} />
          </p>
        </Step>
      </ol>
    </DocsSection>
  );
}

function Step({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <li aria-labelledby={id} className={styles.step}>
      <h3 id={id} className={callStyles.heading}>
        {title}
      </h3>
      {children}
    </li>
  );
}

function GetToken() {
  const t = useDocsText();
  const language = useLanguage();
  const { isSignedIn } = useDocsSession();
  return (
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
  );
}
