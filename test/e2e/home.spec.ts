import { enter, newBuyer } from "./buyer.ts";
import { expect, expectFits, kept, test } from "./fixtures.ts";

test("what a visitor picks on the home page waits for the account", async ({ page }) => {
  await page.goto("/en");
  await page.getByRole("combobox", { name: "Site" }).selectOption("Instagram");
  const domains = page.getByLabel("Mail domain");
  const second = (await domains.locator("option").nth(1).getAttribute("value")) ?? "";
  await expect(domains.locator("option").nth(1)).toContainText(/\$\d\.\d{4}/);
  await domains.selectOption(second);
  await page.getByRole("button", { name: "Get email" }).click();
  await expect(page.getByRole("dialog", { name: "Create an account" })).toBeVisible();
  const picked = await kept(page, "pendingEmailRequest");
  expect(JSON.parse(picked ?? "")).toEqual({ from: "instagram", to: second });
  await page.reload();
  await expect(page.getByRole("combobox", { name: "Site" })).toHaveValue("instagram");
});

test("the language switcher rewrites the address, keeps what was chosen, its place and the query, and is found again at /", async ({
  page,
}) => {
  await page.goto("/en?a=1#request");
  await page.getByRole("combobox", { name: "Site" }).selectOption("Discord");
  await page.getByLabel("Language").selectOption("Русский");
  await expect(page).toHaveURL(/\/ru\?a=1#request$/);
  await expect(page.getByRole("combobox", { name: "Сайт" })).toHaveValue("discord");
  await page.getByLabel("Язык").selectOption("العربية");
  await expect(page).toHaveURL(/\/ar\?a=1#request$/);
  await expect(page.getByRole("heading", { level: 1, name: "عنوان جديد لكل تسجيل" })).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("dir", "rtl");
  await page.goto("/?ref=friend&b=2");
  await expect(page).toHaveURL(/\/ar\?b=2$/);
});

test("what was typed into the order form outlives a switch of the language", async ({ page, request }) => {
  await enter(page, await newBuyer(request, "0"));
  await page.goto("/en/dashboard");
  const site = page.locator('input[inputmode="url"]');
  await site.fill("half-typed");
  await page.getByLabel("Language").selectOption("العربية");
  await expect(page.locator("html")).toHaveAttribute("dir", "rtl");
  await expect(page).toHaveURL(/\/ar\/dashboard$/);
  await expect(site).toHaveValue("half-typed");
});

test("a language that is none of ours is answered in the saved one, which is found in local storage when its cookie is gone", async ({
  page,
  context,
}) => {
  await page.goto("/hi");
  await expect.poll(() => kept(page, "language")).toBe("hi");
  const answered = await page.goto("/de/docs");
  expect(answered?.status()).toBe(404);
  await expect(page.locator("html")).toHaveAttribute("lang", "hi");
  await expect(page.getByText("/de/docs")).toBeVisible();
  await context.clearCookies();
  await page.goto("/docs");
  await expect(page).toHaveURL(/\/hi\/docs$/);
});

test("an address that is no page is named", async ({ page }) => {
  const answer = await page.goto("/en/nowhere/at-all");
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole("heading", { name: "Route not found" })).toBeVisible();
  await expect(page.getByText("/en/nowhere/at-all")).toBeVisible();
  await page.getByRole("link", { name: "Go to the home page" }).click();
  await expect(page).toHaveURL(/\/en$/);
});

test("the dashboard asks a stranger to sign in, by its link and by its address", async ({ page }) => {
  await page.goto("/en/nowhere");
  await page.getByRole("link", { name: "Dashboard" }).filter({ visible: true }).click();
  await expect(page.getByRole("dialog", { name: "Sign in" })).toBeVisible();
  await expect(page).toHaveURL(/\/en\/nowhere$/);
  const scripts = Promise.withResolvers<void>();
  await page.route("**/assets/index-*.js", async (route) => {
    await scripts.promise;
    await route.continue();
  });
  for (const guarded of ["/en/dashboard", "/en/payments/pay?id=1"]) {
    await page.goto(guarded, { waitUntil: "commit" });
    if (guarded === "/en/dashboard") {
      const mark = (root: Element) => getComputedStyle(root, "::before").content;
      await expect.poll(() => page.locator("#root").evaluate(mark)).toBe('""');
      scripts.resolve();
    }
    await expect(page.getByRole("dialog", { name: "Sign in" })).toBeVisible();
    await expect(page).toHaveURL(/\/en$/);
  }
});

test("a chosen theme outlives a reload, and is that of every tab", async ({ page, context }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto("/en");
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await paper();
  await page.getByRole("button", { name: "Theme: system" }).click();
  await page.getByRole("button", { name: "Theme: light" }).click();
  await expect(page.getByRole("button", { name: "Theme: dark" })).toBeVisible();
  expect(await paper()).not.toBe(light);
  const dark = await paper();
  await page.reload();
  expect(await paper()).toBe(dark);
  const other = await context.newPage();
  await other.emulateMedia({ colorScheme: "light" });
  await other.goto("/en/docs");
  await other.getByRole("button", { name: "Theme: dark" }).click();
  await expect(page.getByRole("button", { name: "Theme: system" })).toBeVisible();
  expect(await paper()).toBe(light);
});

test("the price of each mail domain on sale is told before anybody signs in", async ({ page }) => {
  await page.goto("/en");
  const prices = page.getByRole("region", { name: "Prices" });
  const names = await page
    .getByLabel("Mail domain")
    .locator("option")
    .evaluateAll((options) => options.map((option) => (option as HTMLOptionElement).value));
  expect(names.length).toBeGreaterThan(0);
  for (const name of names.slice(0, 8)) {
    await expect(prices.getByRole("listitem").filter({ hasText: name })).toContainText(/\$\d\.\d{4}/);
  }
});

test("a followed link begins at the top of its page, and going back finds the old place", async ({
  page,
}) => {
  await page.goto("/en");
  const link = page.getByRole("link", { name: "API documentation" });
  await link.scrollIntoViewIfNeeded();
  const place = await page.evaluate(() => scrollY);
  expect(place).toBeGreaterThan(0);
  await link.click();
  await expect(page.getByRole("main")).toBeFocused();
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await page.goBack();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(place);
});

test("the keyboard reaches the content at once, and what has the focus is never behind the header or the bar of phones", async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/en");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
  await page.reload();
  for (let step = 0; step < 40; step++) {
    await page.keyboard.press("Tab");
    const hidden = await page.evaluate(() => {
      const focused = document.activeElement;
      if (!focused || focused === document.body || focused.closest("header, nav")) return false;
      const { left, top, width, height } = focused.getBoundingClientRect();
      const seen = document.elementFromPoint(left + width / 2, top + height / 2);
      return seen !== null && seen.closest("header, nav") !== null;
    });
    expect(hidden).toBe(false);
  }
});

test("nothing is cut off at twice the size of text", async ({ page }) => {
  await page.setViewportSize({ width: 640, height: 480 });
  await page.goto("/en");
  await page.addStyleTag({ content: "html { font-size: 200% }" });
  await expectFits(page);
});
