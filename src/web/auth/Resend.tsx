import { useText } from "../language.tsx";
import { Button } from "../ui/Button.tsx";
import { useCountdown } from "../ui/Countdown.tsx";

/** Sends the code again, once the countdown is over; `until` in milliseconds since 1970. */
export function Resend({ until, busy, onResend }: { until: number; busy: boolean; onResend: () => void }) {
  const t = useText();
  const seconds = useCountdown(until);
  return (
    <Button tone="ghost" size="small" busy={busy} disabled={seconds > 0} onClick={onResend}>
      {seconds > 0 ? t("auth.resend.wait", { seconds }) : t("auth.resend")}
    </Button>
  );
}
