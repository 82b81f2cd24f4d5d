import { lazy, type ReactNode, Suspense } from "react";
import { useAuthMode } from "../auth/authDialog.ts";
import { ErrorEdge } from "../ErrorEdge.tsx";
import { useText } from "../language.tsx";
import { useServerData } from "../serverData.tsx";
import { Badge } from "../ui/Badge.tsx";
import { Toasts } from "../ui/Toasts.tsx";
import { BottomBar, Header } from "./Header.tsx";
import styles from "./Layout.module.css";

const AuthDialog = lazy(async () => ({ default: (await import("../auth/AuthDialog.tsx")).AuthDialog }));

/** What stands around every page. */
export function Layout({ children }: { children: ReactNode }) {
  const t = useText();
  const { demo } = useServerData();
  const authMode = useAuthMode();
  return (
    <>
      <a href="#main" className={styles.skip}>
        {t("nav.skip")}
      </a>
      {demo && (
        <aside aria-label={t("nav.demo")} className={styles.demo}>
          <Badge tone="warn">{t("nav.demo")}</Badge>
          <span>{t("nav.demo.text")}</span>
        </aside>
      )}
      <Header />
      <main id="main" tabIndex={-1} className={styles.main}>
        {children}
      </main>
      <footer className={styles.footer}>
        <p>{t("footer.text")}</p>
      </footer>
      <BottomBar />
      <Toasts />
      {authMode !== undefined && (
        <ErrorEdge>
          <Suspense>
            <AuthDialog mode={authMode} />
          </Suspense>
        </ErrorEdge>
      )}
    </>
  );
}
