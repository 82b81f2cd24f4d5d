import { Hourglass, X } from "lucide-react";
import { Link } from "wouter";
import { isolated, spanText } from "../../format.ts";
import { useAppText, useLanguage } from "../../language.tsx";
import { paths } from "../../paths.ts";
import { LinkButton } from "../../ui/button/Button.tsx";
import { IconButton } from "../../ui/button/IconButton.tsx";
import { useCountdown } from "../../ui/display/Countdown.tsx";
import { coinOf, coinText } from "../CoinAmount.tsx";
import styles from "./OpenPayments.module.css";
import { canDrop, useDropping } from "./useDropping.ts";
import { isPartly, type ListedPayment, usePayments, waitingPayments } from "./usePayments.ts";

/** Open payments, for a buyer who closed the tab; empty without any. */
export function OpenPayments() {
  const { data, dataUpdatedAt, isPending, isFetching } = usePayments(1);
  // What stands below waits until it is known whether there is a strip.
  if (isPending && isFetching) return <div hidden aria-busy />;
  const waiting = waitingPayments(data?.data ?? [], dataUpdatedAt / 1000);
  const [first] = waiting;
  return first && <Strip first={first} count={waiting.length} />;
}

function Strip({ first, count }: { first: ListedPayment; count: number }) {
  const t = useAppText();
  const language = useLanguage();
  const { drop } = useDropping();
  const seconds = useCountdown(first.expires_at * 1000);
  if (seconds === 0) return null;
  const amount = coinText(language, first.missing, first.currency);
  return (
    <section aria-label={t("payments.title")} className={styles.strip}>
      <Hourglass aria-hidden size={18} className={styles.icon} />
      <p className={styles.text}>
        <span className={styles.name}>
          <strong>
            {isPartly(first)
              ? t("pay.strip.partly", { coin: isolated(coinOf(first.currency)) })
              : t("pay.strip.waits", { count })}
          </strong>
          :{" "}
        </span>
        <span translate="no">
          {t("pay.strip.missing", { amount: isolated(amount), time: spanText(language, seconds) })}
        </span>
      </p>
      {count > 1 && (
        <Link href={paths.payments(language)} className={styles.all}>
          {t("pay.strip.all")}
        </Link>
      )}
      <LinkButton size="small" href={paths.pay(language, first.id)}>
        {t("pay.strip.continue")}
      </LinkButton>
      {canDrop(first) && (
        <IconButton
          label={t("pay.drop.row", { id: isolated(`№${first.id}`) })}
          title={t("pay.drop")}
          icon={<X aria-hidden size={17} />}
          onClick={() => drop(first.id)}
        />
      )}
    </section>
  );
}
