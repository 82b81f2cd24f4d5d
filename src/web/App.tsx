import { Suspense, useEffect, useLayoutEffect } from "react";
import { useLocation } from "wouter";
import { closeAuth, openAuth, openMailLink } from "./auth/authDialog.ts";
import { ErrorBoundary } from "./ErrorBoundary.tsx";
import { useLanguage, useText } from "./language.tsx";
import { Layout } from "./layout/Layout.tsx";
import { pageOf, paths } from "./paths.ts";
import { type Route, routeOf } from "./routes.tsx";
import { onSessionChanged, onSessionEnded, useToken } from "./session.ts";
import { stored } from "./stored.ts";
import { Spinner } from "./ui/feedback/Spinner.tsx";
import { toast } from "./ui/feedback/toast.ts";
import styles from "./App.module.css";

export function App() {
  const t = useText();
  const [pathname] = useLocation();
  const route = routeOf(pathname);
  const title = `${t(route.title)} · Postern`;
  // The server wrote the first title. This runs before the effects of the page, which may change the title.
  useLayoutEffect(() => {
    document.title = title;
  }, [title]);
  useBeginning();
  useEffect(() => {
    openMailLink();
    addEventListener("hashchange", openMailLink);
    return () => removeEventListener("hashchange", openMailLink);
  }, []);
  useEffect(
    () =>
      onSessionEnded((from) => {
        toast("info", t("auth.ended"));
        // Whoever signs in again goes on where the session ended.
        if (routeOf(from.replace(/\?.*/, "")).guarded) openAuth("login", { to: from });
      }),
    [t],
  );
  useEffect(
    () =>
      onSessionChanged(() => {
        closeAuth();
        if (stored.authToken.read() !== "") toast("info", t("auth.elsewhere"));
      }),
    [t],
  );
  return (
    <Layout page={pageOf(pathname)} wide={route.wide}>
      {/* The key leaves out the language: a page keeps what the user typed when the language changes. */}
      <ErrorBoundary key={route.area ?? pageOf(pathname) ?? pathname}>
        <Suspense fallback={<PageLoading />}>
          {route.guarded ? <SignedInOnly route={route} /> : <route.Page />}
        </Suspense>
      </ErrorBoundary>
    </Layout>
  );
}

/** Scrolls to the top and moves the focus after a followed link; the browser restores the position after "back". */
function useBeginning() {
  // The router dispatches this event for followed links only.
  useEffect(() => {
    let page = pageOf(location.pathname);
    const begin = () => {
      const next = pageOf(location.pathname);
      if (next === page) return;
      page = next;
      scrollTo({ top: 0, behavior: "instant" });
      document.querySelector<HTMLElement>("#main")?.focus({ preventScroll: true });
    };
    const note = () => {
      const next = pageOf(location.pathname);
      if (next !== page) closeAuth();
      page = next;
    };
    addEventListener("pushState", begin);
    addEventListener("popstate", note);
    return () => {
      removeEventListener("pushState", begin);
      removeEventListener("popstate", note);
    };
  }, []);
}

/** Sends visitors without a token home with the sign-in dialog open (spec B §2); signing in returns here. */
function SignedInOnly({ route }: { route: Route }) {
  const language = useLanguage();
  const token = useToken();
  const [, navigate] = useLocation();
  const outside = token === "";
  useEffect(() => {
    if (!outside) return;
    openAuth("login", { to: location.pathname + location.search });
    navigate(paths.home(language), { replace: true });
  }, [outside, language, navigate]);
  return outside ? <PageLoading /> : <route.Page />;
}

function PageLoading() {
  const t = useText();
  return (
    <div className={styles.waiting}>
      <Spinner label={t("ui.loading")} />
    </div>
  );
}
