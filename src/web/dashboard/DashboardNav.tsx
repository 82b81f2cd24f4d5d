import { Code, HandCoins, Inbox, Package, ReceiptText, ShieldCheck, Wallet } from "lucide-react";
import { useLayoutEffect, useRef } from "react";
import { Link, useLocation } from "wouter";
import { useAppText, useLanguage } from "../language.tsx";
import { NewLetterStrip } from "../orders/alerts/NewLetterStrip.tsx";
import { pageOf, paths } from "../paths.ts";
import { stored, useStored } from "../stored.ts";
import { useAccount } from "./account.ts";
import styles from "./DashboardNav.module.css";

/** The modes share one page (spec O §1); the browser stores the mode. */
const pages = [
  { to: "dashboard", page: "dashboard", mode: "user", label: "dashboard.orders", Icon: Inbox },
  { to: "dashboard", page: "dashboard", mode: "investor", label: "dashboard.investor", Icon: Package },
  { to: "dashboard", page: "dashboard", mode: "partner", label: "dashboard.partner", Icon: HandCoins },
  { to: "programs", page: "dashboard/api", mode: undefined, label: "programs.title", Icon: Code },
  {
    to: "payments",
    page: "dashboard/payments",
    mode: undefined,
    label: "payments.title",
    Icon: Wallet,
  },
  {
    to: "statement",
    page: "dashboard/statement",
    mode: undefined,
    label: "statement.title",
    Icon: ReceiptText,
  },
] as const;

/** Links to the pages of the account. Shows investor mode to investors (spec O §1), the back office to administrators. */
export function DashboardNav() {
  const t = useAppText();
  const language = useLanguage();
  const [pathname] = useLocation();
  const here = pageOf(pathname);
  const [mode, setMode] = useStored(stored.mode);
  const account = useAccount();
  const isInvestor = account.data?.is_investor ?? mode === "investor";
  const nav = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (nav.current) showCurrent(nav.current);
  }, [here, mode, isInvestor]);
  return (
    <>
      <nav ref={nav} aria-label={t("nav.dashboard")} className={styles.nav}>
        {pages
          .filter((one) => one.mode !== "investor" || isInvestor)
          .map(({ to, page, mode: its, label, Icon }) => (
            <Link
              key={label}
              href={paths[to](language)}
              className={styles.link}
              aria-current={here === page && (its === undefined || its === mode) ? "page" : undefined}
              onClick={() => its && setMode(its)}
            >
              <Icon aria-hidden size={16} className={styles.icon} />
              {t(label)}
            </Link>
          ))}
        {account.data?.is_admin && (
          <Link href={paths.office(language)} className={styles.link}>
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
