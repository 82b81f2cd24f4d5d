import { RotateCw } from "lucide-react";
import type { Refused } from "./api.ts";
import { useAppText } from "./language.tsx";
import { useIsOnline } from "./useIsOnline.ts";
import { refusalText } from "./refusalText.ts";
import styles from "./RefusalNotice.module.css";
import { Button } from "./ui/button/Button.tsx";
import { Notice } from "./ui/feedback/Notice.tsx";

interface RefusalNoticeProps {
  refused: Refused<string>;
  onRetry: () => void;
  /** With room around it, in a card that has none of its own. */
  inset?: boolean;
}

/** Why something is not there or not new: one sentence, and the way to ask again. */
export function RefusalNotice({ refused, onRetry: onAgain, inset }: RefusalNoticeProps) {
  const t = useAppText();
  const isOnline = useIsOnline();
  const isCut = refused.value === "connection";
  return (
    <div className={inset ? styles.inset : undefined}>
      <Notice tone="warn" action={<RetryButton onRetry={onAgain} />}>
        {isCut && !isOnline ? t("trouble.offline") : refusalText(t, refused)}
      </Notice>
    </div>
  );
}

/** Asks again for what could not be had. */
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
