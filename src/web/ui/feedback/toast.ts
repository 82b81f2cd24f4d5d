export interface Toast {
  id: number;
  tone: "info" | "good" | "bad";
  text: string;
}

const shownMilliseconds = 5000;
let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

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

/** Keeps toasts while one has the focus: removal would lose it. */
export function hold(held: boolean): void {
  isHeld = held;
}

export function dismiss(id: number): void {
  isHeld = false;
  change(toasts.filter((shown) => shown.id !== id));
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

export const dialogPlaces = {
  subscribe: toastStore.subscribe,
  last: () => places.at(-1),
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
