import { endpoints } from "../../contract/api.ts";
import type { AppKey } from "../../i18n/t.ts";
import { useAppText } from "../language.tsx";
import { useServerData } from "../serverData.tsx";
import { CopyButton } from "../ui/button/CopyButton.tsx";
import { Call } from "./Call.tsx";
import { TableOfContents } from "./TableOfContents.tsx";
import styles from "./Docs.module.css";
import { type DocumentedName, examples } from "../../contract/examples.ts";
import { Guides, guides } from "./Guides.tsx";
import { DocsSessionProvider, useDocsSession } from "./docsSession.tsx";
import { fileSample, streamSample } from "./eventSamples.ts";

/** The section names of spec B §2. */
const sections: Partial<Record<DocumentedName, string>> = {
  balance: "balance",
  quantity: "quantity",
  orderEmail: "order",
  getMessage: "getmessage",
  reorderEmail: "reorder",
  cancelEmail: "cancel",
  aggregators: "aggregators",
};
const first = Object.keys(sections) as DocumentedName[];
const rest = (Object.keys(examples) as DocumentedName[]).filter((name) => !(name in sections));
const notes: Partial<Record<DocumentedName, AppKey>> = {
  aggregators: "docs.lists",
  getMessage: "docs.preview",
  orderEmail: "docs.several",
  quantity: "docs.stats",
  timeline: "docs.timeline",
  releaseLetter: "docs.release",
  notFromSite: "docs.notFromSite",
};

export function Docs() {
  const t = useAppText();
  const entriesOf = (names: readonly DocumentedName[]) =>
    names.map((name) => ({ id: idOf(name), title: idOf(name), isCode: true }));
  const groups = [
    { entries: entriesOf(first) },
    { title: t("docs.more"), entries: entriesOf(rest) },
    { title: t("docs.guides"), entries: guides.map(({ id, title }) => ({ id, title: t(title) })) },
  ];
  return (
    <DocsSessionProvider>
      <div className={styles.page}>
        <TableOfContents groups={groups} />
        <div className={styles.body}>
          <header className={styles.head}>
            <h1>{t("docs.title")}</h1>
            <p className={styles.lead}>{t("docs.lead")}</p>
            <Basics />
          </header>
          {[...first, ...rest].map((name) => (
            <Call
              key={name}
              id={idOf(name)}
              name={name}
              endpoint={endpoints[name]}
              ask={examples[name].ask}
              answer={answerOf(name)}
              note={notes[name]}
            />
          ))}
          <Guides />
        </div>
      </div>
    </DocsSessionProvider>
  );
}

function Basics() {
  const t = useAppText();
  const { publicUrl } = useServerData();
  return (
    <dl className={styles.basics}>
      <div>
        <dt>{t("docs.base")}</dt>
        <dd className={styles.base} dir="ltr">
          <code>{publicUrl}</code>
          <CopyButton text={publicUrl} />
        </dd>
      </div>
      <div>
        <dt>{t("docs.token")}</dt>
        <dd className={styles.token}>
          <p>{t("docs.token.text")}</p>
          <TokenSwitch />
        </dd>
      </div>
      <div>
        <dt>OpenAPI</dt>
        <dd>
          <a href="/openapi.json" className={styles.link}>
            {t("docs.machine")}
          </a>
        </dd>
      </div>
    </dl>
  );
}

/** Samples show a placeholder until the reader chooses the real token, so that a copied sample does not leak it. */
function TokenSwitch() {
  const t = useAppText();
  const { isSignedIn, sampleToken, showInSamples } = useDocsSession();
  return (
    <label className={styles.switch}>
      <input
        type="checkbox"
        checked={sampleToken !== undefined}
        disabled={!isSignedIn}
        aria-describedby="docs-token-hint"
        onChange={(event) => showInSamples(event.target.checked)}
      />
      <span>{t("docs.token.samples")}</span>
      <span id="docs-token-hint" className={styles.hint}>
        {t(isSignedIn ? "docs.token.samples.hint" : "docs.token.samples.signedOut")}
      </span>
    </label>
  );
}

function answerOf(name: DocumentedName): string {
  const streams: Partial<Record<DocumentedName, string>> = {
    events: streamSample,
    statementFile: fileSample,
  };
  return streams[name] ?? JSON.stringify({ status: "success", ...examples[name].reply }, null, 2);
}

function idOf(name: DocumentedName): string {
  return sections[name] ?? (endpoints[name].path.match(/[\w.]+/g) ?? []).join("-");
}
