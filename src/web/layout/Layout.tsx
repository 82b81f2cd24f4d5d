import { type MouseEvent, type ReactNode, Suspense } from "react";
import { Link } from "wouter";
import { useAuthRequest } from "../auth/authDialog.ts";
import { ErrorBoundary } from "../ErrorBoundary.tsx";
import { useLanguage, useText } from "../language.tsx";
import { paths } from "../paths.ts";
import { lazyPart } from "../lazyPart.tsx";
import { useProofRequest } from "../auth/proof.ts";
import { useServerData } from "../serverData.tsx";
import { useStorageLost } from "../stored.ts";
import { Badge } from "../ui/feedback/Badge.tsx";
import { classNames } from "../ui/layout/classNames.ts";
import { Toasts } from "../ui/feedback/Toasts.tsx";
import { focusWhenShown } from "../ui/focusWhenShown.ts";
import { BottomBar, Header } from "./Header.tsx";
import styles from "./Layout.module.css";
import { Logo } from "./Logo.tsx";
import { OfflineBar } from "./OfflineBar.tsx";

const AuthDialog = lazyPart(async () => (await import("../auth/AuthDialog.tsx")).AuthDialog);
const ProofDialog = lazyPart(async () => (await import("../auth/ProofDialog.tsx")).ProofDialog);

function Footer() {
  const t = useText();
  const language = useLanguage();
  return (
    <footer className={styles.footer}>
      <div className={styles.foot}>
        <p className={styles.about}>
          <Logo />
          {t("footer.text")}
        </p>
        <p className={styles.links}>
          <Link href={paths.docs(language)}>{t("nav.docs")}</Link>
          {/* A new tab: the reader is in the middle of something. */}
          <a href={paths.help(language)} target="_blank" rel="noopener">
            {t("nav.help")}
          </a>
        </p>
      </div>
    </footer>
  );
}

/** The first stops of the keyboard: on the dashboard the order form and the newest order too. */
function SkipLinks({ isDashboard }: { isDashboard: boolean }) {
  const t = useText();
  return (
    <>
      {isDashboard && (
        <>
          <SkipLink to={['[data-shortcut="site"]']}>{t("nav.skip.order")}</SkipLink>
          <SkipLink to={["#activations li[data-state] :is(a, button)", '#activations [role="tab"]']}>
            {t("nav.skip.newest")}
          </SkipLink>
        </>
      )}
      <a href="#main" className={styles.skip}>
        {t("nav.skip")}
      </a>
    </>
  );
}

/** Focuses the first of the elements that is there. */
function SkipLink({ to, children }: { to: readonly string[]; children: string }) {
  const skip = (event: MouseEvent<HTMLAnchorElement>) => {
    event.preventDefault();
    event.currentTarget.focus();
    const all = () => to.map((selector) => document.querySelector<HTMLElement>(selector));
    focusWhenShown(() => all().find((element) => element !== null));
  };
  return (
    <a href="#main" className={styles.skip} onClick={skip}>
      {children}
    </a>
  );
}

/** Says that the browser stores nothing. The live region is always rendered, or screen readers miss the change. */
function StorageBar() {
  const t = useText();
  const isLost = useStorageLost();
  return <div role="status">{isLost && <p className={styles.demo}>{t("storage.bar")}</p>}</div>;
}

interface LayoutProps {
  page: string | undefined;
  wide: boolean | undefined;
  children: ReactNode;
}

export function Layout({ page, wide, children }: LayoutProps) {
  const t = useText();
  const { demo } = useServerData();
  const asked = useAuthRequest();
  const proof = useProofRequest();
  return (
    <div className={wide ? styles.wide : undefined}>
      <SkipLinks isDashboard={page === "dashboard"} />
      {demo && (
        <aside aria-label={t("nav.demo")} className={styles.demo}>
          <Badge tone="warn">{t("nav.demo")}</Badge>
          <span>{t("nav.demo.text")}</span>
        </aside>
      )}
      <StorageBar />
      <Header />
      <main
        id="main"
        tabIndex={-1}
        className={classNames(
          styles.main,
          /^(?:dashboard|admin)/.test(page ?? "") && styles.loads,
          page?.startsWith("dashboard") && styles.dense,
        )}
      >
        {children}
      </main>
      <Footer />
      <BottomBar />
      <OfflineBar />
      <Toasts />
      {asked !== undefined && (
        <ErrorBoundary over again={asked}>
          <Suspense>
            <AuthDialog mode={asked.mode} />
          </Suspense>
        </ErrorBoundary>
      )}
      {proof !== undefined && (
        <ErrorBoundary over again={proof}>
          <Suspense>
            <ProofDialog request={proof} />
          </Suspense>
        </ErrorBoundary>
      )}
    </div>
  );
}
