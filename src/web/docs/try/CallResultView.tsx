import { isolated } from "../../format.ts";
import { useDocsText, useLanguage } from "../../language.tsx";
import { Badge } from "../../ui/feedback/Badge.tsx";
import { CopyButton } from "../../ui/button/CopyButton.tsx";
import { Notice } from "../../ui/feedback/Notice.tsx";
import { again, type DocumentedRefusal } from "../calls.ts";
import { Code } from "../code/Code.tsx";
import { TextWithCode } from "../code/CodeSample.tsx";
import callStyles from "../Call.module.css";
import { againText, meaningText } from "../texts.ts";
import styles from "./TryIt.module.css";
import type { CallResult } from "./tryCall.ts";
import { Exact } from "../../ui/display/Exact.tsx";

interface CallResultViewProps {
  id: string;
  isLost: boolean;
  tried: CallResult | undefined;
}

/** The answer of a try: status for screen readers, body as plain text, never as HTML. */
export function CallResultView({ id, isLost, tried }: CallResultViewProps) {
  const t = useDocsText();
  const name = t("docs.try.answer", { name: isolated(id) });
  return (
    <>
      <div role="status" className={styles.result}>
        {tried && <ResultSummary tried={tried} />}
      </div>
      {isLost && <Notice tone="bad">{t("auth.error.connection")}</Notice>}
      {tried && tried.text !== "" && (
        <figure className={callStyles.sample}>
          <figcaption className={callStyles.caption}>
            {name}
            <CopyButton text={tried.text} label={t("docs.copy.answer")} />
          </figcaption>
          <Code name={name} language={tried.outcome === undefined ? "text" : "json"} text={tried.text} />
        </figure>
      )}
    </>
  );
}

function ResultSummary({ tried }: { tried: CallResult }) {
  const t = useDocsText();
  const language = useLanguage();
  const { httpStatus, milliseconds, outcome, isOpen, isCut } = tried;
  const isGood = httpStatus < 300 && (outcome === undefined || outcome === "success");
  const time = new Intl.NumberFormat(`${language}-u-nu-latn`, { style: "unit", unit: "millisecond" });
  const isKnown = outcome !== undefined && outcome in again;
  return (
    <>
      <p className={styles.line}>
        <Badge tone={isGood ? "good" : "bad"}>
          <Exact dir="ltr">{outcome === undefined ? httpStatus : `${httpStatus} ${outcome}`}</Exact>
        </Badge>
        <Exact>{time.format(milliseconds)}</Exact>
      </p>
      {isKnown && <RefusalMeaning value={outcome as DocumentedRefusal} />}
      {isOpen && <p>{t("docs.try.streaming")}</p>}
      {isCut && <p>{t("docs.try.cut")}</p>}
    </>
  );
}

export function RefusalMeaning({ value }: { value: DocumentedRefusal }) {
  const t = useDocsText();
  return (
    <p>
      <TextWithCode text={meaningText(t, value)} /> {t(againText(value))}
    </p>
  );
}
