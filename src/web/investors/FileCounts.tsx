import { sampleSize } from "../../contract/limits.ts";
import { isolated } from "../format.ts";
import { useAccountText, useLanguage } from "../language.tsx";
import { Notice } from "../ui/feedback/Notice.tsx";
import { ProgressBar } from "../ui/feedback/ProgressBar.tsx";
import type { CountProgress } from "./lineCount.worker.ts";
import styles from "./Investor.module.css";
import type { Counted } from "./lineCount.ts";
import { useInvestorStats } from "./useBatches.ts";
import { Exact } from "../ui/display/Exact.tsx";

const domainsShown = 5;

export function FileCounts({ progress }: { progress: CountProgress }) {
  const t = useAccountText();
  if ("failed" in progress) return <Notice tone="bad">{t("investor.count.failed")}</Notice>;
  if ("done" in progress) return <ProgressBar label={t("investor.count.busy")} done={progress.done} />;
  return <Counts counted={progress.counted} />;
}

function Counts({ counted }: { counted: Counted }) {
  const t = useAccountText();
  const language = useLanguage();
  const accepted = useInvestorStats().data?.accepted_domains;
  const format = new Intl.NumberFormat(`${language}-u-nu-latn`);
  if (counted.isOther) return <Notice tone="bad">{t("refusal.columns")}</Notice>;
  const shown = counted.domains.slice(0, domainsShown);
  const others = counted.domains.length - shown.length;
  const foreign = accepted ? counted.domains.filter(({ name }) => !accepted.includes(name)) : [];
  return (
    // With the keyboard it is scrolled in a small window: nothing else of the dialog's content takes the focus.
    <section tabIndex={0} aria-label={t("investor.count.title")} className={styles.counted}>
      <h3 className={styles.subheading}>{t("investor.count.title")}</h3>
      <dl className={styles.counts}>
        {(["lines", "usable", "duplicates", "malformed"] as const).map((name) => (
          <div key={name} data-count={name}>
            <dt>{t(`investor.count.${name}`)}</dt>
            <dd>
              <Exact>{format.format(counted[name])}</Exact>
            </dd>
          </div>
        ))}
      </dl>
      {counted.usable < sampleSize && (
        <Notice tone="warn">
          {t("investor.count.few", { number: format.format(counted.usable), least: sampleSize })}
        </Notice>
      )}
      {counted.malformedAt.length > 0 && (
        <p className={styles.text}>
          {t("investor.count.firstLines", { lines: isolated(counted.malformedAt.join(", ")) })}
        </p>
      )}
      {shown.length > 0 && (
        <p className={styles.text}>
          {t("investor.count.domains")}:{" "}
          <Exact>{shown.map(({ name, count }) => `${name} (${format.format(count)})`).join(", ")}</Exact>
          {others > 0 && ` ${t("investor.count.others", { number: others })}`}
        </p>
      )}
      {foreign.length > 0 && (
        <Notice tone="warn">
          {t("investor.count.foreign", {
            number: format.format(foreign.reduce((sum, { count }) => sum + count, 0)),
            domains: isolated(
              foreign
                .slice(0, domainsShown)
                .map(({ name }) => name)
                .join(", "),
            ),
          })}
        </Notice>
      )}
      <p className={styles.text}>{t("investor.count.note")}</p>
    </section>
  );
}
