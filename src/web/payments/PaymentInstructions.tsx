import { QrCode, TriangleAlert, Wallet } from "lucide-react";
import { useState } from "react";
import { exactPrice } from "../format.ts";
import { useAppText, useLanguage } from "../language.tsx";
import { Button } from "../ui/button/Button.tsx";
import { CopyButton } from "../ui/button/CopyButton.tsx";
import { classNames } from "../ui/layout/classNames.ts";
import { CoinIcon } from "./CoinIcon.tsx";
import { coinOf, coinText, CoinAmount } from "./CoinAmount.tsx";
import type { Payment } from "./usePayment.ts";
import { PaymentQr } from "./PaymentQr.tsx";
import styles from "./PaymentInstructions.module.css";
import { Exact } from "../ui/display/Exact.tsx";

/** What to send, over which network and to which address: on a phone all of it in the first screen. */
export function PaymentInstructions({ payment, isPartly }: { payment: Payment; isPartly: boolean }) {
  const [isQrLarge, setQrLarge] = useState(false);
  const { uri, wallet } = payment;
  return (
    <div className={styles.instructions}>
      <Amount payment={payment} isPartly={isPartly} />
      <Network payment={payment} />
      <Address payment={payment} onQr={() => setQrLarge(true)} />
      <div className={styles.qr}>
        <PaymentQr uri={uri} wallet={wallet} isLarge={isQrLarge} onLarge={setQrLarge} />
      </div>
    </div>
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
      <p className={styles.label}>{t(isPartly ? "pay.missing" : "pay.amount")}</p>
      <p className={styles.exact}>
        <CoinAmount asSent amount={amount} currency={currency} />
      </p>
      <p className={classNames(styles.label, styles.whole)}>
        {isPartly
          ? t("pay.of", { amount: coinText(language, whole, currency) })
          : payment.amount !== "" && <Exact>{exactPrice(language, payment.amount)}</Exact>}
      </p>
      <CopyButton words="short" text={amount} label={t(isPartly ? "pay.copyMissing" : "pay.copyAmount")} />
    </div>
  );
}

function Network({ payment: { currency, network } }: { payment: Payment }) {
  const t = useAppText();
  if (network === "") return null;
  return (
    <div>
      <p className={styles.label}>{t("pay.network")}</p>
      <p className={styles.value}>
        <Exact>{network}</Exact>
      </p>
      <p className={styles.warning}>
        <TriangleAlert aria-hidden size={16} className={styles.icon} />
        <span>{t("pay.notice.network", { coin: coinOf(currency), network })}</span>
      </p>
    </div>
  );
}

function Address({ payment: { wallet, uri }, onQr }: { payment: Payment; onQr: () => void }) {
  const t = useAppText();
  return (
    <div className={styles.address}>
      <div className={styles.text}>
        <p className={styles.label}>{t("pay.wallet")}</p>
        <code dir="ltr" translate="no" className={styles.code}>
          {wallet}
        </code>
      </div>
      <CopyButton words="short" text={wallet} label={t("pay.copyWallet")} milliseconds={2000} />
      <div className={styles.actions}>
        <Button
          tone="secondary"
          size="small"
          className={styles.show}
          icon={<QrCode aria-hidden size={16} />}
          onClick={onQr}
        >
          {t("pay.qr.show")}
        </Button>
        {uri !== undefined && (
          <a href={uri} className={styles.open}>
            <Wallet aria-hidden size={16} />
            {t("pay.open")}
          </a>
        )}
      </div>
    </div>
  );
}
