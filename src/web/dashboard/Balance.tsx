import { Gift, Plus } from "lucide-react";
import { useCallback, useState } from "react";
import { balance as money } from "../format.ts";
import { useAppText, useLanguage } from "../language.tsx";
import { useServerData } from "../serverData.tsx";
import { TelegramConfirm } from "../telegram/TelegramConfirm.tsx";
import { Button } from "../ui/button/Button.tsx";
import { Skeleton } from "../ui/feedback/Skeleton.tsx";
import { type Account, useBalance } from "./account.ts";
import styles from "./Balance.module.css";
import { Exact } from "../ui/display/Exact.tsx";

interface BalanceProps {
  account: Account | undefined;
  /** On a phone: the amount stands in the header until the strip is open. */
  isOpen: boolean;
  onTopUp: () => void;
}

/** The balance with its top-up and the bonus of the bot (spec B §2 "Balance card"). */
export function Balance({ account, isOpen, onTopUp }: BalanceProps) {
  const t = useAppText();
  const language = useLanguage();
  const balance = useBalance();
  return (
    <section aria-label={t("balance.title")} className={styles.balance} data-open={isOpen || undefined}>
      <div className={styles.what}>
        <p className={styles.line}>
          <span className={styles.label}>{t("balance.title")}</span>
          <span className={styles.amount}>
            {balance === undefined ? (
              <Skeleton width="100%" height="1rem" />
            ) : (
              <Exact>{money(language, balance)}</Exact>
            )}
          </span>
        </p>
        {account && <Bonus account={account} />}
      </div>
      <Button tone="secondary" size="small" icon={<Plus aria-hidden size={16} />} onClick={onTopUp}>
        {t("topup.open")}
      </Button>
    </section>
  );
}

/** The bonus for confirming by the bot: received, or offered where there is a bot (spec B §2). */
function Bonus({ account }: { account: Account }) {
  const t = useAppText();
  const { telegram } = useServerData();
  const [isOpen, setOpen] = useState(false);
  const close = useCallback(() => setOpen(false), []);
  return (
    <>
      {account.telegramConfirmed ? (
        <p className={styles.bonus}>
          <Gift aria-hidden size={15} />
          {t("balance.bonus")}
        </p>
      ) : (
        telegram && (
          <button type="button" className={styles.offer} onClick={() => setOpen(true)}>
            <Gift aria-hidden size={15} />
            {t("telegram.badge")}
          </button>
        )
      )}
      {isOpen && <TelegramConfirm onClose={close} />}
    </>
  );
}
