import { useDocsText } from "../../language.tsx";
import { DocsLink } from "../DocsLink.tsx";
import styles from "../Call.module.css";
import { again, calls, common, type DocumentedCall, type DocumentedRefusal } from "../calls.ts";
import { TextWithCode } from "../code/CodeSample.tsx";
import { againText, callName, errorId, meaningText } from "../texts.ts";
import type { Item } from "./parse.ts";

const values = Object.keys(again) as DocumentedRefusal[];

/** Each refusal: what it means, what to do, and which calls answer it. */
export function AllErrors({ ways }: { ways: readonly Item[] }) {
  const t = useDocsText();
  return (
    <dl className={styles.errors}>
      {values.map((value) => {
        const way = ways.find(({ name }) => name === value);
        return (
          <div key={value} id={errorId(value)} className={styles.error}>
            <dt dir="ltr">
              <code>{value}</code>
            </dt>
            <dd>
              <p>
                <TextWithCode text={meaningText(t, value)} />
              </p>
              <p className={styles.again}>
                <TextWithCode text={way?.text ?? t(againText(value))} />
              </p>
              <AnsweredBy value={value} />
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

function AnsweredBy({ value }: { value: DocumentedRefusal }) {
  const t = useDocsText();
  if (common.includes(value)) return <p className={styles.by}>{t("docs.errors.any")}</p>;
  return (
    <p className={styles.by}>
      {calls
        .filter(({ refusals }) => refusals.includes(value))
        .map((call) => (
          <CallLink key={call.name} call={call} />
        ))}
    </p>
  );
}

function CallLink({ call }: { call: DocumentedCall }) {
  const t = useDocsText();
  return (
    <DocsLink page={call.page} id={call.id} className={styles.link}>
      {t(callName(call.name))}
    </DocsLink>
  );
}
