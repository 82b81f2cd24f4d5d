import { Code, HandCoins, Inbox, Lock, Package, ReceiptText, ShieldCheck, Wallet } from "lucide-react";
import { useLayoutEffect, useRef } from "react";
import { Link, useLocation } from "wouter";
import { useAppText, useLanguage } from "../language.tsx";
import { NewLetterStrip } from "../orders/alerts/NewLetterStrip.tsx";
import { paths } from "../paths.ts";
import { useAccount } from "./account.ts";
import styles from "./DashboardNav.module.css";

const pages = [
  { to: "dashboard", label: "dashboard.orders", Icon: Inbox },
  { to: "payments", label: "payments.title", Icon: Wallet },
  { to: "statement", label: "statement.title", Icon: ReceiptText },
  { to: "programs", label: "programs.title", Icon: Code },
  { to: "security", label: "security.title", Icon: Lock },
  { to: "partner", label: "dashboard.partner", Icon: HandCoins },
  { to: "investor", label: "dashboard.investor", Icon: Package },
] as const;

/** Marks the page itself, and the list that a page of one order belongs to. */
function currentIn(pathname: string, page: string, ofOne: string | false): "page" | "true" | undefined {
  if (pathname === page) return "page";
  return pathname === ofOne ? "true" : undefined;
}

/** Links to the pages of the account. Shows investor mode to investors (spec O §1), the back office to administrators. */
export function DashboardNav() {
  const t = useAppText();
  const language = useLanguage();
  const [pathname] = useLocation();
  const account = useAccount();
  const isInvestor = account.data?.is_investor ?? pathname === paths.investor(language);
  const [order = ""] = paths.order(language, "").split("?");
  const nav = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (nav.current) showCurrent(nav.current);
  }, [pathname, isInvestor]);
  return (
    <>
      <nav ref={nav} aria-label={t("nav.dashboard")} className={styles.nav}>
        {pages
          .filter(({ to }) => to !== "investor" || isInvestor)
          .map(({ to, label, Icon }) => (
            <Link
              key={to}
              href={paths[to](language)}
              className={styles.link}
              aria-current={currentIn(pathname, paths[to](language), to === "dashboard" && order)}
            >
              <Icon aria-hidden size={16} className={styles.icon} />
              {t(label)}
            </Link>
          ))}
        {account.data?.is_admin && (
          <Link
            href={
              account.data.office_role === "editor" ? paths.storiesAdmin(language) : paths.office(language)
            }
            className={styles.link}
          >
            <ShieldCheck aria-hidden size={16} className={styles.icon} />
            {t("dashboard.office")}
          </Link>
        )}
      </nav>
      <NewLetterStrip />
    </>
  );
}

/** Scrolls the row, and only the row, to the current page. */
function showCurrent(nav: HTMLElement) {
  const link = nav.querySelector("[aria-current]");
  if (!link) return;
  const [row, shown] = [nav.getBoundingClientRect(), link.getBoundingClientRect()];
  if (shown.left < row.left || shown.right > row.right)
    nav.scrollLeft += (shown.left + shown.right - row.left - row.right) / 2;
}
