export interface Toast {
  id: number;
  tone: "info" | "good" | "bad";
  text: string;
}

const shownMilliseconds = 5000;
let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

/** Says a sentence at the edge of the page for five seconds: for what happened elsewhere than under the finger. */
export function toast(tone: Toast["tone"], text: string): void {
  const id = ++lastId;
  change([...toasts, { id, tone, text }].slice(-3));
  const leave = () => {
    if (isHeld) setTimeout(leave, shownMilliseconds);
    else dismiss(id);
  };
  setTimeout(leave, shownMilliseconds);
}

let isHeld = false;

/** While the keyboard is at a toast none leaves by itself: the focus would be lost with it. */
export function hold(held: boolean): void {
  isHeld = held;
}

/** Takes a toast away. */
export function dismiss(id: number): void {
  isHeld = false;
  change(toasts.filter((shown) => shown.id !== id));
}

/** A sentence for those who hear the page, and the dialog that was the last opened when it was said. */
interface Announcement {
  /** Comes once: a sentence that was said before is heard again only as a new element. */
  id: number;
  text: string;
  place: string | undefined;
}

let announced: readonly Announcement[] = [];

/**
 * Says sentences to those who hear the page, and to nobody else: where they are now, which may be inside a dialog. They take the
 * place of the ones before.
 */
export function announce(texts: readonly string[]): void {
  const place = places.at(-1);
  announced = texts.map((text) => ({ id: ++lastId, text, place }));
  tell();
}

export const readAnnouncements = (): readonly Announcement[] => announced;

export const toastStore = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  read: () => toasts,
};

let places: readonly string[] = [];

/** The open dialogs that can show toasts, the last opened last. */
export const dialogPlaces = {
  subscribe: toastStore.subscribe,
  last: () => places.at(-1),
  /** Returns what takes it away again. */
  open: (id: string) => {
    places = [...places, id];
    tell();
    return () => {
      places = places.filter((one) => one !== id);
      tell();
    };
  },
};

function change(next: readonly Toast[]) {
  toasts = next;
  tell();
}

function tell() {
  for (const listener of listeners) listener();
}
