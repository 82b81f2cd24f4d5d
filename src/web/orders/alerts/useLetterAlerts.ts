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
import { serverNow } from "../../ui/display/clock.ts";

/** Alerts for new letters in a list; `onOpen`: a notification was pressed. Returns the rows that are fresh until the user acts. */
export function useLetterAlerts(
  items: readonly Item[],
  isShown: boolean,
  onOpen: (item: Item) => void,
): ReadonlySet<string> {
  const t = useAppText();
  const waited = useRef(new Set<string>());
  const isLive = useIsLive();
  const alertOf = useEffectEvent((arrived: readonly Item[]) => {
    // With the stream, its events alert for invisible rows.
    if (isShown || !isLive) alertUser(t, arrived, onOpen);
  });
  // Compares two successive lists, which one rendering cannot do.
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

let inSight: ReadonlySet<string> = new Set();

function useInSight(items: readonly Item[], isShown: boolean) {
  useEffect(() => {
    inSight = new Set(isShown ? items.flatMap(({ id }) => id ?? []) : []);
    return () => void (inSight = new Set());
  }, [items, isShown]);
}

/** Alerts for letters by events, on every page. Returns those without a visible row, newest first, until opened or dismissed. */
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
  useEffect(() => () => announce([]), []);
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

function alertUser(t: Translator<AppKey>, arrived: readonly Item[], onOpen: (item: Item) => void) {
  const fresh = markFresh(arrived);
  if (fresh.length === 0) return;
  announce(fresh.map((item) => sentenceOf(t, item)));
  const { sound, notification, code } = stored.hints.read();
  if (sound) chimeOnce();
  // No notification while the user looks at the page.
  if (!notification || !mayNotify() || (!document.hidden && document.hasFocus())) return;
  for (const item of fresh) void notify(noticeOf(t, item, code), `postern ${item.id}`, () => onOpen(item));
}

function sentenceOf(t: Translator<AppKey>, item: Item): string {
  const code = answerIn(item);
  const { site, email } = item;
  return code === undefined
    ? t("activations.arrived", { site, email })
    : t("activations.arrivedCode", { site, email, code });
}

/** Announces orders that ended without a letter: their rows vanish. */
function useExpired(items: readonly Item[]) {
  const t = useAppText();
  const before = useRef(items);
  useEffect(() => {
    for (const { email } of expiredSince(before.current, items, serverNow() / 1000))
      toast("info", t("activations.expired", { email }));
    before.current = items;
  }, [items, t]);
}

/** Prefixes the title with the count of unread letters, for users in another tab. */
function useTitleCount(fresh: ReadonlySet<string>) {
  const [{ title: isWanted }] = useStored(stored.hints);
  const [seen, setSeen] = useState<ReadonlySet<string>>();
  useEffect(() => {
    const look = () => {
      if (!document.hidden) setSeen(fresh);
    };
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [fresh]);
  const count = isWanted && fresh !== seen ? fresh.size : 0;
  useEffect(() => {
    const title = document.title.replace(/^\(\d+\) /, "");
    document.title = count > 0 ? `(${count}) ${title}` : title;
    return () => {
      document.title = document.title.replace(/^\(\d+\) /, "");
    };
  }, [count]);
}
