import type { Page } from "@playwright/test";
import { enter } from "./buyer.ts";
import { activation } from "./orderRows.ts";
import { expect, expectAccessible, expectFits, runClock, stopClock } from "./fixtures.ts";
import { boxOf, press, row, says, slide, test, thumbnail, unfold, viewer } from "./storyAdmin.ts";
import { answer, answerTo, no, texts } from "./visitor.ts";

async function openTimed(
  page: Page,
  title: string,
  reducedMotion: "no-preference" | "reduce" = "no-preference",
) {
  await page.emulateMedia({ reducedMotion });
  await page.clock.install();
  await page.goto("/en");
  await thumbnail(page, title).click();
  await expect(viewer(page).locator("[data-autofocus]")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(viewer(page)).toBeHidden();
  await stopClock(page, 60_000);
}

test("a slide is shown for 5 seconds, then the next one, then the next story, then the viewer closes; a held press stops the time and is no click, and so does the pause button", async ({
  page,
  teller,
}) => {
  await teller.publish("Quill", { slides: [slide("Last")] });
  await teller.publish("Meadow");
  await openTimed(page, "Meadow");
  await test.step("time passes", async () => {
    await thumbnail(page, "Meadow").click();
    await expect(says(page, "Meadow 1")).toBeVisible();
    await page.clock.runFor(4_900);
    await expect(says(page, "Meadow 1")).toBeVisible();
    await page.clock.runFor(100);
    await expect(says(page, "Meadow 2")).toBeVisible();
    await page.clock.runFor(5_000);
    await expect(says(page, "Last")).toBeVisible();
    await page.clock.runFor(5_000);
    await expect(viewer(page)).toBeHidden();
    await expect(thumbnail(page, "Quill")).toHaveAttribute("data-viewed", "true");
  });
  await test.step("a held press stops it", async () => {
    await thumbnail(page, "Meadow").click();
    await expect(says(page, "Meadow 1")).toBeVisible();
    await page.clock.runFor(3_000);
    // Held for longer than its time and than 300 ms: the first slide stays.
    await press(page, 0.8, 20_000);
    await page.clock.runFor(1_900);
    await expect(says(page, "Meadow 1")).toBeVisible();
    await page.clock.runFor(100);
    await expect(says(page, "Meadow 2")).toBeVisible();
  });
  await test.step("the pause button stops it", async () => {
    await viewer(page).getByRole("button", { name: texts.en["stories.pause"] }).click();
    await page.clock.runFor(60_000);
    await expect(says(page, "Meadow 2")).toBeVisible();
    await viewer(page).getByRole("button", { name: texts.en["stories.play"] }).click();
    await page.clock.runFor(5_000);
    await expect(says(page, "Last")).toBeVisible();
  });
});

test(
  "a press on the button of a story that was held leads nowhere, a short one leads out in a tab of its own",
  { tag: "@full" },
  async ({ page, teller }) => {
    await teller.publish("Meadow", { buttontext: "To the site", link: "https://sites.example/meadow" });
    await page.context().route("https://sites.example/**", (route) => route.fulfill({ body: "there" }));
    await openTimed(page, "Meadow");
    await thumbnail(page, "Meadow").click();
    const link = viewer(page).getByRole("link", { name: "To the site" });
    await expect(link).toHaveAttribute("href", "https://sites.example/meadow");
    await expect(link).toHaveAttribute("rel", "noopener noreferrer");
    const tabs: string[] = [];
    page.context().on("page", (tab) => tabs.push(tab.url()));
    const box = await boxOf(link);
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.clock.runFor(400);
    await page.mouse.up();
    await expect(says(page, "Meadow 1")).toBeVisible();
    expect(tabs).toEqual([]);
    const [tab] = await Promise.all([page.context().waitForEvent("page"), link.click()]);
    await expect(tab).toHaveURL("https://sites.example/meadow");
    await tab.close();
    await page.clock.runFor(60_000);
    await expect(says(page, "Meadow 1")).toBeVisible();
  },
);

test(
  "the keyboard does all of it: what it opens stands until it is told to play",
  { tag: "@full" },
  async ({ page, teller }) => {
    await teller.publish("Quill");
    await teller.publish("Meadow", { buttontext: "Docs", link: "/docs" });
    await openTimed(page, "Meadow");
    await thumbnail(page, "Meadow").focus();
    await page.keyboard.press("Enter");
    await expect(says(page, "Meadow 1")).toBeVisible();
    await page.clock.runFor(60_000);
    await expect(says(page, "Meadow 1")).toBeVisible();
    await page.keyboard.press("End");
    await expect(says(page, "Meadow 2")).toBeVisible();
    await page.keyboard.press("Home");
    await expect(says(page, "Meadow 1")).toBeVisible();
    await page.keyboard.press("ArrowRight");
    await expect(says(page, "Meadow 2")).toBeVisible();
    await page.keyboard.press("ArrowLeft");
    await expect(says(page, "Meadow 1")).toBeVisible();
    await page.keyboard.press("Space");
    await page.clock.runFor(5_000);
    await expect(says(page, "Meadow 2")).toBeVisible();
    await page.keyboard.press("Space");
    await page.clock.runFor(60_000);
    await expect(says(page, "Meadow 2")).toBeVisible();
    const stops = [
      texts.en["stories.back"],
      texts.en["stories.forward"],
      texts.en["stories.play"],
      texts.en["ui.close"],
    ];
    await page.keyboard.press("Tab");
    await expect(viewer(page).getByRole("link", { name: "Docs" })).toBeFocused();
    for (const name of stops) {
      await page.keyboard.press("Tab");
      await expect(viewer(page).getByRole("button", { name })).toBeFocused();
    }
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Shift+Tab");
    await expect(viewer(page).getByRole("button", { name: texts.en["stories.forward"] })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(says(page, "Quill 1")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(viewer(page)).toBeHidden();
    await expect(thumbnail(page, "Meadow")).toBeFocused();
  },
);

test(
  "who wants nothing to move is told which slide it is, and nothing advances by itself",
  { tag: "@full" },
  async ({ page, teller }) => {
    await teller.publish("Meadow");
    await openTimed(page, "Meadow", "reduce");
    await thumbnail(page, "Meadow").click();
    const told = (number: string) =>
      texts.en["stories.slide"]
        .replace("{title}", "Meadow")
        .replace("{number}", number)
        .replace("{count}", "2");
    const spoken = viewer(page).locator("[data-autofocus][aria-live=polite]");
    await expect(spoken).toContainText(told("1"));
    await page.clock.runFor(60_000);
    await expect(spoken).toContainText(told("1"));
    await viewer(page).getByRole("button", { name: texts.en["stories.forward"] }).press("Enter");
    await expect(spoken).toContainText(told("2"));
    expect(
      await page.evaluate(() => document.querySelector("dialog")?.getAnimations({ subtree: true }).length),
    ).toBe(0);
  },
);

test.describe("of who has a token", () => {
  const kept = (page: Page) =>
    page.waitForResponse(
      (response) => response.url().endsWith("/api/stories/viewed") && response.request().method() === "POST",
    );

  test("the server remembers what was viewed, in any browser", async ({ page, shop, teller }) => {
    await teller.publish("Meadow");
    await enter(page, { token: shop.ordinary });
    await page.goto("/en/dashboard");
    await unfold(page);
    const [answered] = await Promise.all([kept(page), thumbnail(page, "Meadow").click()]);
    expect(await answered.json()).toMatchObject({ status: "success" });
    await viewer(page).getByRole("button", { name: texts.en["ui.close"] }).click();
    await expectFits(page);
    await page.evaluate(() => localStorage.removeItem("viewedStories"));
    await page.goto("/en");
    await expect(thumbnail(page, "Meadow")).toHaveAttribute("data-viewed", "true");
  });

  test("a critical story opens by itself for the users 1 to 3, once, and for nobody else; the activation form waits for it", async ({
    page,
    shop,
    teller,
  }) => {
    await teller.publish("Urgent", { is_critical: 1 });
    await teller.publish("Meadow");
    await enter(page, { token: shop.administrator });
    await page.goto("/en/dashboard");
    await expect(says(page, "Urgent 1")).toBeVisible();
    await viewer(page).getByRole("button", { name: texts.en["ui.close"] }).click();
    const asked = () => page.waitForResponse((response) => response.url().includes("/api/stories/viewed?"));
    const openHome = async () => {
      await Promise.all([asked(), page.goto("/en")]);
      await expect(row(page)).toBeVisible();
      // By then the story would have opened.
      await page.waitForFunction(() => document.querySelector("dialog") === null);
    };
    await openHome();
    await expect(viewer(page)).toHaveCount(0);
    await page.evaluate(() => localStorage.clear());
    await enter(page, { token: shop.ordinary });
    await openHome();
    await expect(thumbnail(page, "Urgent")).toHaveAttribute("data-viewed", "false");
    await expect(viewer(page)).toHaveCount(0);

    await test.step("the activation form waits until it is closed", async () => {
      await teller.publish("Later", { is_critical: 1 });
      await enter(page, { token: shop.administrator });
      await page.route("**/user/information", async (route) => {
        const response = await answerTo(route);
        const { data, ...body } = (await response.json()) as { data: object };
        await route.fulfill({ response, json: { ...body, data: { ...data, active: false } } });
      });
      await page.clock.install();
      await page.goto("/en/dashboard");
      await expect(says(page, "Later 1")).toBeVisible();
      await expect(page.getByText(texts.en["profile.inactive"])).toBeAttached();
      // At its time and long after.
      for (let times = 0; times < 5; times++) await page.clock.runFor(1000);
      await expect(page.locator("dialog[open]")).toHaveCount(1);
      await viewer(page).getByRole("button", { name: texts.en["ui.close"] }).click();
      const form = page.getByRole("dialog", { name: texts.en["auth.activate"] });
      await expect(form).toBeVisible();
      await expect(viewer(page)).toHaveCount(0);
    });
  });

  test(
    "what is told while a story is open is told over it, where it can be heard and closed",
    { tag: "@full" },
    async ({ page, shop, teller }) => {
      await teller.publish("Meadow");
      await answer(page, "/user/events", no("too many"));
      const waiting = activation("1", 0, { expires_at: 1_795_258_900 });
      await answer(page, "/user/activations", { status: "success", data: [waiting], pages: 1 });
      await enter(page, { token: shop.ordinary });
      await page.clock.install({ time: 1_795_258_800_000 });
      await page.goto("/en/dashboard");
      await expect(page.getByText("box1@letters.test")).toBeVisible();
      await unfold(page);
      await thumbnail(page, "Meadow").click();
      await expect(says(page, "Meadow 1")).toBeVisible();
      await page.clock.pauseAt(1_795_258_901_000);
      await answer(page, "/user/activations", { status: "success", data: [], pages: 1 });
      const told = viewer(page).getByRole("region", { name: texts.en["ui.toasts"] });
      await runClock(page, 500, () => told.getByText("box1@letters.test").count()).toBe(1);
      await expectFits(page);
      await told.getByRole("button", { name: texts.en["ui.close"] }).click();
      await expect(told).toBeHidden();
      await expect(says(page, "Meadow 1")).toBeVisible();
    },
  );

  test(
    "a critical story does not open over another dialog",
    { tag: "@full" },
    async ({ page, shop, teller }) => {
      await teller.publish("Urgent", { is_critical: 1 });
      await enter(page, { token: shop.administrator });
      let tell = () => {};
      const told = new Promise<void>((resolve) => (tell = resolve));
      await page.route("**/api/stories/viewed?*", async (route) => {
        await told;
        await route.fulfill({ json: { status: "success", viewed: [] } });
      });
      await page.goto("/en/dashboard");
      await page.getByRole("button", { name: texts.en["topup.open"] }).first().click();
      const other = page.getByRole("dialog");
      await expect(other).toBeVisible();
      const answered = page.waitForResponse("**/api/stories/viewed?*");
      tell();
      await (await answered).finished();
      await expect(viewer(page)).toHaveCount(0);
      await expect(other).toHaveCount(1);
    },
  );
});

test(
  "pictures are fetched one slide ahead; one that does not come leaves the gradient",
  { tag: "@full" },
  async ({ page, shop, teller }) => {
    const [cover, near, far] = [
      await shop.picture("#c03030"),
      await shop.picture("#30c060"),
      await shop.picture("#3060c0"),
    ];
    const slides = [
      slide("First", { image: cover }),
      slide("Second", { image: near }),
      slide("Third", { image: far }),
    ];
    const id = await teller.publish("Meadow", { image: cover, slides });
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await page.route(`**${far}*`, (route) => route.fulfill({ contentType: "image/webp", body: "none" }));
    await page.goto("/en");
    const small = thumbnail(page, "Meadow").locator("img");
    await small.scrollIntoViewIfNeeded();
    await expect(small).toHaveAttribute("src", `${cover.replace(".webp", ".thumb.webp")}?v=${id}`);
    await expect(small).toHaveJSProperty("naturalWidth", 216);
    const fetchedAhead = page.waitForResponse(`**${near}*`);
    await thumbnail(page, "Meadow").click();
    await expect(says(page, "First")).toBeVisible();
    await fetchedAhead;
    expect(asked).not.toContain(far);
    await page.keyboard.press("End");
    const shown = viewer(page).locator("img");
    await expect(shown).toHaveJSProperty("complete", true);
    await expect(shown).toHaveJSProperty("naturalWidth", 0);
    await expect(says(page, "Third")).toBeVisible();
    await expectAccessible(page);
  },
);

test(
  "a story that does not come says so and comes at the next try; one that was taken away says that",
  { tag: "@full" },
  async ({ page, teller }) => {
    await teller.publish("Meadow");
    await page.goto("/en");
    await answer(page, "/api/stories/list", no("server"));
    await thumbnail(page, "Meadow").click();
    await expect(viewer(page).getByRole("alert")).toHaveText(texts.en["stories.failed"]);
    await page.unrouteAll();
    await viewer(page).getByRole("button", { name: texts.en["stories.again"] }).click();
    await expect(says(page, "Meadow 1")).toBeVisible();
    await page.keyboard.press("Escape");
    await teller.clear();
    await thumbnail(page, "Meadow").click();
    await expect(viewer(page).getByRole("status")).toHaveText(texts.en["stories.gone"]);
    await viewer(page).getByRole("button", { name: texts.en["ui.close"] }).click();
    await expect(viewer(page)).toBeHidden();
  },
);

test("each load of a page tries a POST once, also where every frame takes too long", async ({ page }) => {
  await page.addInitScript(() => {
    const frame = () => {
      const end = performance.now() + 20;
      while (performance.now() < end);
      requestAnimationFrame(frame);
    };
    frame();
  });
  const tried: unknown[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/api/testpost")) tried.push(request.postDataJSON());
  });
  const answered = page.waitForResponse("**/api/testpost");
  await page.goto("/en");
  expect((await answered).status()).toBe(200);
  await page.getByRole("link", { name: texts.en["nav.docs"] }).first().click();
  await expect(page).toHaveURL(/docs/);
  expect(tried).toEqual([{ test: 1 }]);
});
