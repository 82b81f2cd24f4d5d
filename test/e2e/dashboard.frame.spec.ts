import type { Locator, Page } from "@playwright/test";
import { enter, theMember } from "./buyer.ts";
import { activation, rows } from "./orderRows.ts";
import { expect, test } from "./fixtures.ts";
import { answer, texts, walked } from "./visitor.ts";

const levels = (page: Page) =>
  page.getByRole("heading").evaluateAll((all) => all.map(({ tagName }) => Number(tagName.slice(1))));

const heights = (elements: Locator) =>
  elements.evaluateAll((all) => all.map((element) => element.getBoundingClientRect().height));

test("no page of a buyer leaves a level of headings out", { tag: "@full" }, async ({ page, request }) => {
  await enter(page, await theMember(request));
  for (const path of ["", "/dashboard", "/dashboard/api", "/dashboard/statement", "/docs"]) {
    await page.goto(`/en${path}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
    const found = await levels(page);
    const skipped = found.filter((level, at) => level > (found[at - 1] ?? 0) + 1);
    expect(skipped, `${path}: ${found.join(" ")}`).toEqual([]);
  }
  await page.goto("/en/dashboard");
  const title = texts.en["activations.title"];
  await expect(page.getByRole("heading", { level: 2, name: title })).toBeAttached();
});

test("forced colours tell the page, the list and the site that are chosen", async ({ page, request }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await enter(page, await theMember(request));
  await page.goto("/en/dashboard?from=instagram.com&to=letters");
  const t = texts.en;
  const form = page.locator("form").filter({ has: page.locator('[data-shortcut="site"]') });
  const several = {
    pages: page.getByRole("navigation", { name: t["nav.main"] }).first().getByRole("link"),
    account: page.getByRole("navigation", { name: t["nav.dashboard"] }).getByRole("link"),
    lists: page.locator("#activations").getByRole("tab"),
    sites: form.locator("button[aria-pressed]"),
  };
  const painted = (elements: Locator) =>
    elements.evaluateAll((all) => {
      const probe = document.body.appendChild(document.createElement("i"));
      probe.style.background = "Highlight";
      const chosen = getComputedStyle(probe).backgroundColor;
      probe.remove();
      return all.map((element) => getComputedStyle(element).backgroundColor === chosen);
    });
  for (const [name, elements] of Object.entries(several)) {
    await expect(elements.nth(1)).toBeAttached();
    await expect
      .poll(async () => (await painted(elements)).filter((isChosen) => isChosen), { message: name })
      .toEqual([true]);
  }
});

test("zoomed to 400 %, no bar stands still in the window", async ({ page, request }) => {
  await page.setViewportSize({ width: 320, height: 256 });
  await enter(page, await theMember(request));
  await page.goto("/en/dashboard?from=instagram.com&to=letters");
  const t = texts.en;
  const site = page.getByLabel(t["order.site"], { exact: true });
  const quantity = page.getByRole("spinbutton", { name: t["order.quantity"] });
  await expect(quantity).toBeAttached();
  await site.evaluate((element) => element.scrollIntoView({ block: "center" }));
  await expect(site).toBeInViewport();
  await expect(page.getByRole("banner")).not.toBeInViewport();
  await expect(quantity).not.toBeInViewport();
  await page.getByRole("button", { name: t["topup.open"] }).first().click();
  const dialog = page.getByRole("dialog", { name: t["topup.title"] });
  await dialog.getByRole("button", { name: t["topup.do"] }).scrollIntoViewIfNeeded();
  await expect(dialog.getByRole("button", { name: t["ui.close"] })).not.toBeInViewport();
});

for (const language of walked) {
  test(
    `the pages of the account fade on the side where they go on (${language})`,
    { tag: "@full" },
    async ({ page, request }) => {
      await enter(page, await theMember(request));
      await page.setViewportSize({ width: 240, height: 700 });
      await page.goto(`/${language}/dashboard`);
      const nav = page.getByRole("navigation", { name: texts[language]["nav.dashboard"] });
      const fades = () =>
        nav.evaluate((element) => {
          const style = getComputedStyle(element);
          const side = style.maskImage.includes("to left") ? "left" : "right";
          return [side, style.getPropertyValue("--fade-start"), style.getPropertyValue("--fade-end")];
        });
      const onward = language === "ar" ? "left" : "right";
      await expect.poll(fades).toEqual([onward, "0px", "32px"]);
      await nav.evaluate((element) => {
        const way = getComputedStyle(element).direction === "rtl" ? -1 : 1;
        element.scrollLeft = way * element.scrollWidth;
      });
      await expect.poll(fades).toEqual([onward, "32px", "0px"]);
      await page.setViewportSize({ width: 1280, height: 700 });
      await expect(nav).toHaveCSS("mask-image", "none");
    },
  );
}

for (const language of walked) {
  test(
    `on a phone the page of the account that is shown is in sight among the others (${language})`,
    { tag: language === "en" ? [] : "@full" },
    async ({ page, request }) => {
      await enter(page, await theMember(request));
      await page.setViewportSize({ width: 240, height: 700 });
      const nav = page.getByRole("navigation", { name: texts[language]["nav.dashboard"] });
      for (const path of ["dashboard/statement", "dashboard", "dashboard/api"]) {
        await page.goto(`/${language}/${path}`);
        await expect(nav.locator("[aria-current]")).toBeInViewport({ ratio: 0.9 });
      }
      await nav.getByRole("link", { name: texts[language]["statement.title"] }).click();
      await expect(page).toHaveURL(/statement$/);
      await expect(nav.locator("[aria-current]")).toBeInViewport({ ratio: 0.9 });
    },
  );
}

test(
  "orders stand close in a wide list, and the mail types of no site take little room",
  { tag: ["@full", "@both"] },
  async ({ page, request }) => {
    const data = [activation("1", 1, { code: "482910" }), activation("2", 0)];
    await answer(page, "/user/activations", { status: "success", data, pages: 1 });
    await enter(page, await theMember(request));
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto("/en/dashboard");
    await expect(rows(page)).toHaveCount(2);
    await expect(rows(page).last()).toBeVisible();
    const finger = await page.evaluate(() => matchMedia("(pointer: coarse)").matches);
    for (const height of await heights(rows(page))) expect(height).toBeLessThanOrEqual(finger ? 88 : 76);
    const buttons = await heights(rows(page).getByRole("group").getByRole("button"));
    expect(buttons).not.toEqual([]);
    for (const height of buttons) expect(height).toBeGreaterThanOrEqual(finger ? 44 : 24);
    const types = page.getByRole("group", { name: texts.en["order.types"] });
    const height = async () => (await types.boundingBox())?.height;
    await expect(types.getByText(texts.en["order.types.ask"])).toBeVisible();
    expect(await height()).toBeLessThan(230);
    await page.getByLabel(texts.en["order.site"], { exact: true }).fill("instagram.com");
    await expect(types.getByRole("radio").first()).toBeVisible();
    expect(await height()).toBeGreaterThan(230);
  },
);

test("site, buy button and newest order are in the first screen of a phone, eight rows in that of a desktop, and few stops of Tab away", async ({
  page,
  request,
}) => {
  const data = Array.from({ length: 10 }, (_, at) => activation(String(at + 1), 0));
  await answer(page, "/user/activations", { status: "success", data, pages: 1 });
  await answer(page, "/user/balance", { status: "success", balance: "1.0" });
  await enter(page, await theMember(request));
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/en/dashboard?from=instagram&to=letters.test");
  await expect(page.getByRole("radio", { name: /letters\.test/ })).toBeChecked();
  // A visitor who comes back: the site and its mail type are kept.
  await page.goto("/en/dashboard");
  const site = page.getByLabel(texts.en["order.site"], { exact: true });
  const newest = rows(page).first().getByRole("button").first();
  await expect(page.getByRole("button", { name: /^Buy / })).toBeInViewport({ ratio: 1 });
  await expect(site).toBeInViewport({ ratio: 1 });
  await expect(newest).toBeInViewport();

  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(rows(page).nth(7)).toBeInViewport({ ratio: 1 });
  for (const [keys, reached] of [
    ["Tab Enter", site],
    ["Tab Tab Enter", rows(page).first().locator(":focus")],
    ["n", site],
  ] as const) {
    // The page hides what it has until it knows of open payments: who is faster waits for it.
    const known = Promise.withResolvers<void>();
    await page.route("**/user/payments*", async (route) => {
      await known.promise;
      await route.fallback();
    });
    await page.reload();
    await expect(rows(page)).toHaveCount(10);
    for (const key of keys.split(" ")) await page.keyboard.press(key);
    known.resolve();
    await expect(reached).toBeFocused();
  }
});
