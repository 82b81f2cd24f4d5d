import { isTextOnly } from "../../contract/endpoint.ts";
import { useDocsText } from "../language.tsx";
import { Badge } from "../ui/feedback/Badge.tsx";
import styles from "./Call.module.css";
import { common, type DocumentedCall } from "./calls.ts";
import { CodeSample, TextWithCode } from "./code/CodeSample.tsx";
import { DocsLink } from "./DocsLink.tsx";
import { DocsSection } from "./DocsSection.tsx";
import { answerOf } from "./eventSamples.ts";
import { ErrorList } from "./ErrorList.tsx";
import { Parameters } from "./Parameters.tsx";
import { RequestSamples } from "./RequestSamples.tsx";
import { callName, callText, errorId, notes } from "./texts.ts";
import { TryIt } from "./try/TryIt.tsx";

export function Call({ call }: { call: DocumentedCall }) {
  const t = useDocsText();
  const { id, name } = call;
  const note = notes[name];
  return (
    <DocsSection id={id} title={t(callName(name))} wire={id}>
      <div className={styles.columns}>
        <div className={styles.text}>
          <Head call={call} />
          <p className={styles.summary}>
            <TextWithCode text={t(callText(name))} />
          </p>
          {note && (
            <p className={styles.summary}>
              <TextWithCode text={t(note)} />
            </p>
          )}
          <Parameters call={call} />
        </div>
        <div className={styles.aside}>
          <h3 className={styles.heading}>{t("docs.request")}</h3>
          <RequestSamples call={call} />
          <CodeSample
            of={id}
            title={t("docs.answer")}
            copy={t("docs.copy.answer")}
            language={isTextOnly(call) ? "text" : "json"}
            text={answerOf(call)}
          />
        </div>
        <div className={styles.rest}>
          <TryIt call={call} />
          <Errors call={call} />
        </div>
      </div>
    </DocsSection>
  );
}

function Head({ call }: { call: DocumentedCall }) {
  const t = useDocsText();
  const methods = call.alsoPost ? ["GET", "POST"] : [call.method];
  return (
    <div className={styles.head}>
      <p dir="ltr" className={styles.path}>
        {methods.map((method) => (
          <Badge key={method} tone="accent">
            {method}
          </Badge>
        ))}
        <code>{call.path}</code>
      </p>
      <p className={styles.access}>
        {call.access === "anyone" && <Badge>{t("docs.access.anyone")}</Badge>}
        {call.access === "active" && <Badge>{t("docs.access.active")}</Badge>}
        {call.limited && <Badge>{t("docs.access.limited")}</Badge>}
      </p>
    </div>
  );
}

function Errors({ call }: { call: DocumentedCall }) {
  const t = useDocsText();
  return (
    <>
      <h3 className={styles.heading}>{t("docs.errors")}</h3>
      {call.refusals.length > 0 && <ErrorList values={call.refusals} />}
      <p className={styles.common}>
        {t("docs.errors.common")}{" "}
        {common.map((value) => (
          <DocsLink key={value} page="errors" id={errorId(value)} dir="ltr" className={styles.value}>
            <code>{value}</code>
          </DocsLink>
        ))}
      </p>
    </>
  );
}
