import { Gift, Plus } from "lucide-react";
import { useCallback, useState } from "react";
import { useAppText } from "../language.tsx";
import { useServerData } from "../serverData.tsx";
import { TelegramConfirmDialog } from "../telegram/TelegramConfirmDialog.tsx";
import { Button } from "../ui/button/Button.tsx";
import { type Account, useBalance } from "./account.ts";
import styles from "./BalanceCard.module.css";
import { AmountCard } from "./AmountCard.tsx";

export function BalanceCard({ account, onTopUp }: { account: Account | undefined; onTopUp: () => void }) {
  const t = useAppText();
  const balance = useBalance();
  const topUp = (
    <Button icon={<Plus aria-hidden size={17} />} onClick={onTopUp}>
      {t("topup.open")}
    </Button>
  );
  return (
    <AmountCard label={t("balance.title")} amount={balance} action={topUp}>
      {account && <Bonus account={account} />}
    </AmountCard>
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
      {isOpen && <TelegramConfirmDialog onClose={close} />}
    </>
  );
}
