import { Fragment } from "react";
import { useDocsText } from "../language.tsx";
import { classNames } from "../ui/layout/classNames.ts";
import styles from "./Call.module.css";
import type { DocumentedCall, Parameter as Documented } from "./calls.ts";
import { TextWithCode } from "./code/CodeSample.tsx";
import { formText } from "./texts.ts";

export function Parameters({ call }: { call: DocumentedCall }) {
  const t = useDocsText();
  const parameters = Object.entries(call.ask);
  return (
    <>
      <h3 className={styles.heading}>{t("docs.parameters")}</h3>
      {parameters.length === 0 ? (
        <p className={styles.summary}>
          {t(call.access === "anyone" ? "docs.parameters.noneAtAll" : "docs.parameters.none")}
        </p>
      ) : (
        <dl className={styles.parameters}>
          {parameters.map(([name, parameter]) => (
            <Parameter
              key={name}
              name={call.file ? (parameter.header ?? name) : name}
              parameter={parameter}
            />
          ))}
        </dl>
      )}
    </>
  );
}

function Parameter({ name, parameter }: { name: string; parameter: Documented }) {
  const t = useDocsText();
  const { form, optional, text } = parameter;
  return (
    <div>
      <dt>
        <code dir="ltr" className={styles.name}>
          {name}
        </code>
        <span className={classNames(styles.need, !optional && styles.needed)}>
          {t(optional ? "docs.optional" : "docs.required")}
        </span>
        <span className={styles.form}>
          {formText(t, form)}
          {"of" in form && <ChoiceWords words={form.of} />}
        </span>
      </dt>
      <dd>
        <TextWithCode text={t(text)} />
      </dd>
    </div>
  );
}

/** With spaces between them, so that a line can break there. */
function ChoiceWords({ words }: { words: readonly string[] }) {
  return words.map((word) => (
    <Fragment key={word}>
      {" "}
      <code dir="ltr" className={styles.choice}>
        {word}
      </code>
    </Fragment>
  ));
}
