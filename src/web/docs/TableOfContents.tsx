import { ChevronDown } from "lucide-react";
import { type MouseEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import type { DocsKey } from "../../i18n/t.ts";
import { useDocsText, useGuides, useLanguage } from "../language.tsx";
import { type DocsPage, paths } from "../paths.ts";
import { calls } from "./calls.ts";
import { DocsLink } from "./DocsLink.tsx";
import { callName } from "./texts.ts";
import styles from "./TableOfContents.module.css";

interface Entry {
  readonly id: string;
  readonly title: string;
  readonly wire?: string;
}

/** The sections of a page: its calls, and those of its guide. */
function useEntries(): (page: DocsPage) => Record<"ofCalls" | "ofGuide", Entry[]> {
  const t = useDocsText();
  const guides = useGuides();
  return (page) => ({
    ofCalls: calls
      .filter((call) => call.page === page)
      .map(({ id, name }) => ({ id, title: t(callName(name)), wire: id })),
    ofGuide: guides[page].sections.map(({ id, title }) => ({ id, title })),
  });
}

const groups: readonly { title: DocsKey; pages: readonly DocsPage[] }[] = [
  { title: "docs.guides", pages: ["start", "sandbox", "errors", "events", "webhooks", "tokens", "testing"] },
  {
    title: "docs.more",
    pages: ["orders", "payments", "account", "partners", "investors", "changelog"],
  },
];

interface TableOfContentsProps {
  page: DocsPage;
  search: ReactNode;
}

export function TableOfContents({ page, search }: TableOfContentsProps) {
  const t = useDocsText();
  const { ofCalls, ofGuide } = useEntries()(page);
  const entries = [...ofGuide, ...ofCalls];
  const current = useCurrent(entries.map(({ id }) => id));
  const bar = useRef<HTMLDetailsElement>(null);
  const now = entries.find(({ id }) => id === current);
  const close = (event: MouseEvent) => {
    if (bar.current && event.target instanceof Element && event.target.closest("a")) bar.current.open = false;
  };
  return (
    <>
      <div className={styles.bar}>
        <details
          ref={bar}
          onClick={close}
          onKeyDown={(event) => {
            if (event.key !== "Escape" || !bar.current?.open) return;
            bar.current.open = false;
            bar.current.querySelector("summary")?.focus();
          }}
        >
          <summary className={styles.summary}>
            <span>{t("docs.contents")}</span>
            {now && <bdi className={styles.now}>{now.title}</bdi>}
            <ChevronDown aria-hidden size={16} className={styles.chevron} />
          </summary>
          <nav aria-label={t("docs.contents")} className={styles.sheet}>
            <Links page={page} current={current} />
          </nav>
        </details>
        {search}
      </div>
      <div className={styles.side}>
        {search}
        <nav aria-label={t("docs.contents")}>
          <Links page={page} current={current} />
        </nav>
      </div>
    </>
  );
}

function Links({ page, current }: { page: DocsPage; current: string | undefined }) {
  const t = useDocsText();
  const guides = useGuides();
  const language = useLanguage();
  const entriesOf = useEntries();
  const { ofCalls, ofGuide } = entriesOf(page);
  const sections = page === "start" ? [] : [...ofGuide, ...ofCalls];
  return (
    <>
      <ul className={styles.links}>
        {/* Those of spec B §2 stand first on every page. */}
        {entriesOf("start").ofCalls.map((entry) => (
          <li key={entry.id}>
            <SectionLink entry={entry} on="start" page={page} current={current} />
          </li>
        ))}
      </ul>
      {groups.map(({ title, pages }) => (
        <div key={title}>
          <p className={styles.group}>{t(title)}</p>
          <ul className={styles.links}>
            {pages.map((one) => (
              <li key={one}>
                {one === "start" ? (
                  <SectionLink
                    entry={{ id: "start", title: guides.start.title }}
                    on={one}
                    page={page}
                    current={current}
                  />
                ) : (
                  <Link href={paths.docs(language, one)} aria-current={one === page ? "page" : undefined}>
                    {guides[one].title}
                  </Link>
                )}
                {one === page && sections.length > 1 && (
                  <ul className={styles.sections}>
                    {sections.map((entry) => (
                      <li key={entry.id}>
                        <SectionLink entry={entry} on={one} page={page} current={current} />
                      </li>
                    ))}
                  </ul>
                )}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </>
  );
}

interface SectionLinkProps {
  entry: Entry;
  on: DocsPage;
  page: DocsPage;
  current: string | undefined;
}

function SectionLink({ entry, on, page, current }: SectionLinkProps) {
  const isHere = on === page && entry.id === current;
  return (
    <DocsLink page={on} id={entry.id} aria-current={isHere ? "location" : undefined}>
      <span>{entry.title}</span>
      {on === "start" && entry.wire !== undefined && (
        <code dir="ltr" className={styles.wire}>
          {entry.wire}
        </code>
      )}
    </DocsLink>
  );
}

function useCurrent(ids: readonly string[]): string | undefined {
  const [current, setCurrent] = useState<string>();
  const key = ids.join(" ");
  useEffect(() => {
    const sections = key.split(" ").flatMap((id) => document.getElementById(id) ?? []);
    const seen = new Set<Element>();
    // The hash wins: the first observer callback may come before the browser scrolled to it.
    const linked = sections.find(({ id }) => id === location.hash.slice(1));
    const observer = new IntersectionObserver(
      (changes) => {
        for (const { target, isIntersecting } of changes)
          if (isIntersecting) seen.add(target);
          else seen.delete(target);
        const first = sections.find((section) => seen.has(section));
        const seenLast = (last?: string) => sections.find(({ id }) => id === last);
        setCurrent((last) => (first ?? seenLast(last) ?? linked ?? sections[0])?.id);
      },
      // Below the header and the bar, above the middle.
      { rootMargin: "-128px 0px -55% 0px" },
    );
    for (const section of sections) observer.observe(section);
    return () => observer.disconnect();
  }, [key]);
  return current;
}
