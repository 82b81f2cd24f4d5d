import { Archive, Inbox } from "lucide-react";
import { useEffect, useState } from "react";
import { openAuth } from "../auth/authDialog.ts";
import { useAppText } from "../language.tsx";
import { Activations } from "../orders/Activations.tsx";
import { useArrived } from "../orders/arrived.ts";
import { type Desk, useDesk } from "../orders/desk.ts";
import { History } from "../orders/History.tsx";
import { OrderForm } from "../orders/OrderForm.tsx";
import { coveringAmount } from "../payments/amount.ts";
import { TopUpDialog } from "../payments/TopUpDialog.tsx";
import { refusedBy, ServerState } from "../serverState.tsx";
import { Card } from "../ui/Card.tsx";
import { Hidden } from "../ui/Hidden.tsx";
import { Notice } from "../ui/Notice.tsx";
import { Tabs } from "../ui/Tabs.tsx";
import { useAccount } from "./account.ts";
import { BalanceCard } from "./BalanceCard.tsx";
import styles from "./Dashboard.module.css";
import { DashboardNav } from "./DashboardNav.tsx";
import { Profile } from "./Profile.tsx";

/** The dashboard in user mode (spec B §2). */
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
  const desk = useDesk();
  // The amount that the dialog begins with; undefined while it is closed.
  const [topUp, setTopUp] = useState<string>();
  useActivationForm(account.data?.active);
  const openTopUp = (missingDollars: number) => setTopUp(coveringAmount(missingDollars));
  return (
    <div className={styles.page}>
      <DashboardNav />
      {refusedBy(account.error)?.value === "token limit" && (
        <Notice tone="warn">{t("refusal.tokenLimit")}</Notice>
      )}
      <div className={styles.top}>
        <Profile account={account.data} />
        <BalanceCard account={account.data} onTopUp={() => openTopUp(0)} />
      </div>
      <div className={styles.work}>
        <OrderForm desk={desk} isActive={account.data?.active} onTopUp={openTopUp} />
        <Lists desk={desk} onTopUp={openTopUp} />
      </div>
      {topUp !== undefined && <TopUpDialog amount={topUp} onClose={() => setTopUp(undefined)} />}
    </div>
  );
}

function Lists({ desk, onTopUp }: { desk: Desk; onTopUp: (missingDollars: number) => void }) {
  const t = useAppText();
  const { spoken, fresh } = useArrived(desk.items);
  return (
    <Card flush id="activations" aria-label={t("activations.title")} className={styles.lists}>
      <div role="status">
        <Hidden>{spoken}</Hidden>
      </div>
      <Tabs
        label={t("activations.title")}
        active={desk.tab}
        onSelect={desk.setTab}
        tabs={[
          { id: "activations", label: t("tabs.activations"), icon: <Inbox aria-hidden size={17} /> },
          { id: "history", label: t("tabs.history"), icon: <Archive aria-hidden size={17} /> },
        ]}
      >
        {desk.tab === "activations" ? (
          <Activations desk={desk} fresh={fresh} onTopUp={onTopUp} />
        ) : (
          <History />
        )}
      </Tabs>
    </Card>
  );
}

const formDelayMilliseconds = 2000;

/** Shows the activation form 2 s after an account turned out not to be activated (spec B §9). */
function useActivationForm(isActive: boolean | undefined) {
  // It opens by the clock, not by a press.
  useEffect(() => {
    if (isActive !== false) return;
    const timer = setTimeout(() => {
      // Whoever is busy in another dialog is left alone; the locked mail types lead to the form as well.
      if (!document.querySelector("dialog[open]")) openAuth("activate");
    }, formDelayMilliseconds);
    return () => clearTimeout(timer);
  }, [isActive]);
}
