import { Suspense, useCallback, useEffect, useState } from "react";
import { useSearch } from "wouter";
import { isAuthOpen, openAuth } from "../auth/authDialog.ts";
import { ErrorBoundary } from "../ErrorBoundary.tsx";
import { useAppText } from "../language.tsx";
import { useOrderList } from "../orders/list/useOrderList.ts";
import { OrderTabs } from "../orders/list/OrderTabs.tsx";
import { OrderForm } from "../orders/form/OrderForm.tsx";
import { coveringAmount } from "../payments/topUpAmount.ts";
import { OpenPayments } from "../payments/OpenPayments.tsx";
import { TopUpDialog } from "../payments/TopUpDialog.tsx";
import { ServerState, useRefused } from "../serverState.tsx";
import { stored, useStored } from "../stored.ts";
import { StoriesRow } from "../stories/StoriesRow.tsx";
import { RefusalNotice } from "../RefusalNotice.tsx";
import { Notice } from "../ui/feedback/Notice.tsx";
import { SkeletonLines } from "../ui/feedback/Skeleton.tsx";
import { isAutoOpenClaimed, onAutoOpenReleased } from "../ui/dialog/autoOpen.ts";
import { lazyPart } from "../lazyPart.tsx";
import { type Account, useAccount } from "./account.ts";
import { BalanceCard } from "./BalanceCard.tsx";
import styles from "./Dashboard.module.css";
import { DashboardNav } from "./DashboardNav.tsx";
import { DashboardHeader } from "./DashboardHeader.tsx";

/** The dashboard in the mode that was chosen last (spec B §2, O §1). */
export function Dashboard() {
  return (
    <ServerState>
      <Page />
    </ServerState>
  );
}

function Page() {
  const t = useAppText();
  const account = useAccount();
  const refused = useRefused(account);
  const mode = useMode(account.data);
  useActivationForm(account.data?.active, account.data?.email);
  return (
    <div className={styles.page}>
      <DashboardNav />
      <OpenPayments />
      <StoriesRow />
      {refused?.value === "token limit" && <Notice tone="warn">{t("refusal.tokenLimit")}</Notice>}
      {refused && refused.value !== "token limit" && account.data === undefined && (
        <RefusalNotice refused={refused} onRetry={() => void account.refetch()} />
      )}
      <ErrorBoundary key={mode}>
        <Suspense fallback={<SkeletonLines lines={8} />}>
          {mode === "partner" && <Partner account={account.data} />}
          {mode === "investor" && <Investor account={account.data} />}
          {mode === "user" && <BuyerDashboard account={account.data} />}
        </Suspense>
      </ErrorBoundary>
    </div>
  );
}

/** The mode; buyer for an address that names a site or a mail type, and for an account that is no investor (spec O §1). */
function useMode(account: Account | undefined) {
  const [mode, setMode] = useStored(stored.mode);
  const asked = new URLSearchParams(useSearch());
  const wantsToOrder = asked.has("from") || asked.has("to");
  const isNoInvestor = mode === "investor" && account?.is_investor === false;
  const isBuyer = wantsToOrder || isNoInvestor;
  useEffect(() => {
    if (isBuyer) setMode("user");
  }, [isBuyer, setMode]);
  return isBuyer ? "user" : mode;
}

function BuyerDashboard({ account }: { account: Account | undefined }) {
  const orders = useOrderList();
  const [topUp, setTopUp] = useState<string>();
  const openTopUp = useCallback((missingDollars: number) => setTopUp(coveringAmount(missingDollars)), []);
  return (
    <>
      <DashboardHeader account={account}>
        <BalanceCard account={account} onTopUp={() => openTopUp(0)} />
      </DashboardHeader>
      <div className={styles.columns}>
        <OrderForm orders={orders} isActive={account?.active} onTopUp={openTopUp} />
        <OrderTabs orders={orders} onTopUp={openTopUp} className={styles.lists} />
      </div>
      {topUp !== undefined && <TopUpDialog amount={topUp} onClose={() => setTopUp(undefined)} />}
    </>
  );
}

const Partner = lazyPart(async () => (await import("../partners/Partner.tsx")).Partner);
const Investor = lazyPart(async () => (await import("../investors/Investor.tsx")).Investor);

const formDelayMilliseconds = 2000;

/** Opens the activation form 2 s after an inactive account has loaded (spec B §9). */
function useActivationForm(isActive: boolean | undefined, email: string | undefined) {
  useEffect(() => {
    if (isActive !== false) return undefined;
    const open = () => {
      // Does not interrupt another dialog; the locked mail types link to the form too.
      if (!isAutoOpenClaimed() && !document.querySelector("dialog[open]")) openAuth("activate", { email });
    };
    let forget = () => {};
    const timer = setTimeout(() => {
      if (!isAutoOpenClaimed() || isAuthOpen()) return open();
      // Opens once, after a story that opened by itself. The story leaves the document a moment later.
      forget = onAutoOpenReleased(() => {
        forget();
        setTimeout(open);
      });
    }, formDelayMilliseconds);
    return () => {
      clearTimeout(timer);
      forget();
    };
  }, [isActive, email]);
}
