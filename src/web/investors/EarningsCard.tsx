import { HandCoins } from "lucide-react";
import { Suspense } from "react";
import { balance as money, day } from "../format.ts";
import { useHelpUrl } from "../help/helpUrl.ts";
import { useAccountText, useLanguage } from "../language.tsx";
import { useServerData } from "../serverData.tsx";
import { refusedBy } from "../serverState.tsx";
import { RefusalNotice } from "../RefusalNotice.tsx";
import { lastDays } from "../partners/income.ts";
import { IncomeChart } from "../partners/IncomeChart.tsx";
import { HeldNotice } from "./HeldNotice.tsx";
import { LinkButton } from "../ui/button/Button.tsx";
import { Card } from "../ui/layout/Card.tsx";
import { Skeleton } from "../ui/feedback/Skeleton.tsx";
import styles from "./Investor.module.css";
import { useInvestorStats } from "./useBatches.ts";
import { Exact } from "../ui/display/Exact.tsx";
import { WithdrawButton, WithdrawText } from "../withdrawals/lazy.tsx";

/** The earnings of all batches, and the link to the support, which pays them out (spec O §2, §3). */
export function EarningsCard() {
  const t = useAccountText();
  const language = useLanguage();
  const stats = useInvestorStats();
  const isLoading = stats.isPending && stats.isFetching;
  const refused = stats.data ? undefined : refusedBy(stats.error);
  const amounts = stats.data && {
    total: money(language, stats.data.total_amount),
    today: money(language, stats.data.today_amount),
    left: money(language, stats.data.need_to_pay),
    last: stats.data.last_payment_date === null ? "—" : day(stats.data.last_payment_date),
  };
  return (
    <Card data-settles aria-busy={isLoading} className={styles.earnings} aria-labelledby="investor-earnings">
      <h2 id="investor-earnings" className={styles.heading}>
        {t("investor.earnings.title")}
      </h2>
      {refused ? (
        <RefusalNotice refused={refused} onRetry={() => void stats.refetch()} />
      ) : (
        <dl aria-busy={isLoading} className={styles.sums}>
          {(["total", "today", "left", "last"] as const).map((name) => (
            <div key={name} className={styles.sum}>
              <dt>{t(`investor.earnings.${name}`)}</dt>
              <dd>{amounts ? <Exact>{amounts[name]}</Exact> : <Skeleton width="6rem" height="1.55em" />}</dd>
            </div>
          ))}
        </dl>
      )}
      {stats.data && <HeldNotice stats={stats.data} />}
      <div className={styles.withdrawal}>
        <Withdraw left={stats.data?.need_to_pay} />
      </div>
    </Card>
  );
}

/** The days of the last 30, once there are earnings. */
export function EarningsOfDays() {
  const t = useAccountText();
  const { data, dataUpdatedAt } = useInvestorStats();
  const days = lastDays(data?.days ?? [], new Date(dataUpdatedAt));
  if (days.length === 0) return null;
  return (
    <Card className={styles.earnings} aria-labelledby="investor-income">
      <h2 id="investor-income" className={styles.heading}>
        {t("partner.income.title")}
      </h2>
      <IncomeChart days={days} label={t("partner.chart.label", { way: t("investor.earnings.title") })} />
    </Card>
  );
}

/** Asked for here (WITHDRAWALS), else by writing to support (spec O §2). */
function Withdraw({ left }: { left: string | undefined }) {
  const t = useAccountText();
  const helpUrl = useHelpUrl();
  if (useServerData().withdrawals === "on") {
    const purses = [{ way: "investor", left }] as const;
    return (
      <Suspense fallback={null}>
        <WithdrawText purses={purses} />
        <WithdrawButton purses={purses} />
      </Suspense>
    );
  }
  return (
    <>
      <p className={styles.text}>{t("investor.withdraw.text")}</p>
      <LinkButton outside tone="secondary" href={helpUrl} icon={<HandCoins aria-hidden size={17} />}>
        {t("investor.withdraw")}
      </LinkButton>
    </>
  );
}
