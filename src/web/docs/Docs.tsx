import { Suspense, useCallback, useEffect, useState } from "react";
import { useLocation } from "wouter";
import { useDocsText, useGuides, useLanguage } from "../language.tsx";
import { lazyPart } from "../lazyPart.tsx";
import { type DocsPage, docsPages, docsPath, pageOf, paths } from "../paths.ts";
import { useServerData } from "../serverData.tsx";
import { CopyButton } from "../ui/button/CopyButton.tsx";
import { Call } from "./Call.tsx";
import { calls } from "./calls.ts";
import { TextWithCode } from "./code/CodeSample.tsx";
import styles from "./Docs.module.css";
import { ShownPage } from "./DocsLink.tsx";
import { DocsSessionProvider } from "./docsSession.tsx";
import { GuideView } from "./guides/GuideView.tsx";
import { SearchButton, useSlash } from "./search/SearchButton.tsx";
import { TableOfContents } from "./TableOfContents.tsx";
import { TokenSwitch } from "./TokenSwitch.tsx";

const SearchDialog = lazyPart(async () => (await import("./search/SearchDialog.tsx")).SearchDialog);

/** The documentation: one page of it, with the contents of all beside it. */
export function Docs() {
  const [pathname] = useLocation();
  const address = pageOf(pathname);
  const page = docsPages.find((one) => docsPath(one) === address) ?? "start";
  const { sections } = useGuides()[page];
  useTitle(page);
  useAnchor(page);
  const [isSearching, setSearching] = useState(false);
  const open = useCallback(() => setSearching(true), []);
  useSlash(open);
  return (
    <ShownPage value={page}>
      <DocsSessionProvider>
        <div className={styles.page}>
          <TableOfContents page={page} search={<SearchButton onOpen={open} />} />
          <div key={page} className={styles.body}>
            {page === "start" ? <StartHead /> : <Head page={page} />}
            {sections.map((section) => (
              <GuideView key={section.id} section={section} />
            ))}
            {calls
              .filter((call) => call.page === page)
              .map((call) => (
                <Call key={call.name} call={call} />
              ))}
          </div>
        </div>
        {isSearching && (
          <Suspense>
            <SearchDialog onClose={() => setSearching(false)} />
          </Suspense>
        )}
      </DocsSessionProvider>
    </ShownPage>
  );
}

function useTitle(page: DocsPage) {
  const t = useDocsText();
  const guides = useGuides();
  const title =
    page === "start"
      ? `${t("meta.docs.title")} · Postern`
      : `${guides[page].title} · ${t("docs.title")} · Postern`;
  // Runs after the effect that sets the title of all pages.
  useEffect(() => {
    document.title = title;
  }, [title]);
}

/** Shows the section that the address names, also one that older addresses have on the first page. */
function useAnchor(page: DocsPage) {
  const language = useLanguage();
  const guides = useGuides();
  const [, navigate] = useLocation();
  useEffect(() => {
    const id = decodeURIComponent(location.hash.slice(1));
    if (id === "") return;
    const section = document.getElementById(id);
    // Scrolls there, and makes it the target for styles.
    if (section) return location.replace(`#${id}`);
    const home =
      calls.find((call) => call.id === id)?.page ??
      docsPages.find((one) => guides[one].sections.some((section) => section.id === id));
    if (home !== undefined && home !== page)
      navigate(`${paths.docs(language, home)}#${id}`, { replace: true });
  }, [page, language, guides, navigate]);
}

function Head({ page }: { page: DocsPage }) {
  const { title, about } = useGuides()[page];
  const hasCalls = calls.some((call) => call.page === page);
  return (
    <header className={styles.head}>
      <h1>{title}</h1>
      <p className={styles.lead}>
        <TextWithCode text={about} />
      </p>
      {hasCalls && <TokenSwitch />}
    </header>
  );
}

function StartHead() {
  const t = useDocsText();
  const language = useLanguage();
  const { about } = useGuides().start;
  const { publicUrl } = useServerData();
  return (
    <header className={styles.head}>
      <h1>{t("docs.title")}</h1>
      <p className={styles.lead}>{about}</p>
      <dl className={styles.basics}>
        <div>
          <dt>{t("docs.base")}</dt>
          <dd className={styles.base} dir="ltr">
            <code>{publicUrl}</code>
            <CopyButton text={publicUrl} />
          </dd>
        </div>
        <div>
          <dt>{t("docs.token")}</dt>
          <dd>{t("docs.token.text")}</dd>
        </div>
        <div>
          <dt>{t("docs.machine.title")}</dt>
          <dd className={styles.files}>
            <a href="/openapi.json" className={styles.link}>
              {t("docs.machine")}
            </a>
            <a href={`/${language}/docs.md`} className={styles.link}>
              {t("docs.markdown")}
            </a>
            <a href="/llms.txt" className={styles.link}>
              llms.txt
            </a>
          </dd>
        </div>
      </dl>
    </header>
  );
}
