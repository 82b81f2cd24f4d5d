import { type ReactNode, useState } from "react";
import { Link } from "wouter";
import { endpoints } from "../../contract/api.ts";
import type { Endpoint } from "../../contract/endpoint.ts";
import { callsMax, callsSeconds, freeCallsMax, streamsMax, waitsMax } from "../../contract/limits.ts";
import { commonRefusals } from "../../contract/refusals.ts";
import type { AppKey, Holes } from "../../i18n/t.ts";
import { useAppText, useLanguage } from "../language.tsx";
import { paths } from "../paths.ts";
import { Table } from "../ui/display/Table.tsx";
import styles from "./Call.module.css";
import { ErrorList } from "./ErrorList.tsx";
import { TextWithCode, CodeSample } from "./CodeSample.tsx";
import { eventSamples, webhookSample } from "./eventSamples.ts";
import { DocsSection } from "./DocsSection.tsx";
import { sandboxTexts } from "./texts.ts";
import { stored, useStored } from "../stored.ts";
import { CodeTabs } from "./CodeTabs.tsx";
import { signatureChecks } from "./signatureSamples.ts";

export const guides = [
  { id: "guide-errors", title: "docs.guide.errors", Guide: Errors },
  { id: "guide-limits", title: "docs.guide.limits", Guide: Limits },
  { id: "guide-events", title: "docs.guide.events", Guide: Events },
  { id: "guide-webhooks", title: "docs.guide.webhooks", Guide: Webhooks },
  { id: "guide-limited-tokens", title: "docs.guide.tokens", Guide: Tokens },
  { id: "guide-sandbox", title: "docs.guide.sandbox", Guide: Sandbox },
] as const satisfies readonly { id: string; title: AppKey; Guide: () => ReactNode }[];

export function Guides() {
  const t = useAppText();
  return guides.map(({ id, title, Guide }) => (
    <DocsSection key={id} id={id} title={t(title)}>
      <Guide />
    </DocsSection>
  ));
}

function Paragraph({ text, holes }: { text: AppKey; holes?: Holes }) {
  const t = useAppText();
  return (
    <p className={styles.summary}>
      <TextWithCode text={t(text, holes)} />
    </p>
  );
}

function Errors() {
  return (
    <>
      <Paragraph text="docs.guide.errors.text" />
      <ErrorList values={commonRefusals} />
    </>
  );
}

function Limits() {
  const holes = {
    calls: callsMax,
    seconds: callsSeconds,
    waits: waitsMax,
    streams: streamsMax,
    free: freeCallsMax,
  };
  return <Paragraph text="docs.guide.limits.text" holes={holes} />;
}

function Events() {
  const t = useAppText();
  const bodies = Object.entries(eventSamples).map(
    ([name, body]) => `event: ${name}\n${JSON.stringify(body, null, 2)}`,
  );
  return (
    <>
      <Paragraph text="docs.guide.events.text" />
      <Paragraph text="docs.guide.events.resume" />
      <CodeSample
        of={t("docs.guide.events")}
        title={t("docs.guide.events.bodies")}
        copy={t("docs.copy.answer")}
        text={bodies.join("\n\n")}
      />
    </>
  );
}

function Webhooks() {
  const t = useAppText();
  const name = t("docs.guide.webhooks");
  return (
    <>
      <Paragraph text="docs.guide.webhooks.text" />
      <CodeSample
        of={name}
        title={t("docs.guide.webhooks.message")}
        copy={t("docs.copy.request")}
        text={webhookSample}
      />
      <Paragraph text="docs.guide.webhooks.accept" />
      <Paragraph text="docs.guide.webhooks.check" />
      <WebhookChecks of={name} />
      <ToPrograms />
    </>
  );
}

const limited = Object.values<Endpoint>(endpoints)
  .filter((endpoint) => endpoint.limited)
  .map((endpoint) => endpoint.path);

function Tokens() {
  const t = useAppText();
  return (
    <>
      <Paragraph text="docs.guide.tokens.text" />
      <h3 className={styles.heading}>{t("docs.guide.tokens.calls")}</h3>
      <ul dir="ltr" className={styles.paths}>
        {limited.map((path) => (
          <li key={path}>
            <code>{path}</code>
          </li>
        ))}
      </ul>
      <Paragraph text="docs.guide.tokens.refused" />
      <ToPrograms />
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

function Sandbox() {
  const t = useAppText();
  const rows = Object.entries(sandboxTexts).map(([site, does]) => ({ site, does }));
  return (
    <>
      <Paragraph text="docs.guide.sandbox.text" />
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
    </>
  );
}

function WebhookChecks({ of }: { of: string }) {
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
