import { languageCodes, languages } from "../../src/i18n/languages.ts";
import { expect, expectAccessible, expectFits, test } from "./quiet.ts";

for (const language of languageCodes) {
  // The documentation differs from language to language in its headings only: two of them tell enough.
  const pages = language === "en" || language === "ar" ? ["", "/docs"] : [""];
  test(`the public pages are whole in ${languages[language].name}, in light and dark`, async ({ page }) => {
    for (const path of pages.map((tail) => `/${language}${tail}`)) {
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await page.goto(path);
        await expect(page.locator("html")).toHaveAttribute("dir", languages[language].direction);
        await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
        await expectFits(page);
        await expectAccessible(page);
      }
    }
  });
}

test("what a visitor picks on the home page waits for the sign-in", async ({ page }) => {
  await page.goto("/en");
  await page.getByLabel("Site").selectOption("Instagram");
  const domains = page.getByLabel("Mail domain");
  const second = await domains.locator("option").nth(1).innerText();
  await domains.selectOption(second);
  await page.getByRole("button", { name: "Get email" }).click();
  await expect(page.getByRole("dialog", { name: "Sign in" })).toBeVisible();
  const kept = await page.evaluate(() => localStorage.getItem("pendingEmailRequest"));
  expect(JSON.parse(kept ?? "")).toEqual({ from: "instagram", to: second });
});

test("without news the home page says so", async ({ page }) => {
  await page.goto("/en");
  await expect(page.getByRole("region", { name: "News" }).getByText("No news yet")).toBeVisible();
});

test("the language switcher rewrites the address, and the choice is found again at /", async ({ page }) => {
  await page.goto("/en?a=1");
  await page.getByLabel("Language").selectOption("العربية");
  await expect(page).toHaveURL(/\/ar\?a=1$/);
  await expect(page.getByRole("heading", { level: 1, name: "عنوان جديد لكل تسجيل" })).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("dir", "rtl");
  await page.goto("/?ref=friend&b=2");
  await expect(page).toHaveURL(/\/ar\?b=2$/);
});

test("the saved language is found in local storage when its cookie is gone", async ({ page, context }) => {
  await page.goto("/hi");
  await expect.poll(() => page.evaluate(() => localStorage.getItem("language"))).toBe("hi");
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
  await page.goto("/en/docs");
  await page.getByRole("link", { name: "Dashboard" }).filter({ visible: true }).click();
  await expect(page.getByRole("dialog", { name: "Sign in" })).toBeVisible();
  await expect(page).toHaveURL(/\/en\/docs$/);
  for (const guarded of ["/en/dashboard", "/en/payments/pay?id=1"]) {
    await page.goto(guarded);
    await expect(page.getByRole("dialog", { name: "Sign in" })).toBeVisible();
    await expect(page).toHaveURL(/\/en$/);
  }
});

test("a chosen theme outlives a reload", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto("/en");
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await paper();
  await page.getByRole("button", { name: "Theme: as the system" }).click();
  await page.getByRole("button", { name: "Theme: light" }).click();
  await expect(page.getByRole("button", { name: "Theme: dark" })).toBeVisible();
  expect(await paper()).not.toBe(light);
  const dark = await paper();
  await page.reload();
  expect(await paper()).toBe(dark);
});

test("the whole page is reached by the keyboard, the content at once", async ({ page }) => {
  await page.goto("/en");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
});
