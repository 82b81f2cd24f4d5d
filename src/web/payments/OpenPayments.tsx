import { Hourglass } from "lucide-react";
import { Link } from "wouter";
import { isolated, spanText } from "../format.ts";
import { useAppText, useLanguage } from "../language.tsx";
import { paths } from "../paths.ts";
import { LinkButton } from "../ui/button/Button.tsx";
import { useCountdown } from "../ui/display/Countdown.tsx";
import { coinOf } from "./CoinAmount.tsx";
import styles from "./OpenPayments.module.css";
import { type ListedPayment, usePayments, waitingPayments } from "./usePayments.ts";

/** Open payments, for a buyer who closed the tab; empty without any. */
export function OpenPayments() {
  const { data, dataUpdatedAt } = usePayments(1);
  const waiting = waitingPayments(data?.data ?? [], dataUpdatedAt / 1000);
  const [newest] = waiting;
  return newest && <Strip newest={newest} count={waiting.length} />;
}

function Strip({ newest, count }: { newest: ListedPayment; count: number }) {
  const t = useAppText();
  const language = useLanguage();
  const seconds = useCountdown(newest.expires_at * 1000);
  if (seconds === 0) return null;
  const amount = `${newest.missing} ${coinOf(newest.currency)}`;
  return (
    <section aria-label={t("payments.title")} className={styles.strip}>
      <Hourglass aria-hidden size={18} className={styles.icon} />
      <p className={styles.text}>
        <strong>{t("pay.strip.waits", { count })}</strong>:{" "}
        <span translate="no">
          {t("pay.strip.missing", { amount: isolated(amount), time: spanText(language, seconds) })}
        </span>
      </p>
      {count > 1 && (
        <Link href={paths.payments(language)} className={styles.all}>
          {t("pay.strip.all")}
        </Link>
      )}
      <LinkButton size="small" href={paths.pay(language, newest.id)}>
        {t("pay.strip.continue")}
      </LinkButton>
    </section>
  );
}
