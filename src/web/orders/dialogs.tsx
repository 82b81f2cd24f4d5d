// The dialogs of orders, in parts of their own: the dashboard is shown without them.
import { lazyPart } from "../lazyPart.tsx";

const loadLetter = () => import("./letter/LetterDialog.tsx");
const loadTimeline = () => import("./timeline/TimelineDialog.tsx");

export const LetterDialog = lazyPart(async () => (await loadLetter()).LetterDialog);
export const TimelineDialog = lazyPart(async () => (await loadTimeline()).TimelineDialog);
export const ReorderDialog = lazyPart(async () => (await import("./form/ReorderDialog.tsx")).ReorderDialog);
export const ShortcutsDialog = lazyPart(
  async () => (await import("./list/ShortcutsDialog.tsx")).ShortcutsDialog,
);

/** Loads ahead what most readers open, so that it opens at once, also without a connection. */
export function preloadDialogs(): void {
  const ignore = () => {};
  loadLetter().catch(ignore);
  loadTimeline().catch(ignore);
}
