import { Suspense, useEffect, useLayoutEffect } from "react";
import { useLocation } from "wouter";
import { closeAuth, openAuth } from "./auth/authDialog.ts";
import { ErrorBoundary } from "./ErrorBoundary.tsx";
import { useLanguage, useText } from "./language.tsx";
import { Layout } from "./layout/Layout.tsx";
import { pageOf, paths } from "./paths.ts";
import { type Route, routeOf } from "./routes.tsx";
import { onSessionEnded, useToken } from "./session.ts";
import { Spinner } from "./ui/feedback/Spinner.tsx";
import { toast } from "./ui/feedback/toast.ts";
import styles from "./App.module.css";

/** The page of the current address inside header and footer. */
export function App() {
  const t = useText();
  const [pathname] = useLocation();
  const route = routeOf(pathname);
  const title = `${t(route.title)} · Postern`;
  // The server wrote the first title; this keeps it right as the address changes. Before the effects of the page, which may
  // count into it or write its own.
  useLayoutEffect(() => {
    document.title = title;
  }, [title]);
  useBeginning();
  // The session ends by an answer of the server, in whichever part of the page.
  useEffect(() => onSessionEnded(() => toast("info", t("auth.ended"))), [t]);
  return (
    <Layout wide={route.wide}>
      {/* The language is no part of the key: a page that changes it stays, with all that was typed into it. */}
      <ErrorBoundary key={route.area ?? pageOf(pathname) ?? pathname}>
        <Suspense fallback={<PageLoading />}>
          {route.guarded ? <SignedInOnly route={route} /> : <route.Page />}
        </Suspense>
      </ErrorBoundary>
    </Layout>
  );
}

/** A followed link begins at the top of its page, for eyes and for the keyboard; going back finds the old place by itself. */
function useBeginning() {
  // The router tells of a followed link by this event alone; history's own way back has another.
  useEffect(() => {
    let page = pageOf(location.pathname);
    const begin = () => {
      const next = pageOf(location.pathname);
      // The same page in another language, or with another query, goes on where it was.
      if (next === page) return;
      page = next;
      scrollTo({ top: 0, behavior: "instant" });
      document.querySelector<HTMLElement>("#main")?.focus({ preventScroll: true });
    };
    const note = () => {
      const next = pageOf(location.pathname);
      // The dialog was opened on the page that is left.
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

/** Lets only a holder of a token in: others find themselves at home with the sign-in dialog open (spec B §2), which leads back here. */
function SignedInOnly({ route }: { route: Route }) {
  const language = useLanguage();
  const token = useToken();
  const [, navigate] = useLocation();
  const outside = token === "";
  // Going elsewhere is an effect of the address, not a part of the page.
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
