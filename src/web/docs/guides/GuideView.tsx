import { type ReactNode, Suspense } from "react";
import { Link } from "wouter";
import { day as shownDay } from "../../format.ts";
import { useDocsText, useLanguage } from "../../language.tsx";
import { lazyPart } from "../../lazyPart.tsx";
import { paths } from "../../paths.ts";
import { Table } from "../../ui/display/Table.tsx";
import styles from "../Call.module.css";
import { calls, common } from "../calls.ts";
import { changes } from "./changes.ts";
import { CodeSample, TextWithCode } from "../code/CodeSample.tsx";
import { AllErrors } from "./AllErrors.tsx";
import { DocsLink } from "../DocsLink.tsx";
import { DocsSection } from "../DocsSection.tsx";
import { ErrorList } from "../ErrorList.tsx";
import type { Block, Guide } from "./guides.ts";
import { callName, sandboxTexts } from "../texts.ts";

// Each is on one page alone.
const Tool = lazyPart(async () => (await import("./Tool.tsx")).Tool);
const WebhookChecks = lazyPart(async () => (await import("./WebhookChecks.tsx")).WebhookChecks);

export function GuideView({ guide }: { guide: Guide }) {
  const t = useDocsText();
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
  const t = useDocsText();
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
      return (
        <Suspense>
          <Tool of={of} name={block.tool} />
        </Suspense>
      );
    case "common":
      return <ErrorList values={common} />;
    case "errors":
      return <AllErrors />;
    case "checks":
      return (
        <Suspense>
          <WebhookChecks of={of} />
        </Suspense>
      );
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

function LimitedCalls() {
  const t = useDocsText();
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
  const t = useDocsText();
  const language = useLanguage();
  return (
    <p>
      <Link href={paths.programs(language)} className={styles.link}>
        {t("meta.programs.title")}
      </Link>
    </p>
  );
}

function SandboxSites() {
  const t = useDocsText();
  const rows = Object.entries(sandboxTexts).map(([site, does]) => ({ site, does }));
  return (
    <Table
      caption={t("docs.guide.sandbox")}
      rows={rows}
      rowKey={(row) => row.site}
      columns={[
        { id: "site", header: t("docs.site"), heading: true, cell: (row) => <code>{row.site}</code> },
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

function Changes() {
  const t = useDocsText();
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
