import { expect, expectAccessible, expectFits, kept, test } from "./fixtures.ts";
import { boxOf, openTeller, press, row, says, slide, type Teller, thumbnail, viewer } from "./storyAdmin.ts";
import { texts, walked } from "./visitor.ts";

let teller: Teller;

test.beforeAll(async () => {
  test.setTimeout(120_000);
  teller = await openTeller();
});
test.afterAll(() => teller.shop.remove());
test.afterEach(() => teller.clear());

test("without stories there is no row, and no room is left for one", async ({ page }) => {
  await page.goto(`${teller.shop.url}/en`);
  await expect(page.getByRole("heading", { name: texts.en["news.title"] })).toBeVisible();
  await expect(page.getByText(texts.en["stories.title"], { exact: true })).toHaveCount(0);
});

for (const language of walked) {
  const t = texts[language];

  test(
    `a visitor sees what an administrator has published, and what of it he has viewed (${language})`,
    {
      tag: language === "en" ? [] : ["@full"],
    },
    async ({ page }) => {
      const first = await teller.publish("Meadow is on sale from today on", { slides: [slide("Hello")] });
      await teller.publish("Quill");
      await page.goto(`${teller.shop.url}/${language}`);
      const thumbnails = row(page, language).getByRole("button");
      await expect(thumbnails).toHaveCount(2);
      const long = thumbnails.nth(1);
      await expect(long).toHaveCSS("width", "72px");
      await expect(long).toHaveCSS("height", "100px");
      await expect(long).toHaveCSS("border-top-width", "3px");
      const cut = language === "en" ? "Meadow is on sale from today…" : "قصة Meadow is on sale from t…";
      await expect(long.getByText(cut, { exact: true })).toBeVisible();
      const title =
        language === "en" ? "Meadow is on sale from today on" : "قصة Meadow is on sale from today on";
      await expect(long).toHaveAccessibleName(t["stories.new"].replace("{title}", title));
      await expectAccessible(page);

      await long.click();
      const dialog = viewer(page, language);
      await expect(dialog.getByText("Hello", { exact: true })).toBeVisible();
      await expectAccessible(page);
      await expectFits(page);
      await dialog.getByRole("button", { name: t["ui.close"] }).click();
      await expect(dialog).toBeHidden();
      await expect(long).toHaveAccessibleName(t["stories.viewed"].replace("{title}", title));
      await expect(long).toHaveCSS("border-top-width", "1px");
      await expect(thumbnails.first()).toHaveCSS("border-top-width", "3px");
      await expect.poll(() => kept(page, "viewedStories")).toBe(JSON.stringify([first]));
      await page.reload();
      await expect(long).toHaveCSS("border-top-width", "1px");
      await expectFits(page);
    },
  );

  test(`a tap on one side turns a slide, on the other it turns it back; nine stories do not make a phone's page wider (${language})`, async ({
    page,
  }) => {
    await teller.publish("Quill");
    await teller.publish("Meadow");
    await page.goto(`${teller.shop.url}/${language}`);
    await row(page, language).getByRole("button").first().click();
    const shown = (title: string) => viewer(page, language).getByText(title, { exact: true });
    await expect(shown("Meadow 1")).toBeVisible();
    // Forward is in the reading direction.
    const [back, forward] = language === "en" ? [0.2, 0.8] : [0.8, 0.2];
    await press(page, forward, 0, language);
    await expect(shown("Meadow 2")).toBeVisible();
    await press(page, forward, 0, language);
    await expect(shown("Quill 1")).toBeVisible();
    await press(page, back, 0, language);
    await expect(shown("Meadow 2")).toBeVisible();
    for (let at = 0; at < 3; at++) await press(page, forward, 0, language);
    await expect(viewer(page, language)).toBeHidden();

    for (let at = 3; at <= 9; at++) await teller.publish(`Story ${at}`);
    await page.setViewportSize({ width: 375, height: 800 });
    await page.reload();
    await expect(row(page, language).getByRole("button")).toHaveCount(9);
    await expectFits(page);
    expect(await page.evaluate(() => scrollX)).toBe(0);
  });
}

test(
  "the button of a story leads to a page of the shop in the language of the reader",
  { tag: "@full" },
  async ({ page }) => {
    await teller.publish("Meadow", { buttontext: "الوثائق", link: "/en/docs?from=story" });
    await page.goto(`${teller.shop.url}/ar`);
    await row(page, "ar").getByRole("button").click();
    await viewer(page, "ar").getByRole("link", { name: "الوثائق" }).click();
    await expect(page).toHaveURL(`${teller.shop.url}/ar/docs?from=story`);
    await expect(viewer(page, "ar")).toBeHidden();
  },
);

test(
  "a swipe down closes, and one to the side pulls in the next story",
  { tag: "@full" },
  async ({ page }) => {
    await teller.publish("Quill");
    await teller.publish("Meadow");
    await page.goto(`${teller.shop.url}/en`);
    await thumbnail(page, "Meadow").click();
    await expect(says(page, "Meadow 1")).toBeVisible();
    const box = await boxOf(viewer(page).locator("[data-autofocus]"));
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 3];
    const swipe = async (right: number, down: number) => {
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + right, y + down, { steps: 4 });
      await page.mouse.up();
    };
    await swipe(-120, 10);
    await expect(says(page, "Quill 1")).toBeVisible();
    await swipe(5, 160);
    await expect(viewer(page)).toBeHidden();
  },
);

test(
  "a story that is awaited can be read, and its long words are scrolled by the keyboard, under a bar that stays",
  { tag: "@full" },
  async ({ page }) => {
    const text = "A line of many. ".repeat(120);
    await teller.publish("Meadow", { slides: [slide("Long", { text, bg_color: "white" }), slide("Short")] });
    const { promise, resolve } = Promise.withResolvers<undefined>();
    await page.route("**/api/stories/list*", async (route) => {
      await promise;
      await route.continue();
    });
    await page.goto(`${teller.shop.url}/en`);
    await thumbnail(page, "Meadow").click();
    await expect(viewer(page).getByText(texts.en["ui.loading"])).toBeVisible();
    await expectAccessible(page);
    resolve(undefined);
    const words = viewer(page).getByRole("group", { name: "Long" });
    await expect(words).toBeVisible();
    await expectAccessible(page);
    await words.focus();
    await page.keyboard.press("End");
    await expect.poll(() => words.evaluate((box) => box.scrollTop)).toBeGreaterThan(100);
    await page.keyboard.press("ArrowRight");
    await expect(says(page, "Short")).toBeVisible();
    await expect(viewer(page).getByRole("group")).toHaveCount(0);
  },
);

test(
  "the viewer covers the whole window, also where the page has a scroll bar",
  { tag: "@full" },
  async ({ playwright, launchOptions }) => {
    await teller.publish("Meadow");
    // Playwright hides scroll bars by default; here they take space.
    const browser = await playwright.chromium.launch({
      ...launchOptions,
      ignoreDefaultArgs: ["--hide-scrollbars"],
    });
    try {
      const page = await browser.newPage({ viewport: { width: 1000, height: 500 }, isMobile: false });
      await page.goto(`${teller.shop.url}/en`);
      const widths = () => page.evaluate(() => [innerWidth, document.documentElement.clientWidth] as const);
      const [window, room] = await widths();
      expect(room).toBeLessThan(window);
      await thumbnail(page, "Meadow").click();
      await expect(says(page, "Meadow 1")).toBeVisible();
      const box = await boxOf(viewer(page));
      expect([box.x, box.width]).toEqual([0, window]);
      await page.keyboard.press("Escape");
      await expect(viewer(page)).toBeHidden();
      expect(await widths()).toEqual([window, room]);
    } finally {
      await browser.close();
    }
  },
);
