import { type ReactNode, useState } from "react";
import { Link } from "wouter";
import { day as shownDay } from "../../format.ts";
import { useAppText, useLanguage } from "../../language.tsx";
import { paths } from "../../paths.ts";
import { useServerData } from "../../serverData.tsx";
import { stored, useStored } from "../../stored.ts";
import { Table } from "../../ui/display/Table.tsx";
import styles from "../Call.module.css";
import { calls, common } from "../calls.ts";
import { changes } from "./changes.ts";
import { CodeSample, TextWithCode } from "../code/CodeSample.tsx";
import { CodeTabs } from "../code/CodeTabs.tsx";
import { AllErrors } from "./AllErrors.tsx";
import { useDocsSession } from "../docsSession.tsx";
import { DocsLink } from "../DocsLink.tsx";
import { DocsSection } from "../DocsSection.tsx";
import { ErrorList } from "../ErrorList.tsx";
import type { Block, Guide } from "./guides.ts";
import { signatureChecks } from "./signatureSamples.ts";
import { toolSamples } from "./samples/toolSamples.ts";
import { callName, sandboxTexts } from "../texts.ts";

export function GuideView({ guide }: { guide: Guide }) {
  const t = useAppText();
  const title = t(guide.title);
  return (
    <DocsSection id={guide.id} title={title}>
      {guide.blocks.map((block, at) => (
        <BlockView key={at} block={block} of={title} />
      ))}
    </DocsSection>
  );
}

function BlockView({ block, of }: { block: Block; of: string }): ReactNode {
  const t = useAppText();
  switch (block.kind) {
    case "text":
      return (
        <p className={styles.summary}>
          <TextWithCode text={t(block.text, block.holes)} />
        </p>
      );
    case "code":
      return (
        <CodeSample
          of={of}
          title={t(block.title)}
          copy={t("docs.copy.code")}
          language="json"
          text={block.text}
        />
      );
    case "tool":
      return <Tool of={of} name={block.tool} />;
    case "common":
      return <ErrorList values={common} />;
    case "errors":
      return <AllErrors />;
    case "checks":
      return <WebhookChecks of={of} />;
    case "limited":
      return <LimitedCalls />;
    case "programs":
      return <ToPrograms />;
    case "sandbox":
      return <SandboxSites />;
    case "changes":
      return <Changes />;
  }
}

function Tool({ of, name }: { of: string; name: keyof typeof toolSamples }) {
  const t = useAppText();
  const { publicUrl, domains } = useServerData();
  const { sampleToken } = useDocsSession();
  const { title, language, write } = toolSamples[name];
  const domain = domains[0]?.name ?? "letters.test";
  const text = write({ base: publicUrl, domain, token: sampleToken });
  return <CodeSample of={of} title={title} copy={t("docs.copy.code")} language={language} text={text} />;
}

function LimitedCalls() {
  const t = useAppText();
  return (
    <>
      <h3 className={styles.heading}>{t("docs.guide.tokens.calls")}</h3>
      <ul className={styles.paths}>
        {calls
          .filter(({ limited }) => limited)
          .map(({ name, id, page, path }) => (
            <li key={name}>
              <DocsLink page={page} id={id} className={styles.link}>
                {t(callName(name))}
              </DocsLink>{" "}
              <code dir="ltr">{path}</code>
            </li>
          ))}
      </ul>
    </>
  );
}

function ToPrograms() {
  const t = useAppText();
  const language = useLanguage();
  return (
    <p>
      <Link href={paths.programs(language)} className={styles.link}>
        {t("programs.title")}
      </Link>
    </p>
  );
}

function SandboxSites() {
  const t = useAppText();
  const rows = Object.entries(sandboxTexts).map(([site, does]) => ({ site, does }));
  return (
    <Table
      caption={t("docs.guide.sandbox")}
      rows={rows}
      rowKey={(row) => row.site}
      columns={[
        { id: "site", header: t("order.site"), heading: true, cell: (row) => <code>{row.site}</code> },
        {
          id: "does",
          header: t("docs.meaning"),
          cell: (row) => (
            <span>
              <TextWithCode text={t(row.does)} />
            </span>
          ),
        },
      ]}
    />
  );
}

function WebhookChecks({ of }: { of: string }) {
  const t = useAppText();
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

function Changes() {
  const t = useAppText();
  return changes.map(({ day, added, more }) => (
    <div key={day} className={styles.change}>
      <h3 className={styles.heading}>
        <time dateTime={day}>{shownDay(day)}</time>
      </h3>
      <ul className={styles.bullets}>
        {added.length > 0 && (
          <li>
            {t("docs.changes.calls")}{" "}
            {added.map(({ name, id, page }, at) => (
              <span key={name}>
                {at > 0 && " · "}
                <DocsLink page={page} id={id} className={styles.link}>
                  {t(callName(name))}
                </DocsLink>
              </span>
            ))}
          </li>
        )}
        {more.map((key) => (
          <li key={key}>
            <TextWithCode text={t(key)} />
          </li>
        ))}
      </ul>
    </div>
  ));
}
