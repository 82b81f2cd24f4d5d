import type { AppKey } from "../../../i18n/t.ts";

export type Shortcut = "new" | "copy" | "open" | "next" | "previous" | "activations" | "history" | "help";

/** Every shortcut with its key and what it does, in the order of the sheet. */
export const shortcuts: readonly { does: Shortcut; key: string; text: AppKey }[] = [
  { does: "new", key: "n", text: "shortcuts.new" },
  { does: "copy", key: "c", text: "shortcuts.copy" },
  { does: "open", key: "o", text: "shortcuts.open" },
  { does: "next", key: "j", text: "shortcuts.next" },
  { does: "previous", key: "k", text: "shortcuts.previous" },
  { does: "activations", key: "1", text: "shortcuts.activations" },
  { does: "history", key: "2", text: "shortcuts.history" },
  { does: "help", key: "?", text: "shortcuts.help" },
];

/** Dialogs close by it on their own; the sheet names it with the others. */
export const closingKey = "Esc";

type Press = Pick<KeyboardEvent, "key" | "code" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey" | "repeat">;

/** What a key asks for; undefined for all that belongs to the browser or the system. */
export function shortcutOf(press: Press): Shortcut | undefined {
  if (press.ctrlKey || press.metaKey || press.altKey) return undefined;
  const key = keyOf(press);
  if (press.shiftKey && key !== "?") return undefined;
  const found = shortcuts.find((one) => one.key === key)?.does;
  // Held down, a key walks through the rows; nothing else is meant many times.
  return press.repeat && found !== "next" && found !== "previous" ? undefined : found;
}

/** The Latin sign of a key: a Cyrillic or an Arabic keyboard is asked by the place of the key. */
function keyOf({ key, code }: Press): string {
  if (/^[؟？?]$/.test(key)) return "?";
  if (/^[\x20-\x7e]$/.test(key)) return key.toLowerCase();
  return /^(?:Key|Digit)(.)$/.exec(code)?.[1]?.toLowerCase() ?? "";
}
