import { RotateCw } from "lucide-react";
import type { Refused } from "./api.ts";
import { useAppText } from "./language.tsx";
import { useIsOnline } from "./online.ts";
import { refusalText } from "./refusalText.ts";
import styles from "./Trouble.module.css";
import { Button } from "./ui/button/Button.tsx";
import { Notice } from "./ui/feedback/Notice.tsx";

interface TroubleProps {
  refused: Refused<string>;
  onAgain: () => void;
  /** With room around it, in a card that has none of its own. */
  inset?: boolean;
}

/** Why something is not there or not new: one sentence, and the way to ask again. */
export function Trouble({ refused, onAgain, inset }: TroubleProps) {
  const t = useAppText();
  const isOnline = useIsOnline();
  const isCut = refused.value === "connection";
  return (
    <div className={inset ? styles.inset : undefined}>
      <Notice tone="warn" action={<TryAgain onAgain={onAgain} />}>
        {isCut && !isOnline ? t("trouble.offline") : refusalText(t, refused)}
      </Notice>
    </div>
  );
}

/** Asks again for what could not be had. */
export function TryAgain({ onAgain }: Pick<TroubleProps, "onAgain">) {
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
