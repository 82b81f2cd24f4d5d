import { type KeyboardEvent, use, useDeferredValue, useId, useMemo, useState } from "react";
import { useLocation } from "wouter";
import { useDocsText, useGuides, useLanguage } from "../../language.tsx";
import { paths } from "../../paths.ts";
import { Dialog } from "../../ui/dialog/Dialog.tsx";
import { TextWithCode } from "../code/CodeSample.tsx";
import { ShownPage } from "../DocsLink.tsx";
import styles from "./Search.module.css";
import { type Hit, search, searchIndex } from "./search.ts";
import { Exact } from "../../ui/display/Exact.tsx";

/** Finds a place in the documentation while the reader types, by keyboard alone if he likes. */
export function SearchDialog({ onClose }: { onClose: () => void }) {
  const t = useDocsText();
  const id = useId();
  const guides = useGuides();
  const index = useMemo(() => searchIndex(t, guides), [t, guides]);
  const [text, setText] = useState("");
  const wanted = useDeferredValue(text);
  const hits = useMemo(() => search(index, wanted), [index, wanted]);
  const [at, setAt] = useState(0);
  const go = useGo(onClose);
  const onKeyDown = (event: KeyboardEvent) => {
    const hit = hits[at];
    if (event.key === "ArrowDown") setAt(Math.min(at + 1, hits.length - 1));
    else if (event.key === "ArrowUp") setAt(Math.max(at - 1, 0));
    else if (event.key === "Enter" && hit) go(hit);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title={t("docs.search")} wide onClose={onClose}>
      <input
        data-autofocus
        type="search"
        role="combobox"
        aria-label={t("docs.search")}
        aria-expanded={hits.length > 0}
        aria-controls={`${id}-hits`}
        aria-activedescendant={hits.length > 0 ? `${id}-${at}` : undefined}
        autoComplete="off"
        spellCheck={false}
        dir="auto"
        placeholder={t("docs.search.hint")}
        className={styles.input}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={`${id}-hits`} role="listbox" aria-label={t("docs.search")} className={styles.hits}>
        {hits.map((hit, place) => (
          <HitView
            key={`${hit.kind} ${hit.page} ${hit.id} ${hit.title}`}
            id={`${id}-${place}`}
            hit={hit}
            isChosen={place === at}
            onGo={() => go(hit)}
          />
        ))}
      </div>
      <p role="status" className={styles.none}>
        {wanted.trim() !== "" && hits.length === 0 && t("docs.search.none", { text: wanted.trim() })}
      </p>
    </Dialog>
  );
}

interface HitViewProps {
  id: string;
  hit: Hit;
  isChosen: boolean;
  onGo: () => void;
}

function HitView({ id, hit, isChosen, onGo }: HitViewProps) {
  const t = useDocsText();
  const isName = hit.kind === "error" || hit.kind === "parameter";
  const scroll = (row: HTMLElement | null) => {
    if (isChosen) row?.scrollIntoView({ block: "nearest" });
  };
  return (
    // The keyboard is the input's, which names the chosen row.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div id={id} ref={scroll} role="option" aria-selected={isChosen} className={styles.hit} onClick={onGo}>
      <span className={styles.kind}>{t(`docs.search.${hit.kind}`)}</span>
      <span className={styles.title}>
        {isName ? <code dir="ltr">{hit.title}</code> : hit.title}
        {hit.wire !== undefined && (
          <Exact dir={hit.kind === "call" ? "ltr" : undefined} className={styles.wire}>
            {hit.wire}
          </Exact>
        )}
      </span>
      <span className={styles.text}>
        <TextWithCode text={hit.text} />
      </span>
    </div>
  );
}

function useGo(onClose: () => void): (hit: Hit) => void {
  const language = useLanguage();
  const shown = use(ShownPage);
  const [, navigate] = useLocation();
  return ({ page, id }) => {
    onClose();
    // After the dialog has given the focus back, which may scroll.
    setTimeout(() => {
      if (page === shown) location.hash = id;
      else navigate(`${paths.docs(language, page)}${id === "" ? "" : `#${id}`}`);
    });
  };
}
