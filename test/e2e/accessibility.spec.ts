import { judge, type Rules } from "./accessibility.ts";
import { expect, test } from "./fixtures.ts";

test("the judge names each fault of a page, all rules or those about colours or the others, here or there", async ({
  page,
}) => {
  await page.setContent(`<!doctype html><html lang="en"><title>Faults</title><main>
    <h1>Faults</h1>
    <button id="mute"></button>
    <p style="background: #fff; color: #ccc">Faint</p>
    <dialog open aria-label="Step"><input id="nameless"></dialog>
  </main></html>`);
  const unnamed = [/^button-name at #mute /, /^label at #nameless /].map((said) =>
    expect.stringMatching(said),
  );
  const faint = expect.stringMatching(/^color-contrast at p /);
  const sorted = async (rules?: Rules, within?: string) => (await judge(page, rules, within)).toSorted();
  expect(await sorted()).toEqual([unnamed[0], faint, unnamed[1]]);
  expect(await sorted("colours")).toEqual([faint]);
  expect(await sorted("structure")).toEqual(unnamed);
  expect(await sorted("all", "dialog[open]")).toEqual([unnamed[1]]);
});
