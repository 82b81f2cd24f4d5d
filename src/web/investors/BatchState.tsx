import { BadgeCheck, Ban, Hourglass, PackageX, Search, Undo2 } from "lucide-react";
import type { ReactNode } from "react";
import { useAccountText } from "../language.tsx";
import { Badge, type Tone } from "../ui/feedback/Badge.tsx";
import { ProgressBar } from "../ui/feedback/ProgressBar.tsx";
import { type Batch, isChecking, rejectedIn } from "./batches.ts";
import styles from "./Investor.module.css";
import { RejectedLines } from "./RejectedLines.tsx";

const looks: Record<Batch["state"], { tone: Tone; icon: ReactNode }> = {
  stored: { tone: "plain", icon: <Hourglass aria-hidden size={13} /> },
  sampling: { tone: "accent", icon: <Search aria-hidden size={13} /> },
  review: { tone: "warn", icon: <Hourglass aria-hidden size={13} /> },
  active: { tone: "good", icon: <BadgeCheck aria-hidden size={13} /> },
  withdrawn: { tone: "warn", icon: <PackageX aria-hidden size={13} /> },
  freed: { tone: "plain", icon: <Undo2 aria-hidden size={13} /> },
  refused: { tone: "bad", icon: <Ban aria-hidden size={13} /> },
};

export function BatchState({ batch }: { batch: Batch }) {
  const t = useAccountText();
  const { tone, icon } = looks[batch.state];
  const { same_box: same = 0 } = batch;
  return (
    <div className={styles.state} data-state={batch.state}>
      <Badge tone={tone} icon={icon}>
        {t(`investor.state.${batch.state}`)}
      </Badge>
      {isChecking(batch) && <ProgressBar label={t("investor.checked")} done={batch.checked} />}
      {batch.reason !== null && batch.state !== "freed" && (
        <p className={styles.reason}>{t(`investor.reason.${batch.reason}`)}</p>
      )}
      {batch.state === "withdrawn" && <p className={styles.reason}>{t("investor.offSale")}</p>}
      {batch.state === "freed" && <p className={styles.reason}>{t("investor.freed")}</p>}
      {same > 0 && <p className={styles.reason}>{t("investor.sameBox", { number: same })}</p>}
      {rejectedIn(batch.rejected) > 0 && (
        <details className={styles.more}>
          <summary>{t("investor.rejected", { number: rejectedIn(batch.rejected) })}</summary>
          <RejectedLines rejected={batch.rejected} />
        </details>
      )}
    </div>
  );
}
