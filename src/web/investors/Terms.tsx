import { percent } from "../format.ts";
import { useAccountText, useLanguage } from "../language.tsx";
import styles from "./Investor.module.css";
import { useInvestorStats } from "./useBatches.ts";
import { Exact } from "../ui/display/Exact.tsx";

/** The investor's share and the mail domains that are accepted. */
export function Terms() {
  const t = useAccountText();
  const language = useLanguage();
  const { data } = useInvestorStats();
  const { percent: share, accepted_domains: domains = [] } = data ?? {};
  return (
    <dl className={styles.termList}>
      {share !== undefined && (
        <>
          <dt>{t("investor.share")}</dt>
          <dd>
            <Exact>{percent(language, share)}</Exact>
          </dd>
        </>
      )}
      {domains.length > 0 && (
        <>
          <dt>{t("investor.accepted")}</dt>
          <dd>
            <div tabIndex={0} role="group" aria-label={t("investor.accepted")} className={styles.termDomains}>
              <Exact>{domains.join(", ")}</Exact>
            </div>
          </dd>
        </>
      )}
    </dl>
  );
}
