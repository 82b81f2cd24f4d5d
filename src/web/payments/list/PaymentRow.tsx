import { X } from "lucide-react";
import { Link } from "wouter";
import { exactPrice, isolated, spanText } from "../../format.ts";
import { Moment } from "../../Moment.tsx";
import { useAppText, useLanguage } from "../../language.tsx";
import { paths } from "../../paths.ts";
import { LinkButton } from "../../ui/button/Button.tsx";
import { IconButton } from "../../ui/button/IconButton.tsx";
import { Badge } from "../../ui/feedback/Badge.tsx";
import { useCountdown } from "../../ui/display/Countdown.tsx";
import { Exact } from "../../ui/display/Exact.tsx";
import { VisuallyHidden } from "../../ui/layout/VisuallyHidden.tsx";
import { coinOf, CoinAmount } from "../CoinAmount.tsx";
import { CoinIcon } from "../CoinIcon.tsx";
import styles from "./PaymentRow.module.css";
import { statusLooks } from "../PaymentStatus.tsx";
import { isToPay, stateOf } from "../paymentState.ts";
import { canDrop, useDropping } from "./useDropping.ts";
import type { ListedPayment } from "./usePayments.ts";

/** A payment in the list: what was asked, over which network, what became of it, and what can be done. */
export function PaymentRow({ payment }: { payment: ListedPayment }) {
  const t = useAppText();
  const language = useLanguage();
  const { drop } = useDropping();
  const { id, currency, currency_amount: coins, network, created_at: at } = payment;
  const state = stateOf(payment);
  const { tone, text } = statusLooks[state];
  const address = paths.pay(language, id);
  return (
    <li className={styles.row}>
      <CoinIcon coin={coinOf(currency)} size={32} />
      <div className={styles.what}>
        <p className={styles.sum}>
          <Link href={address} className={styles.link}>
            <VisuallyHidden>{t("pay.title", { id })} </VisuallyHidden>
            <Dollars payment={payment} />
          </Link>
          <span className={styles.coins}>
            <CoinAmount amount={coins} currency={currency} />
            <span aria-hidden> · </span>
            <Exact>{network}</Exact>
          </span>
        </p>
        <p className={styles.note}>
          <Exact>{`№${id}`}</Exact>
          <span aria-hidden> · </span>
          <Moment at={at} />
        </p>
      </div>
      <p className={styles.state}>
        <Badge tone={tone}>{t(text)}</Badge>
        {isToPay(state) && <Left until={payment.expires_at} />}
      </p>
      <div className={styles.acts}>
        {isToPay(state) && (
          <LinkButton size="small" href={address} className={styles.go}>
            {t("pay.strip.continue")}
          </LinkButton>
        )}
        {canDrop(payment) && (
          <IconButton
            label={t("pay.drop.row", { id: isolated(`№${id}`) })}
            title={t("pay.drop")}
            icon={<X aria-hidden size={17} />}
            onClick={() => drop(id)}
          />
        )}
      </div>
    </li>
  );
}

/** What was credited, where it is not what was asked. */
function Dollars({ payment: { amount, credited, payment_status: status } }: { payment: ListedPayment }) {
  const t = useAppText();
  const language = useLanguage();
  const asked = exactPrice(language, amount);
  if (status !== 1 || Number(credited) === Number(amount)) return <Exact>{asked}</Exact>;
  return (
    <span translate="no">
      {t("payments.creditedOf", {
        credited: isolated(exactPrice(language, credited)),
        asked: isolated(asked),
      })}
    </span>
  );
}

function Left({ until }: { until: number }) {
  const t = useAppText();
  const language = useLanguage();
  const seconds = useCountdown(until * 1000);
  if (seconds === 0) return null;
  return (
    <span role="timer" translate="no" className={styles.note}>
      {t("payments.left", { time: isolated(spanText(language, seconds)) })}
    </span>
  );
}
