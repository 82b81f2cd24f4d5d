import type { Page } from "@playwright/test";
import { enter, theMember } from "./buyer.ts";
import { activation, rows } from "./orderRows.ts";
import { expect, runClock, test } from "./fixtures.ts";
import { answer, no, texts } from "./visitor.ts";

const en = texts.en;

async function listIs(page: Page, data: object[]) {
  await answer(page, "/user/activations", { status: "success", data, pages: 1 });
  await page.getByRole("button", { name: en["activations.refresh"], exact: true }).click();
}

const sentence = (id: string) =>
  en["activations.arrivedCode"]
    .replace("{site}", "instagram.com")
    .replace("{email}", `box${id}@letters.test`)
    .replace("{code}", `48291${id}`);
const came = (id: string, more: object = {}) => activation(id, 1, { code: `48291${id}`, ...more });

test("letters that come at once are announced each, and the same sentence again", async ({
  page,
  request,
}) => {
  await answer(page, "/user/events", no("too many"));
  await answer(page, "/user/activations", {
    status: "success",
    data: [activation("1", 0), activation("2", 0)],
    pages: 1,
  });
  await enter(page, await theMember(request));
  await page.goto("/en/dashboard");
  await expect(rows(page)).toHaveCount(2);
  const told = page.locator("#root > * > [aria-live='polite']");
  await listIs(page, [came("1"), came("2")]);
  await expect(told).toHaveText(`${sentence("1")} ${sentence("2")}`);

  // The same code again: screen readers announce only a new element.
  const again = { email: "box2@letters.test", code: "482912" };
  await listIs(page, [activation("3", 0, { email: again.email }), came("1"), came("2")]);
  await expect(rows(page)).toHaveCount(3);
  await listIs(page, [came("3", again), came("1"), came("2")]);
  await expect(told).toHaveText(sentence("2"));
  const spoken = await told.locator("span").elementHandle();
  await listIs(page, [activation("4", 0, { email: again.email }), came("3", again)]);
  await expect(rows(page)).toHaveCount(2);
  await listIs(page, [came("4", again), came("3", again)]);
  await expect.poll(() => spoken?.evaluate((element) => element.isConnected)).toBe(false);
  await expect(told).toHaveText(sentence("2"));
});

test(
  "what is told while a dialog is open is told inside it, where it can be heard and closed",
  { tag: "@full" },
  async ({ page, request }) => {
    await answer(page, "/user/events", no("too many"));
    const waiting = [activation("1", 0, { expires_at: 1_795_258_900 }), activation("2", 0)];
    await answer(page, "/user/activations", { status: "success", data: waiting, pages: 1 });
    await enter(page, await theMember(request));
    await page.clock.install({ time: 1_795_258_800_000 });
    await page.goto("/en/dashboard");
    await expect(rows(page)).toHaveCount(2);
    await page.keyboard.press("?");
    const sheet = page.getByRole("dialog", { name: en["shortcuts.title"] });
    await expect(sheet).toBeVisible();
    // Its time is over first, so the row that leaves is no ended order. The clock stands, as a toast lasts 5 seconds.
    await page.clock.pauseAt(1_795_258_901_000);
    await answer(page, "/user/activations", { status: "success", data: [came("2")], pages: 1 });
    const told = sheet.getByRole("region", { name: en["ui.toasts"] });
    await runClock(page, 500, () => told.getByText("box1@letters.test").count()).toBe(1);
    await expect(
      page.getByText(en["activations.expired"].replace("{email}", "box1@letters.test")),
    ).toHaveCount(1);
    await expect(sheet.getByText(sentence("2"))).toHaveCount(1);
    await told.getByRole("button", { name: en["ui.close"] }).click();
    await expect(told).toBeHidden();
    await expect(sheet).toBeVisible();
    await expect(sheet.locator(":focus")).toHaveCount(1);
    // It is not announced a second time.
    await page.keyboard.press("Escape");
    await expect(sheet).toBeHidden();
    await expect(page.getByText(sentence("2"))).toHaveCount(0);

    // The row leaves while its letter is open: the focus has nowhere to return to.
    await rows(page).getByRole("button", { name: "instagram.com", exact: true }).click();
    await expect(page.getByRole("dialog", { name: en["letter.title"] })).toBeVisible();
    await answer(page, "/user/activations", { status: "success", data: [], pages: 1 });
    await page
      .getByRole("button", { name: en["activations.refresh"], exact: true, includeHidden: true })
      .evaluate((button: HTMLElement) => button.click());
    await page.clock.resume();
    await expect(rows(page)).toHaveCount(0);
    await page.keyboard.press("Escape");
    await expect(page.locator("#main")).toBeFocused();
  },
);

test("a clipboard that is refused is told, with the code", { tag: "@full" }, async ({ page, request }) => {
  await answer(page, "/user/activations", {
    status: "success",
    data: [activation("1", 1, { code: "482910" })],
    pages: 1,
  });
  await enter(page, await theMember(request));
  await page.goto("/en/dashboard");
  await expect(rows(page)).toHaveCount(1);
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException("refused", "NotAllowedError"));
  });
  await page.keyboard.press("c");
  await expect(page.getByText(en["shortcuts.notCopied"].replace("{code}", "482910"))).toBeVisible();
});
