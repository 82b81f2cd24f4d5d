import "./styles/tokens.css";
import "./styles/base.css";
import "./likeReact.ts";
import { useEffect, useMemo, useState } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { Router, useLocation } from "wouter";
import type { Language } from "../i18n/languages.ts";
import { isLanguage } from "../i18n/languages.ts";
import { type Catalogue, type PublicKey, translator } from "../i18n/t.ts";
import { App } from "./App.tsx";
import { catalogueInPlaceOf, publicCatalogue } from "./catalogues.ts";
import { LoadError } from "./lazyPart.tsx";
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
    catalogueInPlaceOf(spoken.language, wanted).then(
      (catalogue) => {
        if (current) setSpoken({ language: wanted, catalogue });
      },
      (fault: unknown) => {
        if (fault instanceof LoadError) fault.forget();
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
    <Router>
      <Root first={{ language, catalogue: await publicCatalogue(language) }} data={data} />
    </Router>
  );
  if (root.firstElementChild) hydrateRoot(root, tree);
  else createRoot(root).render(tree);
  // The tree now handles presses everywhere; theme.js kept the earlier ones.
  (globalThis as { replayPress?: () => void }).replayPress?.();
}

start().catch((fault: unknown) => {
  reportError(fault);
  // A page drawn by the server stays usable; one drawn by the browser alone would stay empty.
  if (document.querySelector("#root:empty")) setTimeout(() => location.reload(), againMilliseconds);
});

/** Registers the service worker last, so that it takes no bandwidth from the first page. */
function keepOfflinePage(): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  // A refusal (private window, storage off) loses only the offline page.
  const register = () => void navigator.serviceWorker.register("/sw.js").catch(() => undefined);
  if (document.readyState === "complete") register();
  else addEventListener("load", register, { once: true });
}

/** Sends one test POST for each load when idle (spec B §7, O §7). Ignores failures; the API client would be too large. */
function sendTestPost(): void {
  const send = () => {
    if (!navigator.onLine) return;
    const headers = { "content-type": "application/json" };
    fetch("/api/testpost", { method: "POST", headers, body: '{"test":1}' })
      .then((answer) => answer.text())
      .catch(() => undefined);
  };
  // Safari has no requestIdleCallback.
  const whenIdle = () =>
    "requestIdleCallback" in window ? requestIdleCallback(send) : setTimeout(send, 500);
  if (document.readyState === "complete") whenIdle();
  else addEventListener("load", whenIdle, { once: true });
}

keepOfflinePage();
sendTestPost();
