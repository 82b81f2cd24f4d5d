import { truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { languageCodes } from "../../src/i18n/languages.ts";
import type { Page } from "@playwright/test";
import { png, rows } from "../kit/hostilePictures.ts";
import { hostile, listed, named, openEditor, texts } from "./storiesPage.ts";
import { type OwnShop, test } from "./ownShop.ts";
import { expect, expectAccessible, expectFits } from "./fixtures.ts";

const t = texts.en;

test.describe.configure({ mode: "default" });

const storyForm = (page: Page) => page.getByRole("region", { name: t["editor.story.new"] });

test("a story in six languages is published with its slides, seen by the list, changed and deleted", async ({
  page,
  shop,
}) => {
  const title = (code: string) => `Story ${code}`;
  await openEditor(page, shop.administrator, "stories");
  await expect(page.getByText(t["editor.story.none"])).toBeVisible();
  const form = storyForm(page);
  const publish = form.getByRole("button", { name: t["editor.story.publish"], exact: true });
  await publish.click();
  await expect(form.getByText(t["editor.refusal.title"])).toBeVisible();
  await expect(form.getByText(t["editor.slides.none"])).toBeVisible();
  await form.getByLabel(t["editor.story.critical"]).check();
  const add = form.getByRole("group", { name: t["editor.slide.new"] });
  for (const code of languageCodes) {
    await form.getByRole("tab", { name: new RegExp(`^${code}`, "i") }).click();
    await form.getByLabel(t["editor.title"], { exact: true }).fill(title(code));
    await form.getByLabel(t["editor.story.description"], { exact: true }).fill(hostile[0] ?? "");
    await form.getByLabel(t["editor.story.button"]).fill("Look");
    await form.getByLabel(t["editor.story.link"]).fill("/en/docs");
    await add.getByRole("button", { name: t["editor.slide.add"] }).click();
    await add.getByLabel(t["editor.slide.text"]).fill("first");
    await add.getByRole("radio", { name: t["editor.ground.purpleBlue"] }).check();
    await add.getByRole("button", { name: t["editor.slide.add"] }).click();
    await add.getByLabel(t["editor.slide.title"]).fill(hostile[1] ?? "");
    await add.getByRole("radio", { name: t["editor.ground.red"] }).check();
    await add.getByRole("button", { name: t["editor.slide.add"] }).click();
    await expect(
      form.getByRole("heading", { name: t["editor.slides"].other.replace("{count}", "2") }),
    ).toBeVisible();
  }
  await expectFits(page);
  await expectAccessible(page);
  await publish.click();
  await expect(page.getByText(t["editor.story.published"])).toBeVisible();
  await expect(form.getByLabel(t["editor.title"], { exact: true })).toHaveValue("");
  for (const code of languageCodes) {
    const stories = await listed(shop, "stories", code);
    expect(stories).toHaveLength(1);
    expect(stories[0]).toMatchObject({
      lang: code,
      title: title(code),
      is_critical: true,
      link: "/en/docs",
    });
    expect(stories[0]?.["slides"]).toMatchObject([
      { title: t["editor.slide.named"].replace("{number}", "1"), text: "first", bg_color: "purple-blue" },
      { title: hostile[1], text: "", bg_color: "red" },
    ]);
  }
  const list = page.getByRole("region", { name: t["editor.story.list"] });
  const row = list.getByRole("listitem").filter({ has: page.getByRole("checkbox") });
  await expect(row).toContainText(title("hi"));
  await expect(row.getByText(t["editor.story.badge"], { exact: true }).first()).toBeVisible();
  await expect(page.locator("main script, main img[src='x']")).toHaveCount(0);
  await expect(page).not.toHaveTitle("broken");

  const [{ id } = {}] = await listed(shop, "stories", "en");
  await row.getByRole("checkbox").click();
  await expect(row.getByRole("checkbox")).not.toBeChecked();
  await expect.poll(async () => (await listed(shop, "stories", "en"))[0]?.["is_critical"]).toBe(false);
  await page.getByRole("button", { name: named(t["editor.edit"], id) }).click();
  const edited = page.getByRole("region", { name: named(t["editor.story.edit"], id) });
  await expect(edited.getByRole("heading", { level: 2 })).toBeFocused();
  await edited.getByRole("tab", { name: /^RU/ }).click();
  await edited.getByLabel(t["editor.title"], { exact: true }).fill("Луг, снова");
  await edited.getByRole("button", { name: t["editor.update"] }).click();
  await expect(page.getByText(t["editor.story.updated"])).toBeVisible();
  await expect(form.getByLabel(t["editor.title"], { exact: true })).toHaveValue("");
  expect(await listed(shop, "stories", "ru")).toMatchObject([{ title: "Луг, снова" }]);
  expect(await listed(shop, "stories", "en")).toMatchObject([{ title: title("en") }]);

  await page.getByRole("button", { name: named(t["editor.delete"], id) }).click();
  const dialog = page.getByRole("dialog", { name: t["editor.story.delete.title"] });
  await dialog.getByRole("button", { name: t["editor.story.delete"] }).click();
  await expect(page.getByText(t["editor.story.deleted"])).toBeVisible();
  expect(await listed(shop, "stories", "en")).toEqual([]);
});

async function publishStory(shop: OwnShop, title: string): Promise<unknown> {
  const slides = [{ title, text: "", bg_color: "blue" }];
  return (await shop.say("/api/admin/stories/create", { lang: "en", title, slides }))["storyId"];
}

test(
  "a mark stays as it was set, although a list that was asked for before it comes after it",
  { tag: "@full" },
  async ({ page, shop }) => {
    const ids = [await publishStory(shop, "Reed"), await publishStory(shop, "Sedge")];
    await openEditor(page, shop.administrator, "stories");
    const rows = page.getByRole("region", { name: t["editor.story.list"] }).locator("li[data-row]");
    await expect(rows).toHaveCount(2);
    const held = Promise.withResolvers<void>();
    const came = Promise.withResolvers<void>();
    await page.route(
      "**/api/stories/list?*",
      async (route) => {
        const old = await route.fetch();
        await held.promise;
        await route.fulfill({ response: old }).catch(() => undefined);
        came.resolve();
      },
      { times: 1 },
    );
    const marked = Promise.withResolvers<void>();
    await page.route("**/api/admin/stories/update-critical/*", async (route) => {
      await marked.promise;
      await route.continue();
    });
    const asked = page.waitForRequest("**/api/stories/list?*");
    await rows.last().locator("[data-move=up]").click();
    await asked;
    const box = page.locator(`li[data-row="${String(ids[0])}"]`).getByRole("checkbox");
    await box.click();
    await expect(box).toBeChecked();
    held.resolve();
    await came.promise;
    await page.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    );
    await expect(box).toBeChecked({ timeout: 1 });
    marked.resolve();
    const stored = async () => (await listed(shop, "stories", "en")).find(({ id }) => id === ids[0]);
    await expect.poll(stored).toMatchObject({ is_critical: true });
    await expect(box).toBeChecked();
    for (const storyId of ids) await shop.say("/api/admin/stories/delete", { storyId });
  },
);

test(
  "slides are edited full screen: one after another, one more, one less; and the story is seen as readers see it",
  { tag: "@full" },
  async ({ page, shop }) => {
    await openEditor(page, shop.administrator, "stories");
    await page.getByRole("tab", { name: /^EN/ }).click();
    const form = storyForm(page);
    await form.getByLabel(t["editor.title"], { exact: true }).fill("Quill");
    await form.getByRole("button", { name: t["editor.slides.full"] }).click();
    const editor = page.getByRole("dialog", { name: t["editor.slides.full"] });
    await expect(editor.getByText(t["editor.slides.none"])).toBeVisible();
    const add = editor.getByRole("button", { name: t["editor.slide.add"] });
    await add.click();
    await editor.getByLabel(t["editor.slide.title"]).fill("The first");
    await add.click();
    await expect(editor.getByText("Slide 2 of 2")).toBeVisible();
    await expect(editor.getByLabel(t["editor.slide.title"])).toHaveValue("Slide 2");
    await expect(editor.getByRole("button", { name: t["editor.slide.next"] })).toBeDisabled();
    await expectFits(page);
    await expectAccessible(page);
    await editor.getByRole("button", { name: t["editor.slide.previous"] }).click();
    await expect(editor.getByText("Slide 1 of 2")).toBeVisible();
    await expect(editor.getByLabel(t["editor.slide.title"])).toHaveValue("The first");
    // The browser's event for a cancelled file chooser.
    await editor.locator('input[type="file"]').first().dispatchEvent("cancel");
    await expect(editor).toBeVisible();
    await editor.getByRole("button", { name: t["editor.slide.delete"] }).click();
    await expect(editor.getByText("Slide 1 of 1")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(editor).toBeHidden();
    await expect(form.getByRole("heading", { name: "1 slide" })).toBeVisible();
    await form.getByRole("button", { name: t["editor.preview.full"] }).click();
    const preview = page.getByRole("dialog", { name: t["editor.preview.full"] });
    await expect(preview.getByText("Slide 2", { exact: true })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(form.getByLabel(t["editor.title"], { exact: true })).toHaveValue("Quill");
  },
);

test(
  "a language that was not taken is named, and sent again by an update; a slide that was not added is not forgotten",
  { tag: "@full" },
  async ({ page, shop }) => {
    const said: string[] = [];
    page.on("console", (message) => said.push(message.text()));
    await openEditor(page, shop.administrator, "stories");
    await page.getByRole("tab", { name: /^EN/ }).click();
    const form = storyForm(page);
    await form.getByLabel(t["editor.title"], { exact: true }).fill("Quill");
    const add = form.getByRole("group", { name: t["editor.slide.new"] });
    await add.getByLabel(t["editor.slide.title"]).fill("Only");
    const publish = page.getByRole("button", { name: t["editor.story.publish"], exact: true });
    await publish.click();
    await expect(page.getByRole("alert")).toContainText(t["editor.slide.notAdded"]);
    await add.getByRole("button", { name: t["editor.slide.add"] }).click();
    await page.getByRole("tab", { name: /^RU/ }).click();
    await form.getByRole("button", { name: t["editor.story.copy"] }).click();
    await form.getByLabel(t["editor.story.link"]).fill("javascript:alert(1)");
    await publish.click();
    await expect(page.getByText("All stories processed, see console")).toBeVisible();
    await expect(page.getByRole("alert")).toContainText("Русский");
    await expect(page.getByRole("alert")).toContainText(t["editor.refusal.link"]);
    await expect.poll(() => said.filter((line) => line.startsWith("story create")).length).toBe(2);
    const [{ id } = {}] = await listed(shop, "stories", "en");
    const edited = page.getByRole("region", { name: named(t["editor.story.edit"], id) });
    await edited.getByLabel(t["editor.story.link"]).fill("https://docs.example/");
    const calls: string[] = [];
    page.on(
      "request",
      (request) => request.method() === "POST" && calls.push(new URL(request.url()).pathname),
    );
    await edited.getByRole("button", { name: t["editor.update"] }).click();
    await expect(page.getByText(t["editor.story.updated"])).toBeVisible();
    // English was uploaded before.
    expect(calls.filter((path) => path.includes("/stories/"))).toEqual([
      `/api/admin/stories/update/${String(id)}`,
    ]);
    expect(await listed(shop, "stories", "ru")).toMatchObject([
      { lang: "ru", link: "https://docs.example/" },
    ]);
    await shop.say("/api/admin/stories/delete", { storyId: id });
  },
);

test(
  "stories move a step up and down, and are looked at from their thumbnails",
  { tag: "@full" },
  async ({ page, shop }) => {
    const ids = [await publishStory(shop, "One story"), await publishStory(shop, "Another story")];
    await openEditor(page, shop.administrator, "stories");
    const list = page.getByRole("region", { name: t["editor.story.list"] });
    const headings = list.getByRole("heading", { level: 3 });
    await expect(headings).toHaveCount(2);
    const before = await headings.allTextContents();
    const [top] = await listed(shop, "stories", "en");
    const button = (text: string) => page.getByRole("button", { name: named(text, top?.["id"]) });
    await expect(button(t["editor.up"])).toBeDisabled();
    await button(t["editor.down"]).click();
    await expect(headings).toHaveText(before.toReversed());
    await expect(button(t["editor.down"])).toBeDisabled();
    await button(t["editor.up"]).click();
    await expect(headings).toHaveText(before);
    await list
      .getByRole("button", { name: before[0] ?? "" })
      .first()
      .click();
    await expect(page.getByRole("dialog", { name: t["editor.preview.full"] })).toBeVisible();
    await page.keyboard.press("Escape");
    // Another administrator deletes it meanwhile: the page must say so.
    await shop.say("/api/admin/stories/delete", { storyId: top?.["id"] });
    await button(t["editor.edit"]).click();
    await expect(page.getByRole("alert")).toContainText(t["editor.refusal.noStory"]);
    for (const { id } of await listed(shop, "stories", "en"))
      await shop.say("/api/admin/stories/delete", { storyId: id });
    expect(ids).toHaveLength(2);
  },
);

test(
  "a picture stands on the card and the next takes its place; one that would do harm is refused in a sentence, and changes nothing",
  { tag: "@full" },
  async ({ page, shop }) => {
    await openEditor(page, shop.administrator, "stories");
    const form = storyForm(page);
    const chooser = form.locator('input[type="file"]').first();
    const path = form.getByLabel(t["editor.story.image"]);
    const card = form.getByRole("figure").first().locator("img");
    const shows = async (before: string) => {
      await expect(path).toHaveValue(/^\/media\/[0-9a-f]+\.webp/);
      await expect(path).not.toHaveValue(before);
      await expect(path).toHaveAccessibleDescription(t["editor.image.hint"]);
      await expect(card).toHaveAttribute("src", await path.inputValue());
      await expect
        .poll(() => card.evaluate((image: HTMLImageElement) => image.naturalWidth))
        .toBeGreaterThan(0);
      return path.inputValue();
    };
    const drawn = async (width: number) => ({
      name: "drawing.png",
      mimeType: "image/png",
      buffer: await page.screenshot({ clip: { x: 0, y: 0, width, height: 240 } }),
    });
    await chooser.setInputFiles(await drawn(320));
    const first = await shows("");

    const svg = Buffer.from(
      "<svg xmlns='http://www.w3.org/2000/svg'><script>document.title = 'broken'</script></svg>",
    );
    const large = join(shop.place.dataDir, "large.png");
    await writeFile(large, "");
    await truncate(large, 50 * 1024 * 1024);
    // A decompression bomb: a few kilobytes for 400 million pixels.
    const side = { width: 20_000, height: 20_000 };
    const bomb = png(side, rows(side));
    expect(bomb.length).toBeLessThan(100_000);
    const harmful = [
      [{ name: "a.svg", mimeType: "image/svg+xml", buffer: svg }, t["editor.image.type"], 0],
      [large, t["editor.image.size"], 0],
      [{ name: "bomb.png", mimeType: "image/png", buffer: bomb }, t["editor.image.broken"], 1],
      [{ name: "b.png", mimeType: "image/png", buffer: svg }, t["editor.image.broken"], 1],
    ] as const;
    let sent = 0;
    page.on("request", (asked) => {
      if (new URL(asked.url()).pathname === "/api/admin/stories/image") sent++;
    });
    for (const [file, sentence, times] of harmful) {
      sent = 0;
      await chooser.setInputFiles(file);
      await expect(path).toHaveAccessibleDescription(`${sentence} ${t["editor.image.hint"]}`);
      await expect(path).toHaveAttribute("aria-invalid", "true");
      await expect(path).toHaveValue(first);
      await expect(card).toHaveAttribute("src", first);
      expect(sent).toBe(times);
    }
    await expectFits(page);
    await expectAccessible(page);
    await expect(page).not.toHaveTitle("broken");
    await chooser.setInputFiles(await drawn(300));
    await shows(first);
  },
);
