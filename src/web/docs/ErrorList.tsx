import { useDocsText } from "../language.tsx";
import styles from "./Call.module.css";
import { DocsLink } from "./DocsLink.tsx";
import { TextWithCode } from "./code/CodeSample.tsx";
import type { DocumentedRefusal } from "./calls.ts";
import { againText, errorId, meaningText } from "./texts.ts";

/** The refusals of a call, each with a link to the way out of it. */
export function ErrorList({ values }: { values: readonly DocumentedRefusal[] }) {
  const t = useDocsText();
  return (
    <dl className={styles.errors}>
      {values.map((value) => (
        <div key={value}>
          <dt dir="ltr">
            <DocsLink page="errors" id={errorId(value)} className={styles.value}>
              <code>{value}</code>
            </DocsLink>
          </dt>
          <dd>
            <TextWithCode text={meaningText(t, value)} />{" "}
            <span className={styles.again}>{t(againText(value))}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
