import { Wallet } from "lucide-react";
import { Suspense } from "react";
import { Link } from "wouter";
import { balance as money, exactPrice } from "../format.ts";
import { useLanguage, useText } from "../language.tsx";
import { lazyPart } from "../lazyPart.tsx";
import { paths } from "../paths.ts";
import { ServerState } from "../serverState.tsx";
import { stored, useStored } from "../stored.ts";
import { VisuallyHidden } from "../ui/layout/VisuallyHidden.tsx";
import { useHeaderBalance } from "./account.ts";
import styles from "./HeaderBalance.module.css";
import { Exact } from "../ui/display/Exact.tsx";

const PurchaseWhenPaid = lazyPart(
  async () => (await import("../orders/form/PurchaseWhenPaid.tsx")).PurchaseWhenPaid,
);

/** The balance for the header of every page, a link to the payments. Places the order that waits for it. */
export function HeaderBalance() {
  const [purchase] = useStored(stored.waitingPurchase);
  return (
    <ServerState>
      <BalanceLink />
      {purchase && (
        <Suspense>
          <PurchaseWhenPaid purchase={purchase} />
        </Suspense>
      )}
    </ServerState>
  );
}

function BalanceLink() {
  const t = useText();
  const language = useLanguage();
  const balance = useHeaderBalance();
  if (balance === undefined) return null;
  return (
    <Link
      href={paths.payments(language)}
      className={styles.balance}
      title={`${t("nav.balance")}: ${exactPrice(language, String(balance))}`}
    >
      <Wallet aria-hidden size={17} className={styles.icon} />
      <VisuallyHidden>{t("nav.balance")}</VisuallyHidden>
      <Exact>{money(language, balance)}</Exact>
    </Link>
  );
}
