import { Printer } from "lucide-react";
import { useState } from "react";
import { useLocation, useSearch } from "wouter";
import { useHelpUrl } from "../help/helpUrl.ts";
import { useAppText, useLanguage } from "../language.tsx";
import { paths } from "../paths.ts";
import { useServerData } from "../serverData.tsx";
import { ServerState } from "../serverState.tsx";
import { Button, LinkButton } from "../ui/button/Button.tsx";
import { Card } from "../ui/layout/Card.tsx";
import { VisuallyHidden } from "../ui/layout/VisuallyHidden.tsx";
import { Skeleton } from "../ui/feedback/Skeleton.tsx";
import styles from "./Payment.module.css";
import { PaymentDetails } from "./PaymentDetails.tsx";
import { NextCheck, PaymentStatus } from "./PaymentStatus.tsx";
import { usePayment } from "./usePayment.ts";
import { isFinal } from "./paymentState.ts";
import { Questions } from "../questions/Questions.tsx";
import { canDrop, useDropping } from "./list/useDropping.ts";
import { TopUpDialog } from "./TopUpDialog.tsx";
import { Transfers } from "./Transfers.tsx";

/** The page of one payment, opened in its own tab (spec B §2). */
export function Payment() {
  return (
    <ServerState>
      <Page />
    </ServerState>
  );
}

function Page() {
  const t = useAppText();
  const id = new URLSearchParams(useSearch()).get("id") ?? "";
  const asked = usePayment(id);
  const { payment, view, state } = asked;
  const hasDetails = payment !== undefined && !isFinal(view);
  return (
    <Card aria-labelledby="payment-title" className={styles.card}>
      <h1 id="payment-title" className={styles.title}>
        {id === "" ? t("pay.titleBare") : t("pay.title", { id })}
      </h1>
      {asked.isLoading ? <LoadingSkeleton /> : <PaymentStatus id={id} asked={asked} />}
      {hasDetails && <PaymentDetails payment={payment} state={state} reload={asked.reload} />}
      {view === "confirmed" && payment !== undefined && payment.transfers.length > 0 && (
        <Transfers transfers={payment.transfers} />
      )}
      <NextCheck asked={asked} />
      {payment && <Questions about={{ payment_id: payment.id }} />}
      <NextSteps asked={asked} />
    </Card>
  );
}

function NextSteps({ asked: { view, fault, payment } }: { asked: ReturnType<typeof usePayment> }) {
  const t = useAppText();
  const language = useLanguage();
  const { supportUrl } = useServerData();
  const helpUrl = useHelpUrl();
  const [isAnew, setAnew] = useState(false);
  const close = useClose();
  return (
    <div className={styles.nextSteps}>
      {view === "rejected" && (
        <Button wide onClick={() => setAnew(true)}>
          {t("pay.anew")}
        </Button>
      )}
      {view === "confirmed" && (
        <LinkButton wide href={paths.dashboard(language)}>
          {t("pay.toOrders")}
        </LinkButton>
      )}
      {view === "confirmed" && (
        <Button tone="secondary" icon={<Printer aria-hidden size={17} />} onClick={() => print()}>
          {t("pay.print")}
        </Button>
      )}
      {payment && <Dropping payment={payment} />}
      {fault === "none" && (
        <LinkButton wide href={paths.payments(language)}>
          {t("pay.toPayments")}
        </LinkButton>
      )}
      <div className={styles.pair}>
        <LinkButton outside tone="ghost" href={helpUrl}>
          {t(supportUrl === undefined ? "nav.help" : "pay.support")}
        </LinkButton>
        <Button tone="secondary" onClick={close}>
          {t("pay.close")}
        </Button>
      </div>
      {isAnew && (
        <TopUpDialog sameTab amount={String(Number(payment?.amount ?? 1))} onClose={() => setAnew(false)} />
      )}
    </div>
  );
}

/** A buyer who will not pay says so, and may change his mind. */
function Dropping({ payment }: { payment: NonNullable<ReturnType<typeof usePayment>["payment"]> }) {
  const t = useAppText();
  const { drop, takeUp } = useDropping();
  if (payment.dropped)
    return (
      <Button wide onClick={() => takeUp(payment.id)}>
        {t("pay.drop.takeUp")}
      </Button>
    );
  return (
    canDrop(payment) && (
      <Button tone="ghost" size="small" onClick={() => drop(payment.id)}>
        {t("pay.drop")}
      </Button>
    )
  );
}

/** Closes the tab; goes back, or to the dashboard, in a tab that the shop did not open. */
function useClose(): () => void {
  const language = useLanguage();
  const [, navigate] = useLocation();
  return () => {
    // Browsers close only a tab that a script opened or that has no history.
    if (window.opener !== null || history.length === 1) window.close();
    if (window.closed) return;
    if (history.length > 1 && document.referrer !== "") history.back();
    else navigate(paths.dashboard(language));
  };
}

function LoadingSkeleton() {
  const t = useAppText();
  return (
    <div role="status" className={styles.skeletons}>
      <VisuallyHidden>{t("ui.loading")}</VisuallyHidden>
      <Skeleton height="3.5rem" />
      <Skeleton height="3.25rem" />
      <div className={styles.skeletonPair}>
        <Skeleton width="160px" height="160px" />
        <Skeleton height="160px" />
      </div>
    </div>
  );
}
