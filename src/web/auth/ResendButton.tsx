import { useText } from "../language.tsx";
import { Button } from "../ui/button/Button.tsx";
import { useCountdown } from "../ui/display/Countdown.tsx";
import { VisuallyHidden } from "../ui/layout/VisuallyHidden.tsx";
import styles from "./forms.module.css";

interface ResendButtonProps {
  /** Milliseconds since 1970; 0: never sent. */
  until: number;
  busy: boolean;
  onResend: () => void;
}

/** Sends the code again after the countdown. Screen readers hear only its end. */
export function ResendButton({ until, busy, onResend }: ResendButtonProps) {
  const t = useText();
  const seconds = useCountdown(until);
  return (
    <span className={styles.resend}>
      <Button tone="ghost" size="small" busy={busy} disabled={seconds > 0} onClick={onResend}>
        {seconds > 0 ? t("auth.resend.wait", { seconds }) : t("auth.resend")}
      </Button>
      <span role="status">
        {until > 0 && seconds === 0 && <VisuallyHidden>{t("auth.resend.ready")}</VisuallyHidden>}
      </span>
    </span>
  );
}
