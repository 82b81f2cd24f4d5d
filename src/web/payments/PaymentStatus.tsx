import {
  CircleAlert,
  CircleCheck,
  CircleHelp,
  CircleOff,
  CircleX,
  Hourglass,
  RefreshCw,
  ShieldCheck,
  Timer,
  TimerOff,
  UserRoundSearch,
  WifiOff,
} from "lucide-react";
import { useAppText } from "../language.tsx";
import { classNames } from "../ui/layout/classNames.ts";
import { VisuallyHidden } from "../ui/layout/VisuallyHidden.tsx";
import { Countdown, useCountdown } from "../ui/display/Countdown.tsx";
import { IconButton } from "../ui/button/IconButton.tsx";
import { Spinner } from "../ui/feedback/Spinner.tsx";
import { useMinimumDuration } from "../ui/feedback/useMinimumDuration.ts";
import tones from "../ui/feedback/tones.module.css";
import styles from "./PaymentStatus.module.css";
import type { usePayment } from "./usePayment.ts";
import { PaymentNote } from "./PaymentNote.tsx";
import { clock, isToPay, type PaymentState, spokenMinutes, type StatusFault } from "./paymentState.ts";
import { Exact } from "../ui/display/Exact.tsx";

export const statusLooks = {
  pending: { Icon: Hourglass, tone: "accent", text: "pay.status.pending" },
  underpaid: { Icon: Hourglass, tone: "warn", text: "pay.status.underpaid" },
  confirming: { Icon: ShieldCheck, tone: "accent", text: "pay.status.confirming" },
  review: { Icon: UserRoundSearch, tone: "warn", text: "pay.status.review" },
  confirmed: { Icon: CircleCheck, tone: "good", text: "pay.status.confirmed" },
  rejected: { Icon: CircleX, tone: "bad", text: "pay.status.rejected" },
  expired: { Icon: TimerOff, tone: "bad", text: "pay.status.expired" },
  expired_partial: { Icon: TimerOff, tone: "bad", text: "pay.status.expiredPartial" },
  dropped: { Icon: CircleOff, tone: "plain", text: "pay.status.dropped" },
  unknown: { Icon: CircleHelp, tone: "warn", text: "pay.status.unknown" },
  network: { Icon: WifiOff, tone: "warn", text: "pay.status.network" },
  nodata: { Icon: CircleAlert, tone: "bad", text: "pay.status.nodata" },
  unexpected: { Icon: CircleAlert, tone: "bad", text: "pay.status.unexpected" },
  none: { Icon: CircleHelp, tone: "warn", text: "pay.status.none" },
  error: { Icon: CircleAlert, tone: "bad", text: "pay.status.error" },
} as const satisfies Record<PaymentState | StatusFault, unknown>;

interface PaymentStatusProps {
  id: string;
  asked: ReturnType<typeof usePayment>;
}

export function PaymentStatus({ id, asked }: PaymentStatusProps) {
  const t = useAppText();
  const { payment, state } = asked;
  const { Icon, tone, text } = statusLooks[asked.fault ?? state];
  return (
    <div className={classNames(styles.status, tones[tone])}>
      <span className={styles.icon}>
        <Icon aria-hidden size={22} />
      </span>
      <div>
        <p role="status" translate="no" className={styles.text}>
          {t(text, { id })}
        </p>
        <PaymentNote id={id} asked={asked} />
      </div>
      {payment && isToPay(state) && payment.expires_at > 0 && (
        <Expiry at={payment.expires_at * 1000} isPartly={state === "underpaid"} />
      )}
    </div>
  );
}

/** The time until the amount expires. Screen readers hear only the last minutes and the end. */
function Expiry({ at, isPartly }: { at: number; isPartly: boolean }) {
  const t = useAppText();
  const seconds = useCountdown(at);
  const minutes = spokenMinutes(seconds);
  return (
    <div className={styles.expiry}>
      <Timer aria-hidden size={16} />
      {seconds > 0 ? (
        <span role="timer" className={styles.left}>
          <span>{t(isPartly ? "pay.expires.left" : "pay.expires")}</span> <Exact>{clock(seconds)}</Exact>
        </span>
      ) : (
        <span>{t("pay.expires.over")}</span>
      )}
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

/** When the page asks again; nothing once the payment has ended. */
export function NextCheck({ asked }: Pick<PaymentStatusProps, "asked">) {
  const t = useAppText();
  const { nextAt } = asked;
  const spins = useMinimumDuration(asked.isRefreshing, 1000);
  if (nextAt === undefined) return null;
  return (
    <div className={styles.next}>
      {spins ? (
        <span>{t("pay.refreshing")}</span>
      ) : (
        <Countdown until={nextAt}>{(seconds) => t("pay.next", { seconds })}</Countdown>
      )}
      <IconButton
        label={t("pay.refresh")}
        icon={spins ? <Spinner size={16} /> : <RefreshCw aria-hidden size={16} />}
        onClick={asked.reload}
      />
    </div>
  );
}
