import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { AppKey, Translator } from "../../i18n/t.ts";
import { useAppText } from "../language.tsx";
import { stored, useStored } from "../stored.ts";
import { speak, toast } from "../ui/toast.ts";
import { answerIn, arrivals, expiries, type Item, isWaiting } from "./activations.ts";
import { chimeOnce } from "./chime.ts";
import { mayNotify, noticeOf, notify } from "./notification.ts";

/**
 * Watches for letters and hints at them as the user has chosen; `onOpen`: a notification was pressed. Answers the rows to be
 * marked as new until the user does anything.
 */
export function useArrived(items: readonly Item[], onOpen: (item: Item) => void): ReadonlySet<string> {
  const t = useAppText();
  const waited = useRef(new Set<string>());
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set());
  const tell = useEffectEvent((arrived: readonly Item[]) => {
    const { sound, notification, code } = stored.hints.read();
    if (sound) chimeOnce();
    // Who looks at the page needs no notification of it.
    if (!notification || !mayNotify() || (!document.hidden && document.hasFocus())) return;
    for (const item of arrived)
      void notify(noticeOf(t, item, code), `postern ${item.id}`, () => onOpen(item));
  });
  // The lists of two moments are compared, which no single rendering can do.
  useEffect(() => {
    const arrived = arrivals(waited.current, items);
    for (const item of items) if (item.id !== undefined && isWaiting(item)) waited.current.add(item.id);
    if (arrived.length === 0) return;
    for (const { id = "" } of arrived) waited.current.delete(id);
    setFresh((ids) => new Set([...ids, ...arrived.map(({ id = "" }) => id)]));
    speak(arrived.map((item) => sentenceOf(t, item)));
    tell(arrived);
  }, [items, t]);
  useExpired(items);
  useTitleCount(fresh);
  // What was spoken must not lie about on another page.
  useEffect(() => () => speak([]), []);
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
  return fresh;
}

function sentenceOf(t: Translator<AppKey>, item: Item): string {
  const code = answerIn(item);
  const { site, email } = item;
  return code === undefined
    ? t("activations.arrived", { site, email })
    : t("activations.arrivedCode", { site, email, code });
}

/** Says which orders ended without a letter: their rows go by themselves. */
function useExpired(items: readonly Item[]) {
  const t = useAppText();
  const before = useRef(items);
  // The lists of two moments are compared, which no single rendering can do.
  useEffect(() => {
    for (const { email } of expiries(before.current, items, Date.now() / 1000))
      toast("info", t("activations.expired", { email }));
    before.current = items;
  }, [items, t]);
}

/** Puts the count of unread letters before the title of the document, because a letter is awaited in another tab. */
function useTitleCount(fresh: ReadonlySet<string>) {
  const [{ title: isWanted }] = useStored(stored.hints);
  const [seen, setSeen] = useState<ReadonlySet<string>>();
  // Coming back to the tab is looking at it.
  useEffect(() => {
    const look = () => {
      if (!document.hidden) setSeen(fresh);
    };
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [fresh]);
  const count = isWanted && fresh !== seen ? fresh.size : 0;
  // The title is outside React.
  useEffect(() => {
    const title = document.title.replace(/^\(\d+\) /, "");
    document.title = count > 0 ? `(${count}) ${title}` : title;
    return () => {
      document.title = document.title.replace(/^\(\d+\) /, "");
    };
  }, [count]);
}
