import { endpoints } from "../../contract/api.ts";
import type { AppKey } from "../../i18n/t.ts";
import { useAppText } from "../language.tsx";
import { useServerData } from "../serverData.tsx";
import { CopyButton } from "../ui/CopyButton.tsx";
import { Call } from "./Call.tsx";
import styles from "./Docs.module.css";
import { type DocumentedName, examples } from "./examples.ts";
import { Guides, guides } from "./Guides.tsx";
import { fileSample, streamSample } from "./samples.ts";

/** The sections of spec B §2, by the names it gives them. */
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
};

/** The documentation: made from the contract, so that it cannot be out of date. */
export function Docs() {
  const t = useAppText();
  return (
    <div className={styles.page}>
      <nav aria-label={t("docs.contents")} className={styles.contents}>
        <Links names={first} />
        <p className={styles.group}>{t("docs.more")}</p>
        <Links names={rest} />
        <p className={styles.group}>{t("docs.guides")}</p>
        <ul className={styles.links}>
          {guides.map(({ id, title }) => (
            <li key={id}>
              <a href={`#${id}`}>{t(title)}</a>
            </li>
          ))}
        </ul>
      </nav>
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
            endpoint={endpoints[name]}
            ask={examples[name].ask}
            answer={answerOf(name)}
            note={notes[name]}
          />
        ))}
        <Guides />
      </div>
    </div>
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
        <dd>{t("docs.token.text")}</dd>
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

function Links({ names }: { names: readonly DocumentedName[] }) {
  return (
    <ul className={styles.links} dir="ltr">
      {names.map((name) => (
        <li key={name}>
          <a href={`#${idOf(name)}`}>{idOf(name)}</a>
        </li>
      ))}
    </ul>
  );
}

/** What answers the example: the envelope, or what is no JSON as it comes. */
function answerOf(name: DocumentedName): string {
  const streams: Partial<Record<DocumentedName, string>> = {
    events: streamSample,
    statementFile: fileSample,
  };
  return streams[name] ?? JSON.stringify({ status: "success", ...examples[name].reply }, null, 2);
}

/** The anchor and the name of a call: the last part of its path. */
function idOf(name: DocumentedName): string {
  return sections[name] ?? endpoints[name].path.slice(1).replaceAll("/", "-");
}
