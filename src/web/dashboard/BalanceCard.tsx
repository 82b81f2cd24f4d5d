import { Gift, Plus } from "lucide-react";
import { balance as shown } from "../format.ts";
import { useAppText, useLanguage } from "../language.tsx";
import { Button } from "../ui/Button.tsx";
import { Card } from "../ui/Card.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { useBalance } from "./account.ts";
import styles from "./BalanceCard.module.css";
import type { Account } from "./Profile.tsx";

/** What there is to spend, and the way to more. */
export function BalanceCard({ account, onTopUp }: { account: Account | undefined; onTopUp: () => void }) {
  const t = useAppText();
  const language = useLanguage();
  const balance = useBalance();
  return (
    <Card className={styles.card} aria-label={t("balance.title")}>
      <div className={styles.text}>
        <p className={styles.label}>{t("balance.title")}</p>
        <p className={styles.amount}>
          {balance === undefined ? (
            <Skeleton width="9rem" height="2rem" />
          ) : (
            <bdi>{shown(language, balance)}</bdi>
          )}
        </p>
        {account?.telegramConfirmed && (
          <p className={styles.bonus}>
            <Gift aria-hidden size={15} />
            {t("balance.bonus")}
          </p>
        )}
      </div>
      <Button icon={<Plus aria-hidden size={17} />} onClick={onTopUp}>
        {t("topup.open")}
      </Button>
    </Card>
  );
}
