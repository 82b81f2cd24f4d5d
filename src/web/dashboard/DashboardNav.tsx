import { Code, HandCoins, Inbox, Package, ReceiptText, ShieldCheck, Wallet } from "lucide-react";
import { useLayoutEffect, useRef } from "react";
import { Link, useLocation } from "wouter";
import { useAppText, useLanguage } from "../language.tsx";
import { NewLetterStrip } from "../orders/alerts/NewLetterStrip.tsx";
import { pageOf, paths } from "../paths.ts";
import { stored, useStored } from "../stored.ts";
import { useAccount } from "./account.ts";
import styles from "./DashboardNav.module.css";

/** The modes of the dashboard are one page (spec O §1): which of them is kept in the browser. */
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

/** The pages of the account, and below them the letters that came while another of them is open; investor mode is shown to investors (spec O §1), the back office to administrators. */
export function DashboardNav() {
  const t = useAppText();
  const language = useLanguage();
  const [pathname] = useLocation();
  const here = pageOf(pathname);
  const [mode, setMode] = useStored(stored.mode);
  const account = useAccount();
  const isInvestor = account.data?.is_investor ?? mode === "investor";
  const nav = useRef<HTMLElement>(null);
  // Each page draws the row anew, from its beginning; how wide its words are is known to the document alone.
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

/** Scrolls the row, and only the row, to the page that is shown. */
function showCurrent(nav: HTMLElement) {
  const link = nav.querySelector("[aria-current]");
  if (!link) return;
  const [row, shown] = [nav.getBoundingClientRect(), link.getBoundingClientRect()];
  if (shown.left < row.left || shown.right > row.right)
    nav.scrollLeft += (shown.left + shown.right - row.left - row.right) / 2;
}
