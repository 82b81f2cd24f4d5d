import { CircleAlert, CircleCheck, CircleHelp, CircleX, Hourglass, RefreshCw, WifiOff } from "lucide-react";
import { balance } from "../format.ts";
import { useAppText, useLanguage } from "../language.tsx";
import { refusalText } from "../refusalText.ts";
import { classes } from "../ui/classes.ts";
import { Countdown } from "../ui/Countdown.tsx";
import { Spinner } from "../ui/Spinner.tsx";
import { useAtLeast } from "../ui/atLeast.ts";
import styles from "./PaymentStatus.module.css";
import type { usePayment } from "./payment.ts";
import { type PaymentView, type StatusFault } from "./paymentView.ts";

const faces = {
  pending: { Icon: Hourglass, tone: "waiting", text: "pay.status.pending" },
  confirmed: { Icon: CircleCheck, tone: "good", text: "pay.status.confirmed" },
  rejected: { Icon: CircleX, tone: "bad", text: "pay.status.rejected" },
  unknown: { Icon: CircleHelp, tone: "warn", text: "pay.status.unknown" },
  network: { Icon: WifiOff, tone: "warn", text: "pay.status.network" },
  nodata: { Icon: CircleAlert, tone: "bad", text: "pay.status.nodata" },
  unexpected: { Icon: CircleAlert, tone: "bad", text: "pay.status.unexpected" },
  error: { Icon: CircleAlert, tone: "bad", text: "pay.status.error" },
} as const satisfies Record<PaymentView | StatusFault, unknown>;

interface StatusProps {
  id: string;
  asked: ReturnType<typeof usePayment>;
}

/** Icon and words for how the payment stands, and when it is asked for next. */
export function PaymentStatus({ id, asked }: StatusProps) {
  const t = useAppText();
  const { Icon, tone, text } = faces[asked.fault ?? asked.view];
  return (
    <div className={classes(styles.status, styles[tone])}>
      <span className={styles.icon}>
        <Icon aria-hidden size={26} />
      </span>
      <div className={styles.words}>
        <p role="status" className={styles.text}>
          {t(text)}
        </p>
        <Note id={id} asked={asked} />
      </div>
      {asked.nextAt !== undefined && <NextCheck asked={asked} nextAt={asked.nextAt} />}
    </div>
  );
}

function Note({ id, asked }: StatusProps) {
  const t = useAppText();
  const language = useLanguage();
  const { fault, view, payment, refused } = asked;
  if (fault === "error") {
    return (
      <>
        <p className={styles.note}>{refused && refusalText(t, refused)}</p>
        <p className={styles.note}>{t("pay.failed", { id })}</p>
      </>
    );
  }
  if (fault === "network") return <p className={styles.note}>{t("pay.network.text")}</p>;
  if (fault) return null;
  if (view === "confirmed") {
    return (
      <p className={styles.note}>
        {t("pay.confirmed.text")}{" "}
        <bdi className={styles.sum}>{balance(language, payment?.amount ?? "0")}</bdi>
      </p>
    );
  }
  if (view === "rejected") {
    return (
      <>
        <p className={styles.note}>{t("pay.rejected.text")}</p>
        <p className={styles.note}>{t("pay.failed", { id })}</p>
      </>
    );
  }
  return <p className={styles.note}>{t("pay.pending.text")}</p>;
}

/** Counts down to the next look, second by second; a press looks now. */
function NextCheck({ asked, nextAt }: Pick<StatusProps, "asked"> & { nextAt: number }) {
  const t = useAppText();
  const spins = useAtLeast(asked.isRefreshing, 1000);
  return (
    <button type="button" className={styles.next} title={t("pay.refresh")} onClick={asked.reload}>
      {spins ? <Spinner size={15} /> : <RefreshCw aria-hidden size={15} />}
      {spins ? (
        t("pay.refreshing")
      ) : (
        <Countdown until={nextAt}>{(seconds) => t("pay.next", { seconds })}</Countdown>
      )}
    </button>
  );
}
