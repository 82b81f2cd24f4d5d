import { makeListeners } from "../listeners.ts";

export interface Toast {
  id: number;
  tone: "info" | "good" | "bad";
  text: string;
  action?: ToastAction | undefined;
}

interface ToastAction {
  label: string;
  onPress: () => void;
  /** The toast is gone and the action was not pressed. */
  onLeave: () => void;
}

const shownMilliseconds = 5000;
const shownMax = 3;
let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = makeListeners();

/** Shows a text for five seconds. */
export function toast(tone: Toast["tone"], text: string): void {
  show(tone, text);
}

/** Shows a text with a button. Returns how to take both away before; the action is then not told. */
export function toastWithAction(text: string, action: ToastAction): () => void {
  const id = show("info", text, action);
  return () => withdraw(id);
}

function show(tone: Toast["tone"], text: string, action?: ToastAction): number {
  const id = ++lastId;
  const all = [...toasts, { id, tone, text, action }];
  const oldest = all.length > shownMax ? all.find((one) => !one.action) : undefined;
  change(all.filter((one) => one !== oldest));
  const leave = () => {
    if (isHeld) setTimeout(leave, shownMilliseconds);
    else dismiss(id);
  };
  setTimeout(leave, shownMilliseconds);
  return id;
}

let isHeld = false;

/** Keeps toasts while one has the focus: removal would lose it. */
export function hold(held: boolean): void {
  isHeld = held;
}

export function dismiss(id: number): void {
  withdraw(id)?.action?.onLeave();
}

export function act(id: number): void {
  withdraw(id)?.action?.onPress();
}

function withdraw(id: number): Toast | undefined {
  const gone = toasts.find((shown) => shown.id === id);
  if (!gone) return undefined;
  isHeld = false;
  change(toasts.filter((shown) => shown !== gone));
  return gone;
}

/** A text for screen readers, and the dialog that was topmost then. */
interface Announcement {
  /** Unique: a repeated text is spoken only as a new element. */
  id: number;
  text: string;
  place: string | undefined;
}

let announced: readonly Announcement[] = [];

/** Announces texts to screen readers only, in the topmost dialog or the layout. Replaces the previous ones. */
export function announce(texts: readonly string[]): void {
  const place = places.at(-1);
  announced = texts.map((text) => ({ id: ++lastId, text, place }));
  listeners.tell();
}

export const readAnnouncements = (): readonly Announcement[] => announced;

export const toastStore = { subscribe: listeners.add, read: () => toasts };

let places: readonly string[] = [];

export const dialogPlaces = {
  subscribe: toastStore.subscribe,
  last: () => places.at(-1),
  open: (id: string) => {
    places = [...places, id];
    listeners.tell();
    return () => {
      places = places.filter((one) => one !== id);
      listeners.tell();
    };
  },
};

function change(next: readonly Toast[]) {
  toasts = next;
  listeners.tell();
}
