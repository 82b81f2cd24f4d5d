import { ArrowRight } from "lucide-react";
import { useLanguage, useText } from "../language.tsx";
import { NewsList } from "../news/NewsList.tsx";
import { paths } from "../paths.ts";
import { useServerData } from "../serverData.tsx";
import { StoriesRow } from "../stories/StoriesRow.tsx";
import { LinkButton } from "../ui/button/Button.tsx";
import styles from "./Home.module.css";
import { Prices } from "./Prices.tsx";
import { RequestForm } from "./RequestForm.tsx";
import { SampleLetter } from "./SampleLetter.tsx";

/** The home page: pickers, how it works, prices, API, news (spec B §2). */
export function Home() {
  const t = useText();
  return (
    <>
      <section className={styles.hero}>
        <div className={styles.words}>
          <h1 className={styles.title}>{t("home.title")}</h1>
          <p className={styles.lead}>{t("home.lead")}</p>
        </div>
        <div className={styles.form}>
          <RequestForm />
        </div>
        <div className={styles.sample}>
          <SampleLetter />
        </div>
      </section>
      <Steps />
      <Prices />
      <ApiPart />
      <StoriesRow isTitled className={styles.part} />
      <NewsList />
    </>
  );
}

function Steps() {
  const t = useText();
  return (
    <section aria-labelledby="steps" className={styles.part}>
      <h2 id="steps" className={styles.heading}>
        {t("home.steps")}
      </h2>
      <ol className={styles.steps}>
        {(["order", "use", "read"] as const).map((step) => (
          <li key={step} className={styles.step}>
            <h3>{t(`home.step.${step}`)}</h3>
            <p>{t(`home.step.${step}.text`)}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}

function ApiPart() {
  const t = useText();
  const language = useLanguage();
  return (
    <section aria-labelledby="api" className={styles.api}>
      <div className={styles.apiWords}>
        <h2 id="api">{t("home.api")}</h2>
        <p className={styles.apiText}>{t("home.api.text")}</p>
        <p>
          <LinkButton href={paths.docs(language)} tone="secondary">
            {t("home.api.docs")} <ArrowRight aria-hidden data-mirrored size={16} className={styles.arrow} />
          </LinkButton>
        </p>
      </div>
      <Example />
    </section>
  );
}

function Example() {
  const t = useText();
  const { publicUrl, domains } = useServerData();
  const domain = domains[0]?.name ?? "letters.test";
  const lines: { typed: string; answered?: string }[] = [
    { typed: `alias ask='curl -H "Authorization: Bearer $TOKEN"'` },
    {
      typed: `ask "${publicUrl}/email/order?site=x.com&domain=${domain}"`,
      answered: `{ "id": "40000000001", "email": "nora.k@${domain}", … }`,
    },
    {
      typed: `ask "${publicUrl}/email/getmessage?id=40000000001&wait=60"`,
      answered: `{ "code": "482910", "message": "<p>Your code…", … }`,
    },
  ];
  return (
    <pre dir="ltr" tabIndex={0} role="region" aria-label={t("home.api.example")} className={styles.code}>
      <code>
        {lines.map(({ typed, answered }) => (
          <span key={typed} className={styles.line}>
            <span className={styles.prompt}>$ </span>
            {`${typed}\n`}
            {answered !== undefined && <span className={styles.answer}>{`${answered}\n`}</span>}
          </span>
        ))}
      </code>
    </pre>
  );
}
