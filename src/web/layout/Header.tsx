import { BookOpen, House, LayoutDashboard, LifeBuoy, LogIn, LogOut, type LucideIcon } from "lucide-react";
import { type MouseEvent, Suspense, useEffect } from "react";
import { Link, useLocation } from "wouter";
import type { PublicKey } from "../../i18n/t.ts";
import { openAuth } from "../auth/authDialog.ts";
import { ErrorBoundary } from "../ErrorBoundary.tsx";
import { useHelpUrl } from "../help/helpUrl.ts";
import { useLanguage, useText } from "../language.tsx";
import { lazyPart } from "../lazyPart.tsx";
import { dashboardOf, pageOf, paths } from "../paths.ts";
import { goHome, useToken } from "../session.ts";
import { forgetPerson, stored, useStored } from "../stored.ts";
import { Button } from "../ui/button/Button.tsx";
import { IconButton } from "../ui/button/IconButton.tsx";
import styles from "./Header.module.css";
import { LanguageSwitch } from "./LanguageSwitch.tsx";
import { Logo } from "./Logo.tsx";
import { ThemeSwitch } from "./ThemeSwitch.tsx";

const HeaderBalance = lazyPart(async () => (await import("../dashboard/HeaderBalance.tsx")).HeaderBalance);

const links: { to: "home" | "docs" | "dashboard"; page: string; label: PublicKey; Icon: LucideIcon }[] = [
  { to: "home", page: "", label: "nav.home", Icon: House },
  { to: "docs", page: "docs", label: "nav.docs", Icon: BookOpen },
  { to: "dashboard", page: "dashboard", label: "nav.dashboard", Icon: LayoutDashboard },
];

/** Logo, links, balance, help, language, theme, sign-in and sign-out (spec B §2). */
export function Header() {
  const t = useText();
  const language = useLanguage();
  const token = useToken();
  useEffect(() => {
    // `theme.js` set it, to keep the room until the token was known here too.
    if (token !== "") delete document.documentElement.dataset["known"];
  }, [token]);
  return (
    <header className={styles.header}>
      <div className={styles.inner}>
        <Link
          href={paths.home(language)}
          className={styles.home}
          data-beside-balance={token === "" ? undefined : true}
          aria-label={`Postern – ${t("nav.home")}`}
        >
          <Logo />
        </Link>
        <nav aria-label={t("nav.main")} className={styles.links}>
          <NavLinks />
        </nav>
        <div className={styles.tools}>
          {token !== "" && (
            <ErrorBoundary quiet>
              <Suspense>
                <HeaderBalance />
              </Suspense>
            </ErrorBoundary>
          )}
          <HelpLink />
          <LanguageSwitch />
          <ThemeSwitch />
          {token === "" ? (
            <Button
              tone="secondary"
              size="small"
              icon={<LogIn aria-hidden data-mirrored size={16} />}
              className={styles.enter}
              onClick={() => openAuth("login")}
            >
              {t("nav.login")}
            </Button>
          ) : (
            <IconButton
              label={t("nav.logout")}
              icon={<LogOut aria-hidden data-mirrored size={18} />}
              onClick={() => void signOut()}
            />
          )}
        </div>
      </div>
    </header>
  );
}

/** Loaded with what else a visitor does not need; a browser that cannot load it any more forgets all the same. */
async function signOut(): Promise<void> {
  const part = await import("../dashboard/signOut.ts").catch(() => undefined);
  if (part) return part.signOut();
  forgetPerson()();
  goHome();
}

export function BottomBar() {
  const t = useText();
  const helpUrl = useHelpUrl();
  return (
    <nav aria-label={t("nav.bottom")} className={styles.bar}>
      <NavLinks />
      <a href={helpUrl} target="_blank" rel="noopener noreferrer" className={styles.link}>
        <LifeBuoy aria-hidden size={20} />
        <span>{t("nav.help")}</span>
      </a>
    </nav>
  );
}

function NavLinks() {
  const t = useText();
  const language = useLanguage();
  const token = useToken();
  const [pathname] = useLocation();
  const [mode] = useStored(stored.mode);
  const here = pageOf(pathname);
  // Without a token the dashboard link opens the sign-in dialog (spec B §2).
  const guard = (event: MouseEvent) => {
    if (token !== "") return;
    event.preventDefault();
    openAuth("login");
  };
  return links.map(({ to, page, label, Icon }) => (
    <Link
      key={to}
      href={to === "dashboard" ? dashboardOf(language, mode) : paths[to](language)}
      className={styles.link}
      aria-current={currentOf(here, page)}
      onClick={to === "dashboard" ? guard : undefined}
    >
      <Icon aria-hidden size={20} className={styles.linkIcon} />
      <span>{t(label)}</span>
    </Link>
  ));
}

/** "page": the page itself; "true": a page below it. */
function currentOf(here: string | undefined, page: string): "page" | "true" | undefined {
  if (here === page) return "page";
  return page !== "" && here?.startsWith(`${page}/`) ? "true" : undefined;
}

function HelpLink() {
  const t = useText();
  const helpUrl = useHelpUrl();
  return (
    <a
      href={helpUrl}
      target="_blank"
      rel="noopener noreferrer"
      className={styles.help}
      aria-label={t("nav.help")}
      title={t("nav.help")}
    >
      <LifeBuoy aria-hidden size={18} />
    </a>
  );
}
