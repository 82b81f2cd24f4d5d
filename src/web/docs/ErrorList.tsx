import { useAppText } from "../language.tsx";
import styles from "./Call.module.css";
import { TextWithCode } from "./CodeSample.tsx";
import { againText, refusalMeaning, type DocumentedRefusal } from "./texts.ts";

export function ErrorList({ values }: { values: readonly DocumentedRefusal[] }) {
  const t = useAppText();
  return (
    <dl className={styles.errors}>
      {values.map((value) => (
        <div key={value}>
          <dt dir="ltr">
            <code>{value}</code>
          </dt>
          <dd>
            <TextWithCode text={t(refusalMeaning(value))} />{" "}
            <span className={styles.again}>{t(againText(value))}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
