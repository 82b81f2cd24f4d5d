// The dialogs of orders, in parts of their own: the dashboard is shown without them.
import { lazyPart } from "../lazyPart.tsx";

export const LetterDialog = lazyPart(async () => (await import("./letter/LetterDialog.tsx")).LetterDialog);
export const TimelineDialog = lazyPart(
  async () => (await import("./timeline/TimelineDialog.tsx")).TimelineDialog,
);
export const ReorderDialog = lazyPart(async () => (await import("./form/ReorderDialog.tsx")).ReorderDialog);
export const NoteDialog = lazyPart(async () => (await import("./note/NoteDialog.tsx")).NoteDialog);
export const BackorderDialog = lazyPart(
  async () => (await import("./backorders/BackorderDialog.tsx")).BackorderDialog,
);
export const WaitingBackorders = lazyPart(
  async () => (await import("./backorders/WaitingBackorders.tsx")).WaitingBackorders,
);
export const ShortcutsDialog = lazyPart(
  async () => (await import("./list/ShortcutsDialog.tsx")).ShortcutsDialog,
);

/** Loads ahead what readers open, so that it opens at once, also without a connection. */
export function preloadDialogs(): void {
  for (const dialog of [
    LetterDialog,
    TimelineDialog,
    ReorderDialog,
    NoteDialog,
    BackorderDialog,
    ShortcutsDialog,
  ])
    dialog.preload();
}
