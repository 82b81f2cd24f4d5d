import { hostile } from "./storiesPage.ts";
import { test } from "./ownShop.ts";
import { expect, expectAccessible, expectFits } from "./fixtures.ts";
import { texts } from "./visitor.ts";

test("what an administrator publishes is on home in each language, harmless, and gone when it is deleted", async ({
  page,
  shop,
}) => {
  const { id } = await shop.say("/api/admin/newsmain/create", {
    importance: "critical",
    translations: [
      {
        lang: "en",
        title: "Meadow is on sale",
        lines: ["from <b>0.0035</b>, see [the docs](https://docs.example/meadow)", ...hostile],
        date: "2026-11-20",
      },
      { lang: "ar", title: "المرج متاح الآن", lines: ["السعر 0.0035"], date: "2026-11-21" },
    ],
  });
  await page.goto("/en");
  const news = page.getByRole("region", { name: texts.en["news.title"] });
  const item = news.getByRole("listitem");
  await expect(item).toContainText("20.11.2026");
  await expect(item).toContainText(texts.en["news.critical"]);
  await expect(item.locator("b")).toHaveText("0.0035");
  const link = item.getByRole("link", { name: "the docs" });
  await expect(link).toHaveAttribute("href", "https://docs.example/meadow");
  await expect(link).toHaveAttribute("target", "_blank");
  await expect(link).toHaveAttribute("rel", "noopener noreferrer nofollow");
  for (const text of ["after a script", "after a picture", "[press](javascript:"])
    await expect(item).toContainText(text);
  await expect(item.locator("script, img, [onerror]")).toHaveCount(0);
  await expect(item.getByRole("link")).toHaveCount(1);
  await expect(page).not.toHaveTitle("broken");
  await expectFits(page);
  await expectAccessible(page);

  await page.getByLabel("Language").selectOption("العربية");
  const arabic = page.getByRole("region", { name: texts.ar["news.title"] }).getByRole("listitem");
  await expect(arabic).toContainText("المرج متاح الآن");
  await expect(arabic).toContainText("21.11.2026");
  await expectFits(page);

  await shop.say("/api/admin/newsmain/delete", { newsId: id });
  await page.goto("/en");
  await expect(news.getByText(texts.en["news.empty"])).toBeVisible();
});

test(
  "who comes to home from another page finds the news there too, and can ask again when they do not come",
  {
    tag: "@full",
  },
  async ({ page, shop }) => {
    const { id } = await shop.say("/api/admin/newsmain/create", {
      translations: [{ lang: "en", title: "Quill is on sale", lines: [], date: "2026-11-20" }],
    });
    await page.goto("/en/docs");
    let isCut = true;
    await page.route("**/api/newsmain/list*", (route) =>
      isCut ? route.fulfill({ status: 200, json: { status: "error", value: "limit" } }) : route.continue(),
    );
    await page.getByRole("link", { name: "Postern" }).first().click();
    const news = page.getByRole("region", { name: texts.en["news.title"] });
    await expect(news.getByText(texts.en["news.failed"])).toBeVisible();
    isCut = false;
    await news.getByRole("button", { name: texts.en["news.again"] }).click();
    await expect(news.getByRole("listitem")).toContainText("Quill is on sale");
    await shop.say("/api/admin/newsmain/delete", { newsId: id });
  },
);
