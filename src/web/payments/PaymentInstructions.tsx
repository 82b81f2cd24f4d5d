import { Wallet } from "lucide-react";
import { balance } from "../format.ts";
import { useAppText, useLanguage } from "../language.tsx";
import { CopyButton } from "../ui/button/CopyButton.tsx";
import { CoinIcon } from "./CoinIcon.tsx";
import { coinOf, CoinAmount } from "./CoinAmount.tsx";
import type { Payment } from "./usePayment.ts";
import { PaymentQr } from "./PaymentQr.tsx";
import styles from "./PaymentInstructions.module.css";

export function PaymentInstructions({ payment, isPartly }: { payment: Payment; isPartly: boolean }) {
  const t = useAppText();
  return (
    <>
      <Amount payment={payment} isPartly={isPartly} />
      <div className={styles.wallet}>
        <PaymentQr uri={payment.uri} wallet={payment.wallet} />
        <div className={styles.address}>
          <p className={styles.label}>{t("pay.wallet")}</p>
          <code dir="ltr" className={styles.code}>
            {payment.wallet}
          </code>
          <span>
            <CopyButton words text={payment.wallet} label={t("pay.copyWallet")} milliseconds={2000} />
          </span>
          {payment.uri !== undefined && (
            <a href={payment.uri} className={styles.open}>
              <Wallet aria-hidden size={16} />
              {t("pay.open")}
            </a>
          )}
        </div>
      </div>
    </>
  );
}

function Amount({ payment, isPartly }: { payment: Payment; isPartly: boolean }) {
  const t = useAppText();
  const language = useLanguage();
  const { currency, currency_amount: whole, missing } = payment;
  const amount = isPartly ? missing : whole;
  return (
    <div className={styles.amount}>
      <CoinIcon coin={coinOf(currency)} size={40} />
      <div className={styles.sum}>
        <p className={styles.label}>{t(isPartly ? "pay.missing" : "pay.amount")}</p>
        <p className={styles.exact}>
          <CoinAmount amount={amount} currency={currency} />
        </p>
        <p className={styles.label}>
          {isPartly
            ? t("pay.of", { amount: `${whole} ${coinOf(currency)}` })
            : payment.amount !== "" && <bdi>{balance(language, payment.amount)}</bdi>}
        </p>
      </div>
      <CopyButton text={amount} label={t(isPartly ? "pay.copyMissing" : "pay.copyAmount")} />
    </div>
  );
}
