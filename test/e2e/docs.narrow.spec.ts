import { languageCodes, languages } from "../../src/i18n/languages.ts";
import { expect, expectAccessible, expectFits, test } from "./quiet.ts";

for (const language of languageCodes) {
  test(`the documentation fits the narrowest window in ${languages[language].name}`, async ({ page }) => {
    test.slow();
    await page.setViewportSize({ width: 320, height: 640 });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.goto(`/${language}/docs`);
      // Everything is laid out for the judge, as it would be for one who scrolls through it all.
      await page.addStyleTag({ content: "section { content-visibility: visible !important }" });
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expectFits(page);
      await expectAccessible(page, colorScheme === "light" ? "all" : "colours");
    }
  });
}
