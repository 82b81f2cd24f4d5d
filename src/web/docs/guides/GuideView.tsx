import { type ReactNode, Suspense, useId } from "react";
import { Link } from "wouter";
import { day as shownDay } from "../../format.ts";
import { useDocsText, useLanguage } from "../../language.tsx";
import { lazyPart } from "../../lazyPart.tsx";
import { paths } from "../../paths.ts";
import { stored, useStored } from "../../stored.ts";
import { Table } from "../../ui/display/Table.tsx";
import styles from "../Call.module.css";
import { calls, common } from "../calls.ts";
import { changesOf } from "./changes.ts";
import { CodeSample, TextWithCode } from "../code/CodeSample.tsx";
import { AllErrors } from "./AllErrors.tsx";
import { DocsLink } from "../DocsLink.tsx";
import { DocsSection } from "../DocsSection.tsx";
import { ErrorList } from "../ErrorList.tsx";
import { bodiesSample, webhookSample } from "../eventSamples.ts";
import { FirstProgram, FirstToken } from "../start/QuickStart.tsx";
import { callName } from "../texts.ts";
import type { Block, Item, Rows as RowsOfTable, Section, Step } from "./parse.ts";

// Each is on one page alone.
const Tool = lazyPart(async () => (await import("./Tool.tsx")).Tool);
const WebhookChecks = lazyPart(async () => (await import("./WebhookChecks.tsx")).WebhookChecks);

/** A section of a page, as i18n/docs/<language>/<page>.md has it. */
export function GuideView({ section }: { section: Section }) {
  const { id, title, blocks, steps } = section;
  return (
    <DocsSection id={id} title={title}>
      {blocks.map((block, at) => (
        <BlockView key={at} block={block} of={title} />
      ))}
      {steps.length > 0 && (
        <ol className={styles.steps}>
          {steps.map((step) => (
            <StepView key={step.title} step={step} of={title} />
          ))}
        </ol>
      )}
    </DocsSection>
  );
}

function StepView({ step, of }: { step: Step; of: string }) {
  const id = useId();
  return (
    <li aria-labelledby={id} className={styles.step}>
      <h3 id={id} className={styles.heading}>
        {step.title}
      </h3>
      {step.blocks.map((block, at) => (
        <BlockView key={at} block={block} of={of} />
      ))}
    </li>
  );
}

const Paragraph = ({ text }: { text: string }) => (
  <p className={styles.summary}>
    <TextWithCode text={text} />
  </p>
);

function BlockView({ block, of }: { block: Block; of: string }): ReactNode {
  if (typeof block === "string") return <Paragraph text={block} />;
  switch (block.kind) {
    case "table":
      return <Rows table={block} caption={of} />;
    case "token":
      return <FirstToken of={of} title={block.label} />;
    case "program":
      return <FirstProgram of={of} />;
    case "typescript":
      return <ForTypeScript text={block.label} />;
    case "events":
      return <Sample of={of} title={block.label} text={bodiesSample} />;
    case "message":
      return <Sample of={of} title={block.label} text={webhookSample} />;
    case "common":
      return <ErrorList values={common} />;
    case "errors":
      return <AllErrors ways={block.items} />;
    case "checks":
      return (
        <Suspense>
          <WebhookChecks of={of} />
        </Suspense>
      );
    case "limited":
      return <LimitedCalls title={block.label} />;
    case "programs":
      return <ToPrograms />;
    case "changes":
      return <Changes label={block.label} items={block.items} />;
    default:
      return (
        <Suspense>
          <Tool of={of} name={block.kind} />
        </Suspense>
      );
  }
}

function ForTypeScript({ text }: { text: string }) {
  const [language] = useStored(stored.sampleLanguage);
  return language === "typescript" && <Paragraph text={text} />;
}

function Sample({ of, title, text }: { of: string; title: string; text: string }) {
  const t = useDocsText();
  return <CodeSample of={of} title={title} copy={t("docs.copy.code")} language="json" text={text} />;
}

function LimitedCalls({ title }: { title: string }) {
  const t = useDocsText();
  return (
    <>
      <h3 className={styles.heading}>{title}</h3>
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

function Rows({ table, caption }: { table: RowsOfTable; caption: string }) {
  const columns = table.head.map((header, at) => ({
    id: header,
    header,
    heading: at === 0,
    cell: (row: readonly string[]) => <TextWithCode text={row[at] ?? ""} />,
  }));
  return (
    <div className={styles.sample}>
      <Table dense caption={caption} rows={table.rows} rowKey={([first = ""]) => first} columns={columns} />
    </div>
  );
}

function Changes({ label, items }: { label: string; items: readonly Item[] }) {
  const t = useDocsText();
  return changesOf(items).map(({ day, added, more }) => (
    <div key={day} className={styles.change}>
      <h3 className={styles.heading}>
        <time dateTime={day}>{shownDay(day)}</time>
      </h3>
      <ul className={styles.bullets}>
        {added.length > 0 && (
          <li>
            {label}{" "}
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
        {more.map((text) => (
          <li key={text}>
            <TextWithCode text={text} />
          </li>
        ))}
      </ul>
    </div>
  ));
}
