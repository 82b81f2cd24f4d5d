import type { AppKey } from "../../../i18n/t.ts";
import { paletteKey } from "../../palette/usePaletteKeys.ts";

export type Shortcut =
  | "new"
  | "search"
  | "copy"
  | "open"
  | "next"
  | "previous"
  | "activations"
  | "history"
  | "help";

export const shortcuts: readonly { does: Shortcut; key: string; text: AppKey }[] = [
  { does: "new", key: "n", text: "shortcuts.new" },
  { does: "search", key: "/", text: "shortcuts.search" },
  { does: "copy", key: "c", text: "shortcuts.copy" },
  { does: "open", key: "o", text: "shortcuts.open" },
  { does: "next", key: "j", text: "shortcuts.next" },
  { does: "previous", key: "k", text: "shortcuts.previous" },
  { does: "activations", key: "1", text: "shortcuts.activations" },
  { does: "history", key: "2", text: "shortcuts.history" },
  { does: "help", key: "?", text: "shortcuts.help" },
];

/** Keys of the palette and of dialogs, which hear them on their own; the sheet lists them. */
export const others = [
  [paletteKey, "palette.title"],
  ["Esc", "shortcuts.close"],
] as const satisfies readonly (readonly [string, AppKey])[];

type Press = Pick<KeyboardEvent, "key" | "code" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey" | "repeat">;

export function shortcutOf(press: Press): Shortcut | undefined {
  if (press.ctrlKey || press.metaKey || press.altKey) return undefined;
  const key = keyOf(press);
  if (press.shiftKey && key !== "?" && key !== "/") return undefined;
  const found = shortcuts.find((one) => one.key === key)?.does;
  return press.repeat && found !== "next" && found !== "previous" ? undefined : found;
}

/** The Latin character of a key; non-Latin keyboards use the key's position. */
function keyOf({ key, code }: Press): string {
  if (/^[؟？?]$/.test(key)) return "?";
  if (/^[\x20-\x7e]$/.test(key)) return key.toLowerCase();
  return /^(?:Key|Digit)(.)$/.exec(code)?.[1]?.toLowerCase() ?? "";
}
