import { languageCodes } from "../../src/i18n/languages.ts";
import { hostile, listed, named, openEditor, texts } from "./storiesPage.ts";
import { enter } from "./buyer.ts";
import { test } from "./ownShop.ts";
import { expect, expectAccessible, expectFits } from "./fixtures.ts";

test.describe.configure({ mode: "default" });

test("who asks is seen to be checked first, and denied without a token and when nothing answers", async ({
  page,
  shop,
}) => {
  const t = texts.en;
  const denied = page.getByText(t["office.access.denied"], { exact: true });
  await page.goto("/en/admin/stories");
  await expect(denied).toBeVisible();
  await expect(page.getByRole("tab")).toHaveCount(0);
  await expect(page.locator('meta[name="robots"]')).toHaveAttribute("content", /noindex/);
  const held = Promise.withResolvers<void>();
  await page.route("**/api/admin/check", async (route) => {
    await held.promise;
    await route.fulfill({ body: "" });
  });
  await openEditor(page, shop.administrator, "news");
  await expect(page.getByText(t["office.access.checking"])).toBeVisible();
  held.resolve();
  await expect(denied).toBeVisible();
});

test("the first administrator sees the way to the stories, no other account does; the tabs are remembered", async ({
  page,
  shop,
}) => {
  const t = texts.en;
  await enter(page, { token: shop.ordinary });
  await page.goto("/en/dashboard");
  await expect(page.getByRole("button", { name: t["profile.avatar.change"] })).toBeVisible();
  await expect(page.getByRole("link", { name: t["profile.stories"] })).toHaveCount(0);

  await enter(page, { token: shop.administrator });
  await page.goto("/en/dashboard");
  await expect(page.getByRole("link", { name: t["profile.stories.write"] })).toBeVisible();
  await page.getByRole("link", { name: t["profile.stories"], exact: true }).click();
  const tab = (name: string) => page.getByRole("tab", { name });
  await expect(tab(t["editor.tab.stories"])).toHaveAttribute("aria-selected", "true");
  await tab(t["editor.tab.news"]).click();
  await page.reload();
  await expect(tab(t["editor.tab.news"])).toHaveAttribute("aria-selected", "true");
});

test("an announcement in six languages is written, seen on home, changed and deleted, from right to left", async ({
  page,
  shop,
}) => {
  const language = "ar";
  const t = texts[language];
  const title = (code: string) => `Meadow ${code}`;
  await openEditor(page, shop.administrator, "news", language);
  const form = page.getByRole("region", { name: t["editor.news.new"] });
  await expect(form.getByLabel(t["editor.news.priority"])).toHaveValue("100");
  await form.getByLabel(t["editor.news.priority"]).fill("many");
  await form.getByRole("button", { name: t["editor.save"] }).click();
  await expect(form.getByText(t["editor.news.priority.wrong"])).toBeVisible();
  await expect(form.getByText(t["editor.news.empty"])).toBeVisible();
  await form.getByLabel(t["editor.news.priority"]).fill("300");
  await form.getByLabel(t["editor.news.importance"]).selectOption("critical");
  for (const code of languageCodes) {
    await form.getByRole("tab", { name: new RegExp(`^${code}`, "i") }).click();
    await form.getByLabel(t["editor.title"]).fill(title(code));
    await form
      .getByLabel(t["editor.news.lines"], { exact: true })
      .fill(["see [the docs](https://docs.example/)", ...hostile].join("\n"));
  }
  await form.getByLabel(t["editor.news.date"]).fill("2026-12-24");
  await expectFits(page);
  await expectAccessible(page);
  await form.getByRole("button", { name: t["editor.save"] }).click();
  await expect(page.getByText(t["editor.news.added"])).toBeVisible();
  await expect(form.getByLabel(t["editor.title"])).toHaveValue("");
  await expect(form.getByLabel(t["editor.news.priority"])).toHaveValue("100");

  const row = page.getByRole("region", { name: t["editor.news.list"] }).getByRole("listitem").first();
  await expect(row).toContainText(title("hi"));
  await expect(row).toContainText("24.12.2026");
  await expect(row).toContainText(t["news.critical"]);
  const link = row.getByRole("link", { name: "the docs" });
  await expect(link).toHaveAttribute("target", "_blank");
  await expect(link).toHaveAttribute("rel", /noopener/);
  await expect(row.locator("script, img, [onerror]")).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole("tab", { name: /^HI/ })).toHaveAttribute("aria-selected", "true");
  for (const code of languageCodes) {
    const [first] = await listed(shop, "newsmain", code);
    expect(first).toMatchObject({ title: title(code), importance: "critical", date: "2026-12-24" });
  }
  await page.goto(`/${language}`);
  await expect(page.getByRole("heading", { name: title(language) })).toBeVisible();
  await expect(page).not.toHaveTitle("broken");

  const [{ id } = {}] = await listed(shop, "newsmain", "en");
  await page.goto(`/${language}/admin/stories`);
  await page.getByRole("button", { name: named(t["editor.edit"], id) }).click();
  const edited = page.getByRole("region", { name: named(t["editor.news.edit"], id) });
  await expect(edited.getByRole("heading", { level: 2 })).toBeFocused();
  await edited.getByRole("tab", { name: /^EN/ }).click();
  await edited.getByLabel(t["editor.title"]).fill(`${title("en")}, again`);
  await edited.getByRole("button", { name: t["editor.update"] }).click();
  await expect(page.getByText(t["editor.news.updated"])).toBeVisible();
  expect(await listed(shop, "newsmain", "en")).toMatchObject([{ title: `${title("en")}, again` }]);
  expect(await listed(shop, "newsmain", "ru")).toMatchObject([{ title: title("ru") }]);

  await edited.getByRole("button", { name: t["editor.news.delete"] }).click();
  const dialog = page.getByRole("dialog", {
    name: t["editor.news.delete.title"].replace("{id}", `\u2068${String(id)}\u2069`),
  });
  await expectAccessible(page);
  await dialog.getByRole("button", { name: t["editor.news.delete"] }).click();
  await expect(page.getByText(t["editor.news.deleted"])).toBeVisible();
  await expect(form.getByLabel(t["editor.title"])).toHaveValue("");
  await expect(page.getByText(t["news.empty"])).toBeVisible();
  expect(await listed(shop, "newsmain", "en")).toEqual([]);
});

test(
  "announcements move a step up and down, by keys too; what could not be done is told in the words of the specification",
  { tag: "@full" },
  async ({ page, shop }) => {
    const t = texts.en;
    const ids: unknown[] = [];
    for (const title of ["First", "Second"]) {
      const translations = [{ lang: "en", title, lines: [] }];
      ids.unshift((await shop.say("/api/admin/newsmain/create", { translations }))["id"]);
    }
    await openEditor(page, shop.administrator, "news");
    const rows = page.getByRole("region", { name: t["editor.news.list"] }).getByRole("listitem");
    const button = (text: string, id: unknown) => page.getByRole("button", { name: named(text, id) });
    const headings = rows.getByRole("heading");
    await expect(headings).toHaveCount(2);
    const before = await headings.allTextContents();
    const [top] = await listed(shop, "newsmain", "en");
    await expect(button(t["editor.up"], top?.["id"])).toBeDisabled();
    await button(t["editor.down"], top?.["id"]).focus();
    await page.keyboard.press("Enter");
    await expect(headings).toHaveText(before.toReversed());
    // The last step down is disabled: the focus moves to the way up.
    await expect(button(t["editor.up"], top?.["id"])).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(headings).toHaveText(before);

    await shop.say("/api/admin/newsmain/delete", { newsId: top?.["id"] });
    const alert = page.getByRole("alert");
    await button(t["editor.edit"], top?.["id"]).click();
    await expect(alert).toContainText("Could not load the news");
    await button(t["editor.delete"], top?.["id"]).click();
    await page.getByRole("dialog").getByRole("button", { name: t["editor.news.delete"] }).click();
    await expect(alert).toContainText("Error deleting");
    await button(t["editor.down"], top?.["id"]).click();
    await expect(alert).toContainText("Error changing order");
    await expect(headings).toHaveCount(1);
    await page.route(/api\/admin\/newsmain\/(\d|update|delete)/, (route) => route.fulfill({ body: "" }));
    const [left] = await listed(shop, "newsmain", "en");
    await button(t["editor.edit"], left?.["id"]).click();
    await expect(alert).toContainText("Network error while loading the news");
    await button(t["editor.delete"], left?.["id"]).click();
    await page.getByRole("dialog").getByRole("button", { name: t["editor.news.delete"] }).click();
    await expect(alert).toContainText("Network error");
    await expect(alert).not.toContainText("loading");
    await page.unroute(/api\/admin\/newsmain\/(\d|update|delete)/);
    await page.route("**/api/admin/newsmain/create", (route) =>
      route.fulfill({ json: { status: "error", value: "too many news" } }),
    );
    await page.getByLabel(t["editor.title"]).fill("One more");
    await page.getByRole("button", { name: t["editor.save"] }).click();
    await expect(alert).toContainText("Error saving");
    await expect(alert).toContainText(t["editor.refusal.tooManyNews"]);
    await expect(page.getByLabel(t["editor.title"])).toHaveValue("One more");
    await shop.say("/api/admin/newsmain/delete", { newsId: left?.["id"] });
  },
);

test(
  "nothing unsaved is lost without a question: by a link, by the history, by editing another",
  { tag: "@full" },
  async ({ page, shop }) => {
    const t = texts.en;
    const translations = [{ lang: "en", title: "Other", lines: [] }];
    const { id } = await shop.say("/api/admin/newsmain/create", { translations });
    await openEditor(page, shop.administrator, "news");
    await page.getByRole("link", { name: t["office.title"], exact: true }).click();
    await expect(page).toHaveURL(/\/en\/admin$/);
    await page.goBack();
    const title = page.getByLabel(t["editor.title"]);
    await title.fill("Half a thought");
    const question = page.getByRole("dialog", { name: t["editor.unsaved.title"] });
    for (const leave of [
      () => page.getByRole("link", { name: t["office.title"], exact: true }).click(),
      () => page.evaluate(() => history.forward()),
      () => page.getByRole("button", { name: named(t["editor.edit"], id) }).click(),
    ]) {
      await leave();
      await expect(question).toBeVisible();
      await question.getByRole("button", { name: t["ui.cancel"] }).click();
      await expect(title).toHaveValue("Half a thought");
      await expect(page).toHaveURL(/\/en\/admin\/stories$/);
    }
    await page.getByLabel("Language", { exact: true }).selectOption("العربية");
    await expect(page.getByLabel(texts.ar["editor.title"])).toHaveValue("Half a thought");
    await page.getByRole("link", { name: texts.ar["office.title"] }).click();
    await page.getByRole("dialog").getByRole("button", { name: texts.ar["editor.unsaved.discard"] }).click();
    await expect(page).toHaveURL(/\/ar\/admin$/);
    await shop.say("/api/admin/newsmain/delete", { newsId: id });
  },
);
