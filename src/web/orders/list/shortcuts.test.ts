import { expect, test } from "vitest";
import { shortcutOf, shortcuts } from "./shortcuts.ts";

const none = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, repeat: false };
const press = (key: string, code = "", held: Partial<typeof none> = {}) => ({ key, code, ...none, ...held });

test("every shortcut has a key of its own", () => {
  expect(new Set(shortcuts.map(({ key }) => key)).size).toBe(shortcuts.length);
  for (const { key, does } of shortcuts) expect(shortcutOf(press(key))).toBe(does);
});

test.each([
  ["т", "KeyN", "new"],
  ["ؤ", "KeyC", "copy"],
  ["१", "Digit1", "activations"],
])("on another keyboard the place of the key counts: %s", (key, code, does) => {
  expect(shortcutOf(press(key, code))).toBe(does);
});

test("a Latin letter counts wherever it lies", () => {
  expect(shortcutOf(press("n", "KeyL"))).toBe("new");
  expect(shortcutOf(press("l", "KeyN"))).toBeUndefined();
});

test.each(["?", "؟", "？"])("the question mark is typed with shift: %s", (key) => {
  expect(shortcutOf(press(key, "Slash", { shiftKey: true }))).toBe("help");
});

test.each(["ctrlKey", "metaKey", "altKey", "shiftKey"] as const)("with %s it is none of ours", (held) => {
  expect(shortcutOf(press("n", "KeyN", { [held]: true }))).toBeUndefined();
});

test("held down, a key only walks through the rows", () => {
  expect(shortcutOf(press("j", "KeyJ", { repeat: true }))).toBe("next");
  expect(shortcutOf(press("c", "KeyC", { repeat: true }))).toBeUndefined();
  expect(shortcutOf(press("Enter", "Enter"))).toBeUndefined();
});
