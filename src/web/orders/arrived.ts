import { useEffect, useRef, useState } from "react";
import { useAppText } from "../language.tsx";
import { answerIn, arrivals, type Item, isWaiting } from "./activations.ts";

/**
 * Watches for letters. `spoken` is the sentence for the live region, `fresh` the rows to be marked as new until the
 * user does anything; meanwhile the tab's title counts them, because a letter is awaited in another tab.
 */
export function useArrived(items: readonly Item[]): { spoken: string; fresh: ReadonlySet<string> } {
  const t = useAppText();
  const waited = useRef(new Set<string>());
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set());
  const [spoken, setSpoken] = useState("");
  // The lists of two moments are compared, which no single rendering can do.
  useEffect(() => {
    const arrived = arrivals(waited.current, items);
    for (const item of items) if (item.id !== undefined && isWaiting(item)) waited.current.add(item.id);
    const newest = arrived[0];
    if (!newest) return;
    for (const { id = "" } of arrived) waited.current.delete(id);
    setFresh((ids) => new Set([...ids, ...arrived.map(({ id = "" }) => id)]));
    const code = answerIn(newest);
    const { site, email } = newest;
    setSpoken(
      code === undefined
        ? t("activations.arrived", { site, email })
        : t("activations.arrivedCode", { site, email, code }),
    );
  }, [items, t]);
  useTitleCount(fresh.size);
  // Any key or press means: seen.
  useEffect(() => {
    if (fresh.size === 0) return;
    const seen = () => setFresh(new Set());
    addEventListener("pointerdown", seen);
    addEventListener("keydown", seen);
    return () => {
      removeEventListener("pointerdown", seen);
      removeEventListener("keydown", seen);
    };
  }, [fresh]);
  return { spoken, fresh };
}

/** Puts a count before the title of the document, and takes it away again. */
function useTitleCount(count: number) {
  // The title is outside React.
  useEffect(() => {
    const title = document.title.replace(/^\(\d+\) /, "");
    document.title = count > 0 ? `(${count}) ${title}` : title;
    return () => {
      document.title = document.title.replace(/^\(\d+\) /, "");
    };
  }, [count]);
}
