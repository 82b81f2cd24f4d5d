import type { Locator, Page } from "@playwright/test";
import { type OfficeColumn, type OfficeTable, officeTables } from "../../src/contract/office.ts";
import { type Language, languageCodes, languages } from "../../src/i18n/languages.ts";
import { type OfficeSection, officeSections, paths } from "../../src/web/paths.ts";
import { named, texts } from "./adminShop.ts";
import { enter, theOperator } from "./buyer.ts";
import { faultsIn, overflowsIn, wordsOf } from "./looks.ts";
import { say } from "./officeWalk.ts";
import { expect, test } from "./quiet.ts";
import { leftInEnglish } from "./translated.ts";
import { answer } from "./visitor.ts";

// Every page of administrators and every dialog of theirs, in every language, as phones, tablets and desktops show them. A page is
// loaded once: what is inside it changes its language, its size and its colours where it stands.

const t = texts.en;
const desktop = { width: 1440, height: 900 };

const long = "an-unusually-long-name.of-something.that-somebody@mailboxes.example.com";
const cells: Record<OfficeColumn["kind"], (column: OfficeColumn, row: number) => unknown> = {
  id: (_column, row) => String(40_000_000_001 + row),
  text: (_column, row) => `${row}-${long}`,
  texts: (_column, row) => Array.from({ length: row }, (_, place) => `${place}-${long}`),
  count: () => 1_000_000,
  number: () => 12.345,
  dollars: () => "12345.67890123",
  time: () => 1_795_258_800,
  day: () => "2026-11-22",
  flag: (_column, row) => row % 2 === 0,
  choice: ({ of = [] }, row) => of[row % of.length],
  json: () => JSON.stringify({ imap: long, senders: [long, long], count: 1_000_000 }),
};

/** Rows with the most to say: each choice once, and a row that has nothing but its key. */
function rowsOf({ key, columns }: OfficeTable) {
  const all = Object.entries(columns);
  const most = Math.max(2, ...all.map(([, { of = [] }]) => of.length));
  const row = (place: number, isEmpty: boolean) =>
    Object.fromEntries(
      all.map(([name, column]) => [name, isEmpty && name !== key ? null : cells[column.kind](column, place)]),
    );
  return Array.from({ length: most + 1 }, (_, place) => row(place, place === most));
}

/** Every table answers its widest rows, and so does what is no table. */
async function fill(page: Page): Promise<void> {
  for (const [name, table] of Object.entries(officeTables)) {
    // The chart of the overview wants days that are days.
    if (name === "days") continue;
    const rows = rowsOf(table);
    await answer(page, `/api/admin/tables/${name}`, { status: "success", rows, total: 10_000, pages: 400 });
  }
  const person = { id: "40000000001", email: long };
  const held = { partner: person, buyer: person, reasons: ["address", "wallet", "telegram"] };
  const money = { since: 1_795_258_800, referrals: "12345.67890123", soft: "12345.67890123" };
  await answer(page, "/api/admin/partners/held", {
    status: "success",
    data: [{ ...held, ...money }],
    pages: 400,
  });
  await answer(page, "/api/admin/letters", { status: "success", data: [letter], next: "1" });
  const text = `${long}\n\n${"All of it in one line. ".repeat(20)}`;
  await answer(page, `/api/admin/letters/${letter.id}`, { ...inspected, is: "postmaster", text });
  const turned = String(rowsOf(officeTables.turned_away)[0]?.["letter"]);
  await answer(page, `/api/admin/letters/${turned}`, { ...inspected, id: turned, is: "turned away" });
}

const letter = {
  id: "40000000099",
  arrived_at: 1_795_258_800,
  bytes: 26_214_400,
  envelope: long,
  from: `Somebody <${long}>`,
  subject: "###### is the code that you asked for, in a subject that does not end",
};
const inspected = {
  ...letter,
  status: "success",
  helo: "mx.mailboxes.example.com",
  remote: "2001:db8:1234:5678:9abc:def0:1234:5678",
  spf: "softfail",
  dkim: "permerror",
  dmarc: "temperror",
  signers: ["mailboxes.example.com", "example.com"],
  headers: `Received: from ${long}\n${`DKIM-Signature: ${"x".repeat(300)}`}`,
};

/** Changes the language where the page stands; also behind a dialog, where nobody could press. */
async function speak(page: Page, language: Language): Promise<void> {
  await page.evaluate((code) => {
    const select = document.querySelector<HTMLSelectElement>("header select");
    if (!select) throw new Error("no language to choose");
    select.value = code;
    select.dispatchEvent(new Event("change", { bubbles: true }));
  }, language);
  await expect(page.locator("html")).toHaveAttribute("lang", language);
  await expect(page.locator("html")).toHaveAttribute("dir", languages[language].direction);
}

/** Looks at a state in every language; ends in English, as wide as a desktop. */
async function see(page: Page, state: string): Promise<void> {
  expect.soft(await faultsIn(page, state, "en")).toEqual([]);
  for (const language of languageCodes) {
    if (language === "en") continue;
    await speak(page, language);
    expect.soft(await overflowsIn(page, `${state} (${language})`)).toEqual([]);
    const left = leftInEnglish(await wordsOf(page), language);
    expect.soft(left, `${state}: what is left in English (${language})`).toEqual([]);
  }
  await speak(page, "en");
  await page.setViewportSize(desktop);
}

const ready = async (page: Page, title: string) => {
  await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
  await expect(page.getByRole("status", { name: t["ui.loading"] })).toHaveCount(0);
};

/** Goes to a section as its readers do, without loading anything anew. */
async function go(page: Page, section: OfficeSection): Promise<void> {
  await page
    .getByRole("navigation", { name: t["office.title"] })
    .getByRole("link", { name: sections[section], exact: true })
    .click();
  await ready(page, sections[section]);
}

const sections = Object.fromEntries(
  officeSections.map((section) => [section, t[`office.section.${section}`]]),
) as Record<OfficeSection, string>;

test.describe.configure({ timeout: 400_000 });

test.beforeEach(async ({ page, request }) => {
  await page.setViewportSize(desktop);
  await enter(page, await theOperator(request));
  await fill(page);
});

test("every section of the back office is whole in every language at every width, light and dark", async ({
  page,
}) => {
  await page.goto(paths.office("en"));
  await ready(page, sections.overview);
  for (const section of officeSections) {
    await go(page, section);
    if (section === "setup") await openSteps(page);
    await see(page, section);
  }
  await go(page, "letters");
  await page.getByRole("tab", { name: t["office.letters.postmaster"] }).click();
  await expect(page.getByRole("row").filter({ hasText: letter.envelope })).toBeVisible();
  await see(page, "letters to the postmaster");
});

test("stories and news are whole where they are written, in every language at every width, light and dark", async ({
  page,
}) => {
  const story = {
    lang: "en",
    title: long,
    description: long,
    image: "",
    thumb: "",
    button_text: "",
    link: "",
  };
  const slides = [{ title: long, description: long, text: long, image: "", bg_color: "red" }];
  const stories = [true, false].map((isCritical, place) => ({
    ...story,
    id: String(place + 1),
    slides,
    is_critical: isCritical,
  }));
  await answer(page, "/api/stories/list", { status: "success", stories });
  const news = (["critical", "important", "normal"] as const).map((importance, place) => ({
    id: String(place + 1),
    priority: 1_000_000,
    importance,
    title: long,
    lines: [long, `[${long}](https://example.com)`],
    date: "2026-11-22",
  }));
  await answer(page, "/api/newsmain/list", { status: "success", news });
  const dialog = page.getByRole("dialog");
  const press = (name: string, within: Page | Locator = page) =>
    within.getByRole("button", { name, exact: true }).first().click();
  const close = async () => {
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
  };
  const remove = async (id: string, state: string) => {
    await press(named(t["editor.delete"], id));
    await expect(dialog).toBeVisible();
    await see(page, state);
    await close();
  };

  await page.goto(paths.storiesAdmin("en"));
  await page.getByRole("tab", { name: t["editor.tab.stories"] }).click();
  await expect(page.getByText(long).first()).toBeVisible();
  await press(t["editor.story.publish"]);
  await expect(page.getByText(t["editor.refusal.title"])).toBeVisible();
  await see(page, "stories, with mistakes");
  await remove("1", "a story that is deleted");
  const add = page.getByRole("group", { name: t["editor.slide.new"] });
  await add.getByLabel(t["editor.slide.text"]).fill(long);
  await press(t["editor.slide.add"], add);
  await press(t["editor.slides.full"]);
  await expect(dialog).toBeVisible();
  await see(page, "slides over the whole window");
  await close();

  await page.getByRole("tab", { name: t["editor.tab.news"] }).click();
  await press(t["editor.save"]);
  await expect(page.getByText(t["editor.news.empty"])).toBeVisible();
  await see(page, "news, with mistakes");
  await remove("1", "news that are deleted");
});

/** Unfolds all steps of the first run. */
async function openSteps(page: Page): Promise<void> {
  await expect(page.locator("details").first()).toBeAttached();
  await page.evaluate(() => {
    for (const step of document.querySelectorAll("details")) step.open = true;
  });
}

test("every dialog of the back office is whole in every language", async ({ page }) => {
  await page.goto(paths.office("en"));
  await ready(page, sections.overview);
  for (const section of ["domains", "hosts", "sites", "letters", "users", "payments"] as const)
    await dialogsOf(page, section);
  await go(page, "letters");
  await page.getByRole("tab", { name: t["office.letters.postmaster"] }).click();
  await page.getByRole("main").locator("tbody").getByRole("button").click();
  await expect(page.getByRole("dialog").getByText(t["office.letter.is.postmaster"])).toBeVisible();
  await see(page, "a letter to the postmaster");
});

test("every dialog of payouts and batches is whole in every language", async ({ page }) => {
  await page.goto(paths.office("en"));
  await ready(page, sections.overview);
  for (const section of ["partners", "held", "investors", "batches"] as const) await dialogsOf(page, section);
});

test("every dialog above a table is whole in every language, also when it refuses", async ({ page }) => {
  await page.goto(paths.office("en"));
  await ready(page, sections.overview);
  for (const section of ["domains", "hosts", "sites", "letters"] as const) {
    await go(page, section);
    expect(await beginningsOf(page, section), section).toBeGreaterThan(0);
  }
});

/** Opens what begins with no row, by a button above the table, and tells how many such there are. */
async function beginningsOf(page: Page, section: OfficeSection): Promise<number> {
  const dialog = page.getByRole("dialog");
  const above = page.getByRole("main").locator("button[aria-haspopup=dialog]:not(tbody button)");
  const count = await above.count();
  const left = t["office.refusal.field"].replace("{name}", ".+");
  const told = new RegExp(`${left}|${t["office.letter.number.wrong"]}`);
  for (let place = 0; place < count; place++) {
    const name = await above.nth(place).innerText();
    await above.nth(place).click();
    await expect(dialog).toBeVisible();
    await see(page, `${section}, above the table: ${name}`);
    // What is left empty is told on the page, in its language, and takes room too.
    await dialog.locator("button[type=submit]").click();
    await expect(dialog.getByText(told)).toBeVisible();
    await see(page, `${section}, above the table: ${name}, refused`);
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
  }
  return count;
}

/** Opens each act of each row, once. */
async function dialogsOf(page: Page, section: OfficeSection): Promise<void> {
  await go(page, section);
  const main = page.getByRole("main");
  const dialog = page.getByRole("dialog");
  const seen = new Set<string>();
  const close = async () => {
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
  };
  const judge = async (name: string) => {
    seen.add(name);
    await expect(dialog).toBeVisible();
    await see(page, `${section}: ${name}`);
  };
  const several = main.getByRole("button", { name: say(t["office.acts.of"], { name: "" }) });
  for (let place = 0; place < (await several.count()); place++) {
    const open = () => several.nth(place).click();
    await open();
    const names = await dialog.getByRole("button").allInnerTexts();
    await close();
    for (const name of names.map((text) => text.trim()).filter((text) => text !== "" && !seen.has(text))) {
      await open();
      await dialog.getByRole("button", { name, exact: true }).click();
      await judge(name);
      await close();
    }
  }
  const alone = main
    .locator("tbody")
    .getByRole("button", { name: ": " })
    .and(page.locator(":not([aria-haspopup])"));
  for (let place = 0; place < (await alone.count()); place++) {
    const name = await alone.nth(place).innerText();
    if (seen.has(name)) continue;
    await alone.nth(place).click();
    await judge(name);
    await close();
  }
  expect(seen.size).toBeGreaterThan(0);
}
