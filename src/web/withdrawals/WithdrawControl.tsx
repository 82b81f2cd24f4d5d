import { HandCoins } from "lucide-react";
import { useState } from "react";
import { exactPrice, isolated } from "../format.ts";
import { useHelpUrl } from "../help/helpUrl.ts";
import { useAccountText, useAppText, useLanguage } from "../language.tsx";
import { Button, LinkButton } from "../ui/button/Button.tsx";
import { type Purse, type Terms, useWithdrawals } from "./withdrawals.ts";
import styles from "./Withdrawals.module.css";
import { WithdrawDialog } from "./WithdrawDialog.tsx";

const isEnough = ({ left }: Purse, { least }: Terms) => Number(left ?? 0) >= Number(least);

/** Where the shop takes requests: how much can be asked for, or from when on. Who is not in a session writes to support. */
export function WithdrawText({ purses }: { purses: readonly Purse[] }) {
  const t = useAccountText();
  const app = useAppText();
  const language = useLanguage();
  const { data, isPending } = useWithdrawals();
  const dollars = (amount: string) => isolated(exactPrice(language, amount));
  const { terms } = data ?? {};
  if (!terms) return <p className={styles.text}>{!isPending && app("partner.withdraw.text")}</p>;
  const [least, most] = [dollars(terms.least), dollars(terms.most)];
  const isDue = purses.some((purse) => isEnough(purse, terms));
  return (
    <p className={styles.text}>
      {isDue ? t("withdrawal.text", { least, most }) : t("withdrawal.later", { least })}
    </p>
  );
}

/** Opens the dialog, where there is enough to ask for. */
export function WithdrawButton({ purses }: { purses: readonly Purse[] }) {
  const t = useAppText();
  const helpUrl = useHelpUrl();
  const [isOpen, setOpen] = useState(false);
  const { data, isPending } = useWithdrawals();
  const icon = <HandCoins aria-hidden size={17} />;
  const { terms } = data ?? {};
  if (!terms && !isPending)
    return (
      <LinkButton outside tone="secondary" href={helpUrl} icon={icon}>
        {t("partner.withdraw")}
      </LinkButton>
    );
  const full = purses.filter((purse) => terms && isEnough(purse, terms));
  return (
    <>
      <Button tone="secondary" icon={icon} disabled={full.length === 0} onClick={() => setOpen(true)}>
        {t("partner.withdraw")}
      </Button>
      {isOpen && terms && <WithdrawDialog purses={full} terms={terms} onClose={() => setOpen(false)} />}
    </>
  );
}
