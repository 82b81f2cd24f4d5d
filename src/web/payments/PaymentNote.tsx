import type { ReactNode } from "react";
import type { AppKey } from "../../i18n/t.ts";
import { exactPrice } from "../format.ts";
import { useAppText, useLanguage } from "../language.tsx";
import { refusalText } from "../refusalText.ts";
import type { Payment, usePayment } from "./usePayment.ts";
import styles from "./PaymentStatus.module.css";
import type { PaymentState } from "./paymentState.ts";
import { Exact } from "../ui/display/Exact.tsx";

interface PaymentNoteProps {
  id: string;
  asked: ReturnType<typeof usePayment>;
}

export function PaymentNote({ id, asked }: PaymentNoteProps) {
  const t = useAppText();
  const { fault, view, state, payment, refused } = asked;
  if (fault === "network") return <Line>{t("pay.network.text")}</Line>;
  if (fault === "error") {
    return (
      <>
        <Line>{refused && refusalText(t, refused)}</Line>
        <Line>{t("pay.failed", { id })}</Line>
      </>
    );
  }
  if (fault || !payment) return null;
  const text = texts[state];
  if (view === "confirmed") return <CreditedAmount payment={payment} />;
  return (
    <>
      {state === "review" && isOtherCoin(payment) && <Line>{t("pay.review.other")}</Line>}
      {text && <Line>{t(text)}</Line>}
      {state.startsWith("expired") && <Line>{t("pay.expired.late")}</Line>}
      {view === "rejected" && <Line>{t("pay.failed", { id })}</Line>}
    </>
  );
}

const texts: Partial<Record<PaymentState, AppKey>> = {
  underpaid: "pay.underpaid.text",
  confirming: "pay.confirming.text",
  review: "pay.review.text",
  confirmed: "pay.confirmed.text",
  expired: "pay.expired.text",
  expired_partial: "pay.expiredPartial.text",
  rejected: "pay.rejected.text",
  dropped: "pay.dropped.text",
};

function Line({ children }: { children: ReactNode }) {
  return <p className={styles.note}>{children}</p>;
}

function CreditedAmount({ payment }: { payment: Payment }) {
  const t = useAppText();
  const language = useLanguage();
  const over = Number(payment.credited) - Number(payment.amount);
  return (
    <>
      <Line>
        {t("pay.confirmed.text")}{" "}
        <Exact className={styles.sum}>{exactPrice(language, payment.credited)}</Exact>
      </Line>
      {over !== 0 && <Line>{t(over > 0 ? "pay.confirmed.more" : "pay.confirmed.less")}</Line>}
    </>
  );
}

function isOtherCoin({ currency, transfers }: Payment): boolean {
  return transfers.some((transfer) => transfer.currency !== currency && transfer.status !== "gone");
}
