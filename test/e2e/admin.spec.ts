import { languageCodes } from "../../src/i18n/languages.ts";
import { type AdminShop, hostile, named, openAdminShop, texts } from "./adminShop.ts";
import { enter } from "./buyer.ts";
import { operate } from "./operator.ts";
import { expect, expectAccessible, expectFits, test } from "./quiet.ts";
import { walked } from "./visitor.ts";

let shop: AdminShop;
let ordinary: string;

test.describe.configure({ mode: "default" });
test.beforeAll(async () => {
  test.setTimeout(120_000);
  shop = await openAdminShop();
  ordinary = await shop.newAccount("ordinary@example.com");
});
test.afterAll(() => shop.remove());

test("without a token, with an ordinary account's or a blocked one's, access is denied and nobody is thrown out", async ({
  page,
}) => {
  const t = texts.en;
  const denied = page.getByText(t["office.access.denied"], { exact: true });
  await page.goto(`${shop.url}/en/admin/stories`);
  await expect(denied).toBeVisible();
  await expect(page.getByRole("tab")).toHaveCount(0);
  await expect(page.locator('meta[name="robots"]')).toHaveAttribute("content", /noindex/);
  await expectAccessible(page);
  await shop.open(page, ordinary, "news");
  await expect(denied).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem("authToken"))).toBe(ordinary);
  const blocked = await shop.newAccount("blocked@example.com");
  await operate(shop.place, "users", "block", "blocked@example.com");
  await shop.open(page, blocked, "news");
  await expect(denied).toBeVisible();
  await expect(page).toHaveURL(/\/en\/admin\/stories$/);
});

test("the first administrator sees the way to the stories, no other account does; the tabs are remembered", async ({
  page,
}) => {
  const t = texts.en;
  // The second account of the shop is an ordinary one.
  await enter(page, { token: ordinary }, shop.url);
  await page.goto(`${shop.url}/en/dashboard`);
  await expect(page.getByRole("button", { name: t["profile.avatar.change"] })).toBeVisible();
  await expect(page.getByRole("link", { name: t["profile.stories"] })).toHaveCount(0);

  await enter(page, shop, shop.url);
  await page.goto(`${shop.url}/en/dashboard`);
  await expect(page.getByRole("link", { name: t["profile.stories.write"] })).toBeVisible();
  await page.getByRole("link", { name: t["profile.stories"], exact: true }).click();
  await expect(page.getByRole("tab", { name: t["editor.tab.stories"] })).toHaveAttribute(
    "aria-selected",
    "true",
  );
  await page.getByRole("tab", { name: t["editor.tab.news"] }).click();
  await page.reload();
  await expect(page.getByRole("tab", { name: t["editor.tab.news"] })).toHaveAttribute(
    "aria-selected",
    "true",
  );
});

test("who asks is seen to be checked first, and denied when nothing answers", async ({ page }) => {
  const t = texts.en;
  let answered = () => {};
  const held = new Promise<void>((resolve) => {
    answered = resolve;
  });
  await page.route("**/api/admin/check", async (route) => {
    await held;
    await route.fulfill({ body: "" });
  });
  await shop.open(page, shop.token, "news");
  await expect(page.getByText(t["office.access.checking"])).toBeVisible();
  answered();
  await expect(page.getByText(t["office.access.denied"], { exact: true })).toBeVisible();
});

for (const language of walked) {
  test(`an announcement in six languages is written, seen on home, changed and deleted (${language})`, async ({
    page,
  }) => {
    const t = texts[language];
    const title = (code: string) => `Meadow ${language} ${code}`;
    await shop.open(page, shop.token, "news", language);
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

    // The language that was chosen last is the list's too, and is remembered.
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
      const [first] = await shop.listed("newsmain", code);
      expect(first).toMatchObject({ title: title(code), importance: "critical", date: "2026-12-24" });
    }
    await page.goto(`${shop.url}/${language}`);
    await expect(page.getByRole("heading", { name: title(language) })).toBeVisible();
    await expect(page).not.toHaveTitle("broken");

    const [{ id } = {}] = await shop.listed("newsmain", "en");
    await page.goto(`${shop.url}/${language}/admin/stories`);
    await page.getByRole("button", { name: named(t["editor.edit"], id) }).click();
    const edited = page.getByRole("region", { name: named(t["editor.news.edit"], id) });
    await expect(edited.getByRole("heading", { level: 2 })).toBeFocused();
    await edited.getByRole("tab", { name: /^EN/ }).click();
    await edited.getByLabel(t["editor.title"]).fill(`${title("en")}, again`);
    await edited.getByRole("button", { name: t["editor.update"] }).click();
    await expect(page.getByText(t["editor.news.updated"])).toBeVisible();
    expect(await shop.listed("newsmain", "en")).toMatchObject([{ title: `${title("en")}, again` }]);
    expect(await shop.listed("newsmain", "ru")).toMatchObject([{ title: title("ru") }]);

    await edited.getByRole("button", { name: t["editor.news.delete"] }).click();
    const dialog = page.getByRole("dialog", {
      name: t["editor.news.delete.title"].replace("{id}", `\u2068${String(id)}\u2069`),
    });
    await expectAccessible(page);
    await dialog.getByRole("button", { name: t["editor.news.delete"] }).click();
    await expect(page.getByText(t["editor.news.deleted"])).toBeVisible();
    // What was edited is gone: the form begins anew.
    await expect(form.getByLabel(t["editor.title"])).toHaveValue("");
    await expect(page.getByText(t["news.empty"])).toBeVisible();
    expect(await shop.listed("newsmain", "en")).toEqual([]);
  });
}

test("announcements move a step up and down, by keys too; what could not be done is told in the words of the specification", async ({
  page,
}) => {
  const t = texts.en;
  const ids: unknown[] = [];
  for (const title of ["First", "Second"]) {
    const translations = [{ lang: "en", title, lines: [] }];
    ids.unshift((await shop.say("/api/admin/newsmain/create", { translations }, shop.token))["id"]);
  }
  await shop.open(page, shop.token, "news");
  const rows = page.getByRole("region", { name: t["editor.news.list"] }).getByRole("listitem");
  const button = (text: string, id: unknown) => page.getByRole("button", { name: named(text, id) });
  const headings = rows.getByRole("heading");
  await expect(headings).toHaveCount(2);
  const before = await headings.allTextContents();
  const [top] = await shop.listed("newsmain", "en");
  await expect(button(t["editor.up"], top?.["id"])).toBeDisabled();
  await button(t["editor.down"], top?.["id"]).focus();
  await page.keyboard.press("Enter");
  await expect(headings).toHaveText(before.toReversed());
  // At the end there is no further step down: the focus is on the way back.
  await expect(button(t["editor.up"], top?.["id"])).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(headings).toHaveText(before);

  // Another administrator has deleted it meanwhile.
  await shop.say("/api/admin/newsmain/delete", { newsId: top?.["id"] }, shop.token);
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
  const [left] = await shop.listed("newsmain", "en");
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
  await shop.say("/api/admin/newsmain/delete", { newsId: left?.["id"] }, shop.token);
});

test("nothing unsaved is lost without a question: by a link, by the history, by editing another", async ({
  page,
}) => {
  const t = texts.en;
  const translations = [{ lang: "en", title: "Other", lines: [] }];
  const { id } = await shop.say("/api/admin/newsmain/create", { translations }, shop.token);
  await shop.open(page, shop.token, "news");
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
  // Another language is the same page, with all that was typed.
  await page.getByLabel("Language", { exact: true }).selectOption("العربية");
  await expect(page.getByLabel(texts.ar["editor.title"])).toHaveValue("Half a thought");
  await page.getByRole("link", { name: texts.ar["office.title"] }).click();
  await page.getByRole("dialog").getByRole("button", { name: texts.ar["editor.unsaved.discard"] }).click();
  await expect(page).toHaveURL(/\/ar\/admin$/);
  await shop.say("/api/admin/newsmain/delete", { newsId: id }, shop.token);
});
