import { ChevronDown } from "lucide-react";
import { type MouseEvent, useEffect, useRef, useState } from "react";
import { useAppText } from "../language.tsx";
import styles from "./TableOfContents.module.css";

export interface Group {
  title?: string;
  entries: readonly { id: string; title: string; isCode?: boolean }[];
}

export function TableOfContents({ groups }: { groups: readonly Group[] }) {
  const t = useAppText();
  const entries = groups.flatMap((group) => group.entries);
  const current = useCurrent(entries.map(({ id }) => id));
  const bar = useRef<HTMLDetailsElement>(null);
  const now = entries.find(({ id }) => id === current);
  const close = (event: MouseEvent) => {
    if (bar.current && event.target instanceof Element && event.target.closest("a")) bar.current.open = false;
  };
  return (
    <>
      <details
        ref={bar}
        className={styles.bar}
        onClick={close}
        onKeyDown={(event) => {
          if (event.key !== "Escape" || !bar.current?.open) return;
          bar.current.open = false;
          bar.current.querySelector("summary")?.focus();
        }}
      >
        <summary className={styles.summary}>
          <span>{t("docs.contents")}</span>
          {now && (
            <bdi dir={now.isCode ? "ltr" : undefined} className={styles.now}>
              {now.title}
            </bdi>
          )}
          <ChevronDown aria-hidden size={16} className={styles.chevron} />
        </summary>
        <nav aria-label={t("docs.contents")} className={styles.sheet}>
          <Links groups={groups} current={current} />
        </nav>
      </details>
      <nav aria-label={t("docs.contents")} className={styles.side}>
        <Links groups={groups} current={current} />
      </nav>
    </>
  );
}

function Links({ groups, current }: { groups: readonly Group[]; current: string | undefined }) {
  return groups.map(({ title, entries }) => (
    <div key={title ?? ""}>
      {title !== undefined && <p className={styles.group}>{title}</p>}
      <ul className={styles.links}>
        {entries.map((entry) => (
          <li key={entry.id}>
            <a
              href={`#${entry.id}`}
              dir={entry.isCode ? "ltr" : undefined}
              aria-current={entry.id === current ? "location" : undefined}
            >
              {entry.title}
            </a>
          </li>
        ))}
      </ul>
    </div>
  ));
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
        setCurrent((last) => first?.id ?? last ?? linked?.id);
      },
      // Below the header and the bar, above the middle.
      { rootMargin: "-128px 0px -55% 0px" },
    );
    for (const section of sections) observer.observe(section);
    return () => observer.disconnect();
  }, [key]);
  return current;
}
