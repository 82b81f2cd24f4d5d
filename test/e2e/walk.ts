import { type BrowserContext, expect, type Locator } from "@playwright/test";

/** What a visitor does, counted by the events of every tab of his. */
export interface Walk {
  taps: number;
  fields: ReadonlySet<string>;
  /** Presses what is in sight already: a test that scrolls would hide the way that a visitor has to scroll. */
  tap: (target: Locator) => Promise<void>;
  /** Types into a field; one that has no focus is tapped first. */
  type: (field: Locator, text: string) => Promise<void>;
  /** Begins to count anew. */
  restart: () => void;
}

export async function countWalk(context: BrowserContext): Promise<Walk> {
  const fields = new Set<string>();
  const walk: Walk = {
    taps: 0,
    fields,
    async tap(target) {
      await expect(target).toBeInViewport({ ratio: 1 });
      await target.click();
    },
    async type(field, text) {
      await expect(field).toBeVisible();
      const hasFocus = await field.evaluate((element) => element === document.activeElement);
      if (!hasFocus) await walk.tap(field);
      await field.page().keyboard.type(text);
    },
    restart() {
      walk.taps = 0;
      fields.clear();
    },
  };
  await context.exposeFunction("noteWalk", (field: string) => {
    if (field === "") walk.taps++;
    else fields.add(field);
  });
  await context.addInitScript(() => {
    const note = (field: string) =>
      (globalThis as unknown as { noteWalk: (f: string) => void }).noteWalk(field);
    addEventListener("pointerdown", ({ isTrusted }) => isTrusted && note(""), true);
    // The browser's own list of choices is one tap more.
    addEventListener("change", ({ target }) => target instanceof HTMLSelectElement && note(""), true);
    addEventListener(
      "input",
      ({ target, isTrusted }) => {
        if (!isTrusted || !(target instanceof HTMLInputElement)) return;
        // The boxes of a code are one field.
        note(target.closest("[role=group]")?.getAttribute("aria-labelledby") ?? target.name + target.id);
      },
      true,
    );
  });
  return walk;
}
