import { Timer } from "lucide-react";
import { useAppText } from "../language.tsx";
import { CopyButton } from "../ui/button/CopyButton.tsx";
import { useCountdown } from "../ui/display/Countdown.tsx";
import { VisuallyHidden } from "../ui/layout/VisuallyHidden.tsx";
import { coinOf, CoinAmount } from "./CoinAmount.tsx";
import styles from "./PaymentDetails.module.css";
import type { Payment } from "./usePayment.ts";
import { clock, isToPay, type PaymentState, spokenMinutes } from "./paymentState.ts";
import { SandboxPayment } from "./SandboxPayment.tsx";
import { PaymentInstructions } from "./PaymentInstructions.tsx";
import { Transfers } from "./Transfers.tsx";

interface PaymentDetailsProps {
  payment: Payment;
  state: PaymentState;
  reload: () => void;
}

/** Amount, address, expiry and what has arrived (spec B §2 "Payment page"). */
export function PaymentDetails({ payment, state, reload }: PaymentDetailsProps) {
  const isOpen = isToPay(state);
  return (
    <div className={styles.details}>
      {isOpen && <PaymentInstructions payment={payment} isPartly={state === "underpaid"} />}
      {payment.transfers.length > 0 && <Transfers transfers={payment.transfers} />}
      {isOpen && payment.sandbox && <SandboxPayment id={payment.id} reload={reload} />}
      <Facts payment={payment} isOpen={isOpen} />
      {isOpen && payment.expires_at > 0 && <Expiry at={payment.expires_at * 1000} />}
      {isOpen && <Notices payment={payment} />}
    </div>
  );
}

function Notices({ payment }: { payment: Payment }) {
  const t = useAppText();
  const coin = coinOf(payment.currency);
  return (
    <ul className={styles.notices}>
      {payment.network !== "" && (
        <li className={styles.warning}>{t("pay.notice.network", { coin, network: payment.network })}</li>
      )}
      {payment.currency === "ton" && <li>{t("pay.notice.gram")}</li>}
      <li>{t("pay.notice.exact")}</li>
      <li>{t("pay.notice.auto")}</li>
    </ul>
  );
}

/** The time until the amount expires. Screen readers hear only the last minutes and the end. */
function Expiry({ at }: { at: number }) {
  const t = useAppText();
  const seconds = useCountdown(at);
  const minutes = spokenMinutes(seconds);
  return (
    <div>
      <p className={styles.expiry}>
        <Timer aria-hidden size={16} />
        {seconds > 0 ? (
          <span role="timer">
            {t("pay.expires")} <bdi>{clock(seconds)}</bdi>
          </span>
        ) : (
          t("pay.expires.over")
        )}
      </p>
      <span role="status">
        {minutes !== undefined && (
          <VisuallyHidden>
            {minutes === 0 ? t("pay.expires.over") : t("pay.expires.soon", { count: minutes })}
          </VisuallyHidden>
        )}
      </span>
    </div>
  );
}

function Facts({ payment, isOpen }: { payment: Payment; isOpen: boolean }) {
  const t = useAppText();
  return (
    <dl className={styles.facts}>
      {!isOpen && (
        <>
          <dt>{t("pay.amountAsked")}</dt>
          <dd>
            <CoinAmount amount={payment.currency_amount} currency={payment.currency} />
          </dd>
        </>
      )}
      <dt>{t("pay.currency")}</dt>
      <dd>
        <bdi>{payment.currency_name}</bdi>
      </dd>
      {payment.network !== "" && (
        <>
          <dt>{t("pay.network")}</dt>
          <dd>
            <bdi>{payment.network}</bdi>
          </dd>
        </>
      )}
      <dt>{t("pay.id")}</dt>
      <dd>
        <bdi>{payment.id}</bdi>
      </dd>
      {!isOpen && (
        <>
          <dt>{t("pay.wallet")}</dt>
          <dd className={styles.copied}>
            <bdi dir="ltr">{payment.wallet}</bdi>
            <CopyButton text={payment.wallet} label={t("pay.copyWallet")} milliseconds={2000} />
          </dd>
        </>
      )}
    </dl>
  );
}
