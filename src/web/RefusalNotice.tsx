import { RotateCw } from "lucide-react";
import type { Refused } from "./api.ts";
import { openAuth } from "./auth/authDialog.ts";
import { useAppText } from "./language.tsx";
import { useIsOnline } from "./useIsOnline.ts";
import { refusalText } from "./refusalText.ts";
import styles from "./RefusalNotice.module.css";
import { Button } from "./ui/button/Button.tsx";
import { Notice } from "./ui/feedback/Notice.tsx";

interface RefusalNoticeProps {
  refused: Refused<string>;
  onRetry: () => void;
  inset?: boolean;
}

export function RefusalNotice({ refused, onRetry: onAgain, inset }: RefusalNoticeProps) {
  const t = useAppText();
  const isOnline = useIsOnline();
  const isCut = refused.value === "connection";
  return (
    <div className={inset ? styles.inset : undefined}>
      <Notice
        tone="warn"
        action={refused.value === "session" ? <SignInButton /> : <RetryButton onRetry={onAgain} />}
      >
        {isCut && !isOnline ? t("trouble.offline") : refusalText(t, refused)}
      </Notice>
    </div>
  );
}

/** The page was opened with the token of programs. */
function SignInButton() {
  const t = useAppText();
  const signIn = () => openAuth("login", { to: location.pathname + location.search });
  return (
    <Button tone="secondary" size="small" className={styles.again} onClick={signIn}>
      {t("auth.login.do")}
    </Button>
  );
}

export function RetryButton({ onRetry: onAgain }: Pick<RefusalNoticeProps, "onRetry">) {
  const t = useAppText();
  return (
    <Button
      tone="secondary"
      size="small"
      className={styles.again}
      icon={<RotateCw aria-hidden size={15} />}
      onClick={onAgain}
    >
      {t("trouble.again")}
    </Button>
  );
}
