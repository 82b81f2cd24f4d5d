import { HandCoins } from "lucide-react";
import { Suspense } from "react";
import type { Account } from "../dashboard/account.ts";
import { AmountCard } from "../dashboard/AmountCard.tsx";
import { useHelpUrl } from "../help/helpUrl.ts";
import { useAppText } from "../language.tsx";
import { useServerData } from "../serverData.tsx";
import { LinkButton } from "../ui/button/Button.tsx";
import { Card } from "../ui/layout/Card.tsx";
import { SkeletonLines } from "../ui/feedback/Skeleton.tsx";
import { Earnings } from "./Earnings.tsx";
import { IncomeCard } from "./IncomeCard.tsx";
import { sum } from "./income.ts";
import styles from "./Partner.module.css";
import { ReferralLink } from "./ReferralLink.tsx";
import { SoftId } from "./SoftId.tsx";
import { WithdrawalList, WithdrawButton, WithdrawText } from "../withdrawals/lazy.tsx";
import { Statistics } from "./Statistics.tsx";

/** The dashboard in partner mode (spec O §2). */
export function Partner({ account }: { account: Account | undefined }) {
  return (
    <>
      <Withdrawal account={account} />
      {account ? (
        <>
          <div className={styles.tools}>
            <ReferralLink account={account} />
            <SoftId account={account} />
          </div>
          <Earnings account={account} />
          <IncomeCard />
          <Statistics account={account} />
        </>
      ) : (
        <LoadingSkeleton />
      )}
    </>
  );
}

function LoadingSkeleton() {
  const parts = [4, 5, 5, 8];
  return parts.map((lines, part) => (
    <Card key={part} aria-hidden>
      <SkeletonLines lines={lines} />
    </Card>
  ));
}

/** The open amount; the support pays it out (spec O §2). */
export function Withdrawal({ account }: { account: Account | undefined }) {
  const t = useAppText();
  const helpUrl = useHelpUrl();
  const isOffered = useServerData().withdrawals === "on";
  const left = account && [account.referrals, account.soft].map(({ to_withdraw: one }) => one);
  const withdraw = (
    <LinkButton outside tone="secondary" href={helpUrl} icon={<HandCoins aria-hidden size={17} />}>
      {t("partner.withdraw")}
    </LinkButton>
  );
  if (isOffered) return <Asked account={account} left={left && sum(left)} />;
  return (
    <AmountCard label={t("partner.left")} amount={left && sum(left)} action={withdraw}>
      <p className={styles.soft}>{t("partner.withdraw.text")}</p>
    </AmountCard>
  );
}

/** The open amount, which the partner asks for here (WITHDRAWALS). */
function Asked({ account, left }: { account: Account | undefined; left: string | undefined }) {
  const t = useAppText();
  const purses = [
    { way: "referrals", left: account?.referrals.to_withdraw },
    { way: "soft", left: account?.soft.to_withdraw },
  ] as const;
  const button = (
    <Suspense fallback={null}>
      <WithdrawButton purses={purses} />
    </Suspense>
  );
  return (
    <>
      <AmountCard label={t("partner.left")} amount={left} action={button}>
        <Suspense fallback={null}>
          <WithdrawText purses={purses} />
        </Suspense>
      </AmountCard>
      <Suspense fallback={null}>
        <WithdrawalList />
      </Suspense>
    </>
  );
}
