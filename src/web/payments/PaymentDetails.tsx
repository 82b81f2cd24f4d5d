import { api } from "../api.ts";
import { exactPrice } from "../format.ts";
import { useAppText, useLanguage } from "../language.tsx";
import { CopyButton } from "../ui/button/CopyButton.tsx";
import { CoinAmount } from "./CoinAmount.tsx";
import styles from "./PaymentDetails.module.css";
import type { Payment } from "./usePayment.ts";
import { isToPay, type PaymentState, waitText } from "./paymentState.ts";
import { PaymentAct, SandboxCommand } from "./PaymentAct.tsx";
import { PaymentInstructions } from "./PaymentInstructions.tsx";
import { Transfers } from "./Transfers.tsx";
import { Exact } from "../ui/display/Exact.tsx";

interface PaymentDetailsProps {
  payment: Payment;
  state: PaymentState;
  reload: () => void;
}

/** Amount, network, address and what has arrived (spec B §2 "Payment page"). */
export function PaymentDetails({ payment, state, reload }: PaymentDetailsProps) {
  const t = useAppText();
  const language = useLanguage();
  const isOpen = isToPay(state);
  const isPlay = isOpen && payment.sandbox;
  return (
    <div className={styles.details}>
      {isPlay && (
        <PaymentAct
          title={t("pay.sandbox")}
          label={t("pay.sandbox.play")}
          act={() => api.playPayment({ id: payment.id })}
          reload={reload}
        />
      )}
      {isOpen && <PaymentInstructions payment={payment} isPartly={state === "underpaid"} />}
      {payment.credit_now !== undefined && (
        <PaymentAct
          title={t("pay.creditNow.text")}
          label={t("pay.creditNow", { amount: exactPrice(language, payment.credit_now) })}
          act={() => api.creditReceived({ id: payment.id })}
          reload={reload}
        />
      )}
      {payment.transfers.length > 0 && <Transfers transfers={payment.transfers} />}
      {isOpen && <Notices payment={payment} />}
      <Facts payment={payment} isOpen={isOpen} />
      {isPlay && <SandboxCommand id={payment.id} />}
    </div>
  );
}

function Notices({ payment: { currency, seconds } }: { payment: Payment }) {
  const t = useAppText();
  const language = useLanguage();
  return (
    <ul className={styles.notices}>
      {currency === "ton" && <li>{t("pay.notice.gram")}</li>}
      <li>{t("pay.notice.exact")}</li>
      <li>
        {seconds === undefined
          ? t("pay.notice.auto")
          : t("pay.notice.time", { time: waitText(language, seconds) })}
      </li>
    </ul>
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
        <Exact>{payment.currency_name}</Exact>
      </dd>
      {!isOpen && payment.network !== "" && (
        <>
          <dt>{t("pay.network")}</dt>
          <dd>
            <Exact>{payment.network}</Exact>
          </dd>
        </>
      )}
      <dt>{t("pay.id")}</dt>
      <dd>
        <Exact>{payment.id}</Exact>
      </dd>
      {!isOpen && (
        <>
          <dt>{t("pay.wallet")}</dt>
          <dd className={styles.copied}>
            <Exact dir="ltr">{payment.wallet}</Exact>
            <CopyButton text={payment.wallet} label={t("pay.copyWallet")} milliseconds={2000} />
          </dd>
        </>
      )}
    </dl>
  );
}
