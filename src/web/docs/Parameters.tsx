import { type Endpoint, type Field, headerOf } from "../../contract/endpoint.ts";
import { useAppText } from "../language.tsx";
import { classNames } from "../ui/layout/classNames.ts";
import styles from "./Call.module.css";
import { TextWithCode } from "./CodeSample.tsx";
import { formText, parameterText } from "./texts.ts";

export function Parameters({ endpoint }: { endpoint: Endpoint }) {
  const t = useAppText();
  const fields = Object.entries(endpoint.ask);
  return (
    <>
      <h3 className={styles.heading}>{t("docs.parameters")}</h3>
      {fields.length === 0 ? (
        <p className={styles.summary}>
          {t(endpoint.access === "anyone" ? "docs.parameters.noneAtAll" : "docs.parameters.none")}
        </p>
      ) : (
        <dl className={styles.parameters}>
          {fields.map(([name, field]) => (
            <Parameter
              key={name}
              name={endpoint.file ? (headerOf(endpoint, name) ?? name) : name}
              field={field}
            />
          ))}
        </dl>
      )}
    </>
  );
}

function Parameter({ name, field }: { name: string; field: Field }) {
  const t = useAppText();
  const { form, optional } = field;
  return (
    <div>
      <dt>
        <code dir="ltr" className={styles.name}>
          {name}
        </code>
        <span className={classNames(styles.need, !optional && styles.needed)}>
          {t(optional ? "docs.optional" : "docs.required")}
        </span>
      </dt>
      <dd>
        <p>
          <TextWithCode text={t(parameterText(field))} />
        </p>
        <p className={styles.form}>
          {formText(t, form)}
          {"of" in form && <ChoiceWords words={form.of} />}
        </p>
      </dd>
    </div>
  );
}

function ChoiceWords({ words }: { words: readonly string[] }) {
  return words.map((word) => (
    <code key={word} dir="ltr" className={styles.choice}>
      {word}
    </code>
  ));
}
