import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import arabicOffice from "../../i18n/office/ar.json" with { type: "json" };
import englishOffice from "../../i18n/office/en.json" with { type: "json" };
import { languageCodes } from "../../src/i18n/languages.ts";
import { enter } from "./buyer.ts";
import { outboxCode } from "../kit/outbox.ts";
import { freePort } from "../kit/port.ts";
import { type Place, type ShopProcess, shopProcess, type } from "../kit/process.ts";
import { expect, expectAccessible, expectFits, test } from "./quiet.ts";
import { texts as common, type Walked, walked } from "./visitor.ts";

const texts = { en: { ...common.en, ...englishOffice }, ar: { ...common.ar, ...arabicOffice } };

// A shop of its own: what is published here would stand on every other test's home page.
let shop: ShopProcess;
let place: Place;
let token: string;
let ordinary: string;

test.describe.configure({ mode: "default" });
test.beforeAll(async () => {
  test.setTimeout(120_000);
  const dataDir = await mkdtemp(join(tmpdir(), "postern-admin-"));
  place = { port: await freePort(), smtpPort: await freePort(), dataDir };
  shop = shopProcess(place, { CAPTCHA: "off", ADMIN_EMAILS: "operator@example.com" });
  await shop.start();
  token = await newAccount("operator@example.com");
  ordinary = await newAccount("ordinary@example.com");
});
test.afterAll(() => shop.remove());

async function newAccount(email: string): Promise<string> {
  const password = "correct horse";
  const registered = await say("/user/registration", {
    email,
    password,
    localization: "ru",
    recaptcha: "off",
  });
  const made = String(registered["token"]);
  await say("/user/activate", { token: made, code: await outboxCode(place.dataDir, email) });
  return made;
}

async function say(path: string, body: object, as = ""): Promise<Record<string, unknown>> {
  const headers = { "content-type": "application/json", ...(as && { authorization: `Bearer ${as}` }) };
  const answer = await fetch(shop.url + path, { method: "POST", headers, body: JSON.stringify(body) });
  const said = (await answer.json()) as Record<string, unknown>;
  expect(said).toMatchObject({ status: "success" });
  return said;
}

async function listed(kind: "newsmain" | "stories", lang: string): Promise<Record<string, unknown>[]> {
  const said = (await (await fetch(`${shop.url}/api/${kind}/list?lang=${lang}`)).json()) as Record<
    string,
    Record<string, unknown>[]
  >;
  return said[kind === "newsmain" ? "news" : "stories"] ?? [];
}

/** Opens the page with a token kept, or none. */
async function open(page: Page, as: string, tab: "stories" | "news", language: Walked = "en"): Promise<void> {
  await enter(page, { token: as }, shop.url);
  await page.evaluate((kept) => localStorage.setItem("adminTab", kept), tab);
  await page.goto(`${shop.url}/${language}/admin/stories`);
}

/** The name of a button of a row, whose number is set apart from the words around it. */
const named = (text: string, id: unknown) => text.replace("{number}", `\u2068#${String(id)}\u2069`);

const hostile = [
  "<script>document.title = 'broken'</script>after a script",
  "<img src=x onerror=\"document.title = 'broken'\">after a picture",
  "[press](javascript:document.title='broken')",
];

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
  await open(page, ordinary, "news");
  await expect(denied).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem("authToken"))).toBe(ordinary);
  const blocked = await newAccount("blocked@example.com");
  await type(place, "src/server/shop.ts", "users", "block", "blocked@example.com");
  await open(page, blocked, "news");
  await expect(denied).toBeVisible();
  await expect(page).toHaveURL(/\/en\/admin\/stories$/);
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
  await open(page, token, "news");
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
    await open(page, token, "news", language);
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
      const [first] = await listed("newsmain", code);
      expect(first).toMatchObject({ title: title(code), importance: "critical", date: "2026-12-24" });
    }
    await page.goto(`${shop.url}/${language}`);
    await expect(page.getByRole("heading", { name: title(language) })).toBeVisible();
    await expect(page).not.toHaveTitle("broken");

    const [{ id } = {}] = await listed("newsmain", "en");
    await page.goto(`${shop.url}/${language}/admin/stories`);
    await page.getByRole("button", { name: named(t["editor.edit"], id) }).click();
    const edited = page.getByRole("region", { name: named(t["editor.news.edit"], id) });
    await expect(edited.getByRole("heading", { level: 2 })).toBeFocused();
    await edited.getByRole("tab", { name: /^EN/ }).click();
    await edited.getByLabel(t["editor.title"]).fill(`${title("en")}, again`);
    await edited.getByRole("button", { name: t["editor.update"] }).click();
    await expect(page.getByText(t["editor.news.updated"])).toBeVisible();
    expect(await listed("newsmain", "en")).toMatchObject([{ title: `${title("en")}, again` }]);
    expect(await listed("newsmain", "ru")).toMatchObject([{ title: title("ru") }]);

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
    expect(await listed("newsmain", "en")).toEqual([]);
  });
}

test("announcements move a step up and down, by keys too; what could not be done is told in the words of the specification", async ({
  page,
}) => {
  const t = texts.en;
  const ids: unknown[] = [];
  for (const title of ["First", "Second"]) {
    const translations = [{ lang: "en", title, lines: [] }];
    ids.unshift((await say("/api/admin/newsmain/create", { translations }, token))["id"]);
  }
  await open(page, token, "news");
  const rows = page.getByRole("region", { name: t["editor.news.list"] }).getByRole("listitem");
  const button = (text: string, id: unknown) => page.getByRole("button", { name: named(text, id) });
  const headings = rows.getByRole("heading");
  await expect(headings).toHaveCount(2);
  const before = await headings.allTextContents();
  const [top] = await listed("newsmain", "en");
  await expect(button(t["editor.up"], top?.["id"])).toBeDisabled();
  await button(t["editor.down"], top?.["id"]).focus();
  await page.keyboard.press("Enter");
  await expect(headings).toHaveText(before.toReversed());
  // At the end there is no further step down: the focus is on the way back.
  await expect(button(t["editor.up"], top?.["id"])).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(headings).toHaveText(before);

  // Another administrator has deleted it meanwhile.
  await say("/api/admin/newsmain/delete", { newsId: top?.["id"] }, token);
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
  const [left] = await listed("newsmain", "en");
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
  await say("/api/admin/newsmain/delete", { newsId: left?.["id"] }, token);
});

test("nothing unsaved is lost without a question: by a link, by the history, by editing another", async ({
  page,
}) => {
  const t = texts.en;
  const translations = [{ lang: "en", title: "Other", lines: [] }];
  const { id } = await say("/api/admin/newsmain/create", { translations }, token);
  await open(page, token, "news");
  await page.getByRole("link", { name: t["office.back"] }).click();
  await expect(page).toHaveURL(/\/en\/dashboard$/);
  await page.goBack();
  const title = page.getByLabel(t["editor.title"]);
  await title.fill("Half a thought");
  const question = page.getByRole("dialog", { name: t["editor.unsaved.title"] });
  for (const leave of [
    () => page.getByRole("link", { name: t["office.back"] }).click(),
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
  await page.getByRole("link", { name: texts.ar["office.back"] }).click();
  await page.getByRole("dialog").getByRole("button", { name: texts.ar["editor.unsaved.discard"] }).click();
  await expect(page).toHaveURL(/\/ar\/dashboard$/);
  await say("/api/admin/newsmain/delete", { newsId: id }, token);
});
