import "./layout/olderBrowsers.ts";
import "./styles/tokens.css";
import "./styles/base.css";
import { StrictMode, startTransition, useEffect, useMemo, useState } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { Router, useLocation } from "wouter";
import type { Language } from "../i18n/languages.ts";
import { isLanguage } from "../i18n/languages.ts";
import { type Catalogue, type PublicKey, translator } from "../i18n/t.ts";
import { App } from "./App.tsx";
import { publicCatalogue } from "./catalogues.ts";
import { LanguageProvider, languageOf, markDocument, saveLanguage } from "./language.tsx";
import { inLanguage } from "./paths.ts";
import { toast } from "./ui/feedback/toast.ts";
import { emptyServerData, type ServerData, ServerDataContext } from "./serverData.tsx";

interface Spoken {
  language: Language;
  catalogue: Catalogue<PublicKey>;
}

/** Follows the language of the address; shows the old one until the new texts are loaded. */
function Root({ first, data }: { first: Spoken; data: ServerData }) {
  const [pathname, navigate] = useLocation();
  const [spoken, setSpoken] = useState(first);
  const wanted = languageOf(pathname);
  useEffect(() => {
    if (isLanguage(pathname.split("/")[1])) saveLanguage(wanted);
    if (wanted === spoken.language) return;
    let current = true;
    publicCatalogue(wanted).then(
      (catalogue) => {
        if (current) startTransition(() => setSpoken({ language: wanted, catalogue }));
      },
      () => {
        if (!current) return;
        // Restores the address, so that the user can choose the language again.
        navigate(inLanguage(spoken.language, pathname) + location.search + location.hash, { replace: true });
        toast("bad", translator(spoken.language, spoken.catalogue)("ui.failed"));
      },
    );
    return () => {
      current = false;
    };
  }, [pathname, wanted, spoken, navigate]);
  useEffect(() => markDocument(spoken.language), [spoken.language]);
  // The announcements and stories of the document are in its first language.
  const shown = useMemo(
    () => (spoken.language === first.language ? data : { ...data, news: undefined, stories: undefined }),
    [spoken.language, first.language, data],
  );
  return (
    <ServerDataContext value={shown}>
      <LanguageProvider language={spoken.language} catalogue={spoken.catalogue}>
        <App />
      </LanguageProvider>
    </ServerDataContext>
  );
}

const againMilliseconds = 3000;

async function start() {
  const root = document.getElementById("root");
  if (!root) throw new Error("the document has no #root");
  const block = document.getElementById("data")?.textContent.trim() ?? "";
  // Vite's development server sends the template unfilled.
  const data = block.startsWith("{") ? (JSON.parse(block) as ServerData) : emptyServerData;
  const language = languageOf(location.pathname);
  const tree = (
    <StrictMode>
      <Router>
        <Root first={{ language, catalogue: await publicCatalogue(language) }} data={data} />
      </Router>
    </StrictMode>
  );
  // A transition hydrates in slices: a slow phone stays responsive.
  startTransition(() => {
    if (root.firstElementChild) hydrateRoot(root, tree, { onRecoverableError: reportUnlessTranslated });
    else createRoot(root).render(tree);
  });
  // React now handles presses everywhere; theme.js kept the earlier ones.
  (globalThis as { replayPress?: () => void }).replayPress?.();
}

/** A translator may change the server's texts before React takes over their part, which React then draws anew: nothing is wrong. */
function reportUnlessTranslated(fault: unknown): void {
  if (!document.querySelector("#root font")) reportError(fault);
}

start().catch((fault: unknown) => {
  reportError(fault);
  // A page drawn by the server stays usable; one drawn by the browser alone would stay empty.
  if (document.querySelector("#root:empty")) setTimeout(() => location.reload(), againMilliseconds);
});

/** What may take bandwidth only once the first page is there. */
function onceLoaded(run: () => void): void {
  if (document.readyState === "complete") run();
  else addEventListener("load", run, { once: true });
}

/** Registers the service worker. A refusal (private window, storage off) loses only the offline page. */
function keepOfflinePage(): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  navigator.serviceWorker.register("/sw.js").catch(() => undefined);
}

/** Sends one test POST for each load (spec B §7, O §7). Ignores failures; the API client would be too large. */
function sendTestPost(): void {
  if (!navigator.onLine) return;
  const headers = { "content-type": "application/json" };
  fetch("/api/testpost", { method: "POST", headers, body: '{"test":1}' })
    .then((answer) => answer.text())
    .catch(() => undefined);
}

onceLoaded(keepOfflinePage);
onceLoaded(sendTestPost);
