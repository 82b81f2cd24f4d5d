import { use, useDeferredValue, useMemo, useState } from "react";
import { useLocation } from "wouter";
import { useDocsText, useGuides, useLanguage } from "../../language.tsx";
import { paths } from "../../paths.ts";
import { Picker } from "../../ui/dialog/Picker.tsx";
import { TextWithCode } from "../code/CodeSample.tsx";
import { ShownPage } from "../DocsLink.tsx";
import styles from "./Search.module.css";
import { type Hit, search, searchIndex } from "./search.ts";
import { Exact } from "../../ui/display/Exact.tsx";

/** Finds a place in the documentation while the reader types. */
export function SearchDialog({ onClose }: { onClose: () => void }) {
  const t = useDocsText();
  const guides = useGuides();
  const index = useMemo(() => searchIndex(t, guides), [t, guides]);
  const [text, setText] = useState("");
  const wanted = useDeferredValue(text);
  const go = useGo(onClose);
  const hits = useMemo(() => search(index, wanted), [index, wanted]);
  const items = hits.map((hit) => ({
    id: `${hit.kind} ${hit.page} ${hit.id} ${hit.title}`,
    hit,
    pick: () => go(hit),
  }));
  return (
    <Picker
      label={t("docs.search")}
      hint={t("docs.search.hint")}
      type="search"
      text={text}
      onText={setText}
      items={items}
      itemClass={styles.hit}
      show={({ hit }) => <HitView hit={hit} />}
      onClose={onClose}
    >
      <p role="status" className={styles.none}>
        {wanted.trim() !== "" && hits.length === 0 && t("docs.search.none", { text: wanted.trim() })}
      </p>
    </Picker>
  );
}

function HitView({ hit }: { hit: Hit }) {
  const t = useDocsText();
  const isName = hit.kind === "error" || hit.kind === "parameter";
  return (
    <>
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
    </>
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
