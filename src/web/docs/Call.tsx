import type { Endpoint } from "../../contract/endpoint.ts";
import { commonRefusals } from "../../contract/refusals.ts";
import type { AppKey } from "../../i18n/t.ts";
import { useAppText } from "../language.tsx";
import { Badge } from "../ui/feedback/Badge.tsx";
import styles from "./Call.module.css";
import { ErrorList } from "./ErrorList.tsx";
import type { DocumentedName } from "../../contract/examples.ts";
import { Parameters } from "./Parameters.tsx";
import { RequestSamples } from "./RequestSamples.tsx";
import { TextWithCode, CodeSample } from "./CodeSample.tsx";
import { DocsSection } from "./DocsSection.tsx";
import { callText, type DocumentedRefusal } from "./texts.ts";
import { TryIt } from "./TryIt.tsx";

interface CallProps {
  id: string;
  name: DocumentedName;
  endpoint: Endpoint;
  ask: Record<string, string>;
  answer: string;
  note: AppKey | undefined;
}

export function Call({ id, name, endpoint, ask, answer, note }: CallProps) {
  const t = useAppText();
  return (
    <DocsSection id={id} title={id} isCode>
      <Head endpoint={endpoint} />
      <p className={styles.summary}>
        <TextWithCode text={t(callText(name))} />
      </p>
      {note && (
        <p className={styles.summary}>
          <TextWithCode text={t(note)} />
        </p>
      )}
      <Parameters endpoint={endpoint} />
      <RequestSamples of={id} endpoint={endpoint} ask={ask} />
      <CodeSample of={id} title={t("docs.answer")} copy={t("docs.copy.answer")} text={answer} />
      <TryIt id={id} endpoint={endpoint} ask={ask} />
      <Errors endpoint={endpoint} />
    </DocsSection>
  );
}

function Head({ endpoint }: { endpoint: Endpoint }) {
  const t = useAppText();
  const methods = endpoint.alsoPost ? ["GET", "POST"] : [endpoint.method];
  return (
    <div className={styles.head}>
      <p dir="ltr" className={styles.path}>
        {methods.map((method) => (
          <Badge key={method} tone="accent">
            {method}
          </Badge>
        ))}
        <code>{endpoint.path}</code>
      </p>
      <p className={styles.access}>
        {endpoint.access === "anyone" && <Badge>{t("docs.access.anyone")}</Badge>}
        {endpoint.access === "active" && <Badge>{t("docs.access.active")}</Badge>}
        {endpoint.limited && <Badge>{t("docs.access.limited")}</Badge>}
      </p>
    </div>
  );
}

function Errors({ endpoint }: { endpoint: Endpoint }) {
  const t = useAppText();
  const values = endpoint.refusals as readonly DocumentedRefusal[];
  return (
    <>
      <h3 className={styles.heading}>{t("docs.errors")}</h3>
      {values.length > 0 && <ErrorList values={values} />}
      <p className={styles.common}>
        {t("docs.errors.common")}{" "}
        {commonRefusals.map((value) => (
          <a key={value} href="#guide-errors" dir="ltr" className={styles.value}>
            <code>{value}</code>
          </a>
        ))}
      </p>
    </>
  );
}
