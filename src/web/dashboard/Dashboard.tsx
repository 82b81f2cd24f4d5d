import { Suspense, useCallback, useEffect, useState } from "react";
import { useLocation, useSearch } from "wouter";
import { isAuthOpen, openAuth } from "../auth/authDialog.ts";
import { ErrorBoundary } from "../ErrorBoundary.tsx";
import { useAppText, useLanguage } from "../language.tsx";
import { useOrderList } from "../orders/list/useOrderList.ts";
import { OrderTabs } from "../orders/list/OrderTabs.tsx";
import { OrderForm, type TopUp } from "../orders/form/OrderForm.tsx";
import { coveringAmount } from "../payments/topUpAmount.ts";
import { OpenPayments } from "../payments/list/OpenPayments.tsx";
import { dashboardOf, isModePage, type Mode, modeOfPage, pageOf } from "../paths.ts";
import { ServerState, useRefused } from "../serverState.tsx";
import { stored } from "../stored.ts";
import { RefusalNotice } from "../RefusalNotice.tsx";
import { Notice } from "../ui/feedback/Notice.tsx";
import { SkeletonLines } from "../ui/feedback/Skeleton.tsx";
import { isAutoOpenClaimed, onAutoOpenReleased } from "../ui/dialog/autoOpen.ts";
import { lazyPart } from "../lazyPart.tsx";
import { type Account, useAccount } from "./account.ts";
import { AccountStrip } from "./AccountStrip.tsx";
import styles from "./Dashboard.module.css";
import { DashboardNav } from "./DashboardNav.tsx";

/** The dashboard: account, then orders, partner or investor (spec B §2, O §1). */
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
  const [topUp, setTopUp] = useState<{ amount: string; onCreated: (() => void) | undefined }>();
  const openTopUp = useCallback<TopUp>(
    (missingDollars, onCreated) => setTopUp({ amount: coveringAmount(missingDollars), onCreated }),
    [],
  );
  useActivationForm(account.data?.active, account.data?.email);
  return (
    <div data-settles className={styles.page}>
      <DashboardNav />
      <AccountStrip account={account.data} onTopUp={() => openTopUp(0)} />
      <OpenPayments />
      {refused?.value === "token limit" && <Notice tone="warn">{t("refusal.tokenLimit")}</Notice>}
      {refused && refused.value !== "token limit" && account.data === undefined && (
        <RefusalNotice refused={refused} onRetry={() => void account.refetch()} />
      )}
      <ErrorBoundary key={mode}>
        <Suspense fallback={<SkeletonLines lines={8} />}>
          {mode === "partner" && <Partner account={account.data} />}
          {mode === "investor" && <Investor />}
          {mode === "user" && <Orders account={account.data} onTopUp={openTopUp} />}
        </Suspense>
      </ErrorBoundary>
      {topUp !== undefined && (
        <ErrorBoundary over again={topUp}>
          <Suspense>
            <TopUpDialog {...topUp} onClose={() => setTopUp(undefined)} />
          </Suspense>
        </ErrorBoundary>
      )}
    </div>
  );
}

/** Whether this document has shown a mode: from then on the address alone decides, so that "back" works. */
let isEntered = false;

/** The mode of the address. The first `/dashboard` of a document leads to the mode chosen last (spec O §1). */
function useMode(account: Account | undefined): Mode {
  const language = useLanguage();
  const [pathname, navigate] = useLocation();
  const search = useSearch();
  const page = pageOf(pathname);
  const here = isModePage(page) ? modeOfPage[page] : "user";
  const asked = new URLSearchParams(search);
  const wantsToOrder = asked.has("from") || asked.has("to");
  const chosen = stored.mode.read();
  const mode = isEntered || wantsToOrder || here !== "user" ? here : chosen;
  const isNoInvestor = mode === "investor" && account?.is_investor === false;
  const shown = isNoInvestor ? "user" : mode;
  useEffect(() => {
    isEntered = true;
    if (stored.mode.read() !== shown) stored.mode.write(shown);
    if (shown !== here) navigate(dashboardOf(language, shown), { replace: true });
  }, [shown, here, language, navigate]);
  return shown;
}

function Orders({ account, onTopUp }: { account: Account | undefined; onTopUp: TopUp }) {
  const orders = useOrderList();
  return (
    <div className={styles.columns}>
      <OrderForm orders={orders} account={account} onTopUp={onTopUp} />
      <OrderTabs orders={orders} onTopUp={onTopUp} className={styles.lists} />
      {/* Of a letter that is kept open. */}
      <div id="beside" className={styles.beside} />
    </div>
  );
}

const TopUpDialog = lazyPart(async () => (await import("../payments/TopUpDialog.tsx")).TopUpDialog);
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
