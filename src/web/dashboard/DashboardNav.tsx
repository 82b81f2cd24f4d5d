import { Search, ShieldCheck } from "lucide-react";
import { Suspense, useEffect, useLayoutEffect, useRef, useState } from "react";
import { Link, useLocation } from "wouter";
import { ErrorBoundary } from "../ErrorBoundary.tsx";
import { useAppText, useLanguage } from "../language.tsx";
import { NewLetterStrip } from "../orders/alerts/NewLetterStrip.tsx";
import { lazyPart } from "../lazyPart.tsx";
import { paletteKey, usePaletteKeys } from "../palette/usePaletteKeys.ts";
import { paths } from "../paths.ts";
import { IconButton } from "../ui/button/IconButton.tsx";
import { useAccount } from "./account.ts";
import { accountPages } from "./accountPages.ts";
import styles from "./DashboardNav.module.css";

const AccountPalette = lazyPart(async () => (await import("./palette/AccountPalette.tsx")).AccountPalette);

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
      <div className={styles.row}>
        <nav ref={nav} aria-label={t("nav.dashboard")} className={styles.nav}>
          {accountPages
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
        <Finder />
      </div>
      <NewLetterStrip />
    </>
  );
}

/** The palette by a button and by Ctrl K. "/" stays with the search of the orders where they are listed. */
function Finder() {
  const t = useAppText();
  const language = useLanguage();
  const [pathname] = useLocation();
  const [isOpen, setOpen] = useState(false);
  // What is typed at once must not go to the page behind.
  useEffect(() => AccountPalette.preload(), []);
  usePaletteKeys(() => setOpen(true), pathname !== paths.dashboard(language));
  return (
    <>
      <IconButton
        label={t("palette.title")}
        title={`${t("palette.title")} (${paletteKey})`}
        icon={<Search aria-hidden size={17} />}
        className={styles.find}
        onClick={() => setOpen(true)}
      />
      {isOpen && (
        <ErrorBoundary over again={isOpen}>
          <Suspense>
            <AccountPalette onClose={() => setOpen(false)} />
          </Suspense>
        </ErrorBoundary>
      )}
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
