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
  setTimeout(() => dismiss(id), shownMilliseconds);
}

/** Takes a toast away. */
export function dismiss(id: number): void {
  change(toasts.filter((shown) => shown.id !== id));
}

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
