import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { AppKey, Translator } from "../../../i18n/t.ts";
import { useAppText } from "../../language.tsx";
import { useIsLive, useShopEvents } from "../../serverState.tsx";
import { stored, useStored } from "../../stored.ts";
import { announce, toast } from "../../ui/feedback/toast.ts";
import { answerIn, receivedSince, expiredSince, type Item, isWaiting } from "../list/activations.ts";
import { FirstLetters, markSeen, markFresh, keepOffScreen, useNewLetters } from "./newLetters.ts";
import { chimeOnce } from "./chime.ts";
import { mayNotify, noticeOf, notify } from "./notification.ts";

/**
 * Watches the rows of a list for letters and hints at them as the user has chosen; `onOpen`: a notification was pressed. Answers
 * the rows to be marked as new until the user does anything. `isShown`: the rows are in sight.
 */
export function useLetterAlerts(
  items: readonly Item[],
  isShown: boolean,
  onOpen: (item: Item) => void,
): ReadonlySet<string> {
  const t = useAppText();
  const waited = useRef(new Set<string>());
  const isLive = useIsLive();
  const alertOf = useEffectEvent((arrived: readonly Item[]) => {
    // Of rows out of sight the events tell, with their strip.
    if (isShown || !isLive) alertUser(t, arrived, onOpen);
  });
  // The lists of two moments are compared, which no single rendering can do.
  useEffect(() => {
    const arrived = receivedSince(waited.current, items);
    for (const item of items) if (item.id !== undefined && isWaiting(item)) waited.current.add(item.id);
    if (arrived.length === 0) return;
    for (const { id = "" } of arrived) waited.current.delete(id);
    alertOf(arrived);
  }, [items]);
  useInSight(items, isShown);
  useExpired(items);
  return useNewLetters().fresh;
}

/** Ids of the rows that are in sight now. */
let inSight: ReadonlySet<string> = new Set();

function useInSight(items: readonly Item[], isShown: boolean) {
  // What is in sight is asked for by the events, which are outside React.
  useEffect(() => {
    inSight = new Set(isShown ? items.flatMap(({ id }) => id ?? []) : []);
    return () => void (inSight = new Set());
  }, [items, isShown]);
}

/**
 * Follows the account's letters by its events, whichever page is open: hints at those whose rows are not in sight, and keeps them
 * until they are opened or dismissed. Answers them, newest first.
 */
export function useLettersOffScreen(onOpen: (item: Item) => void): readonly Item[] {
  const t = useAppText();
  const [first] = useState(() => new FirstLetters());
  useShopEvents((event) => {
    const item = first.onEvent(event);
    if (item?.id === undefined || inSight.has(item.id)) return;
    alertUser(t, [item], onOpen);
    keepOffScreen(item);
  });
  const { fresh, offScreen: elsewhere } = useNewLetters();
  useTitleCount(fresh);
  // What was spoken must not lie about on another page.
  useEffect(() => () => announce([]), []);
  // Any key or press means: seen.
  useEffect(() => {
    addEventListener("pointerdown", markSeen);
    addEventListener("keydown", markSeen);
    return () => {
      removeEventListener("pointerdown", markSeen);
      removeEventListener("keydown", markSeen);
    };
  }, []);
  return elsewhere;
}

/** Marks letters as new, says so, sounds and notifies, as the user has chosen. */
function alertUser(t: Translator<AppKey>, arrived: readonly Item[], onOpen: (item: Item) => void) {
  const untold = markFresh(arrived);
  if (untold.length === 0) return;
  announce(untold.map((item) => sentenceOf(t, item)));
  const { sound, notification, code } = stored.hints.read();
  if (sound) chimeOnce();
  // Who looks at the page needs no notification of it.
  if (!notification || !mayNotify() || (!document.hidden && document.hasFocus())) return;
  for (const item of untold) void notify(noticeOf(t, item, code), `postern ${item.id}`, () => onOpen(item));
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
    for (const { email } of expiredSince(before.current, items, Date.now() / 1000))
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
