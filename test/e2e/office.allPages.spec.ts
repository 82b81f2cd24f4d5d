import type { Locator, Page } from "@playwright/test";
import { type OfficeColumn, type OfficeTable, officeTables } from "../../src/contract/office/office.ts";
import { isOfficeObject, type OfficeSection, officeSections, paths } from "../../src/web/paths.ts";
import { named, texts } from "./storiesPage.ts";
import { enter, theOperator } from "./buyer.ts";
import { extents, see as look } from "./pageChecks.ts";
import { say } from "./officePages.ts";
import { expect, test } from "./fixtures.ts";
import { answer } from "./visitor.ts";

// Every page and dialog of administrators, in every language, on phones, tablets and desktops.

const t = texts.en;

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

/** Rows with the longest texts: each choice once, and a row with only its key. */
function rowsOf({ key, columns }: OfficeTable) {
  const all = Object.entries(columns);
  const most = Math.max(2, ...all.map(([, { of = [] }]) => of.length));
  const row = (place: number, isEmpty: boolean) =>
    Object.fromEntries(
      all.map(([name, column]) => [name, isEmpty && name !== key ? null : cells[column.kind](column, place)]),
    );
  return Array.from({ length: most + 1 }, (_, place) => row(place, place === most));
}

/** Answers every table with its widest rows, and the other calls likewise. */
async function fill(page: Page): Promise<void> {
  for (const [name, table] of Object.entries(officeTables)) {
    // The chart of the overview needs real days.
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
  await answer(page, `/api/admin/orders/${String(cells.id({ kind: "id" }, 0))}`, order);
  const text = `${long}\n\n${"All of it in one line. ".repeat(20)}`;
  await answer(page, `/api/admin/letters/${letter.id}`, { ...inspected, is: "postmaster", text });
  const turned = String(rowsOf(officeTables.turned_away)[0]?.["letter"]);
  await answer(page, `/api/admin/letters/${turned}`, { ...inspected, id: turned, is: "turned away" });
}

const order = {
  status: "success",
  expires_at: 1_795_258_800,
  subject: "welcome",
  regex: "x".repeat(200),
  reorder_of: "40000000002",
  batch: "7",
  data: [
    { at: 1_795_258_800, step: "ordered", amount: "12345.67890123" },
    {
      at: 1_795_258_801,
      step: "letter",
      fits: false,
      missed: "regex",
      letter_id: "9",
      sender: long,
      subject: long,
    },
    { at: 1_795_258_802, step: "canceled", by: "shop" },
  ],
};
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

type See = (state: string) => Promise<void>;

const titles = Object.fromEntries(
  officeSections.map((section) => [section, t[`office.section.${section}`]]),
) as Record<OfficeSection, string>;

async function go(page: Page, section: OfficeSection): Promise<void> {
  const path = isOfficeObject(section)
    ? paths.officeObject(
        "en",
        section,
        section === "letter" ? letter.id : String(cells.id({ kind: "id" }, 0)),
      )
    : paths.office("en", section);
  await page.evaluate((to) => history.pushState(null, "", to), path);
  // The page of a user is called by the address.
  const name = section === "user" ? `0-${long}` : titles[section];
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  await expect(page.getByRole("status", { name: t["ui.loading"] })).toHaveCount(0);
}

const withActs = [
  "domains",
  "prices",
  "pricechanges",
  "hosts",
  "sites",
  "letters",
  "users",
  "payments",
  "partners",
  "held",
  "investors",
  "batches",
  "tasks",
];
const withBeginnings = ["domains", "prices", "hosts", "sites", "letters"];

const walks = extents.flatMap((extent) => [
  ...(extent.tag.length === 0 ? [{ ...extent, withDialogs: false }] : []),
  { ...extent, tag: ["@full"], withDialogs: true },
]);

for (const { where, tag, looks, withDialogs } of walks) {
  test.describe(() => {
    test.describe.configure({ timeout: 400_000 });

    for (const [from, to] of [
      [0, 4],
      [4, 8],
      [8, 13],
      [13, officeSections.length],
    ]) {
      const part = officeSections.slice(from, to);
      const name = `${part[0]} to ${part.at(-1)}`;
      test(
        `the back office from ${name} is whole${withDialogs ? " with all its dialogs" : ""} ${where}`,
        { tag },
        async ({ page, request }) => {
          const see = (state: string) => look(page, state, looks);
          await enter(page, await theOperator(request));
          await fill(page);
          await page.goto(paths.office("en"));
          for (const section of part) {
            await go(page, section);
            if (section === "setup") await openSteps(page);
            await see(section);
            if (!withDialogs) continue;
            if (withActs.includes(section)) await seeDialogs(page, section, see);
            if (withBeginnings.includes(section)) await seeBeginnings(page, section, see);
            if (section === "letters") await seePostmaster(page, see);
          }
        },
      );
    }

    if (withDialogs)
      test(
        `stories and news are whole where they are written ${where}`,
        { tag },
        async ({ page, request }) => {
          await enter(page, await theOperator(request));
          await seeEditors(page, (state) => look(page, state, looks));
        },
      );
  });
}

async function openSteps(page: Page): Promise<void> {
  await expect(page.locator("details").first()).toBeAttached();
  await page.evaluate(() => {
    for (const step of document.querySelectorAll("details")) step.open = true;
  });
}

async function close(page: Page): Promise<void> {
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByRole("menu")).toHaveCount(0);
}

async function seeDialogs(page: Page, section: OfficeSection, see: See): Promise<void> {
  const main = page.getByRole("main");
  const dialog = page.getByRole("dialog");
  const seen = new Set<string>();
  const several = main.getByRole("button", { name: say(t["office.acts.of"], { name: "" }) });
  for (let place = 0; place < (await several.count());) {
    await several.nth(place).click();
    const acts = page.getByRole("menu").locator("button");
    await expect(page.getByRole("menuitem").first()).toBeFocused();
    const names = (await acts.allInnerTexts()).map((text) => text.trim());
    const name = names.find((one) => one !== "" && !seen.has(one));
    if (name === undefined) place++;
    else {
      seen.add(name);
      await page.getByRole("menuitem", { name, exact: true }).click();
      await expect(dialog).toBeVisible();
      await see(`${section}: ${name}`);
    }
    await close(page);
  }
  const alone = main
    .locator("tbody")
    .getByRole("button", { name: ": " })
    .and(page.locator(":not([aria-haspopup])"));
  for (const [place, name] of (await alone.allInnerTexts()).entries()) {
    if (seen.has(name)) continue;
    seen.add(name);
    await alone.nth(place).click();
    await expect(dialog).toBeVisible();
    await see(`${section}: ${name}`);
    await close(page);
  }
  expect(seen.size, section).toBeGreaterThan(0);
}

async function seeBeginnings(page: Page, section: OfficeSection, see: See): Promise<void> {
  const dialog = page.getByRole("dialog");
  const above = page.getByRole("main").locator("button[aria-haspopup=dialog]:not(tbody button)");
  const names = await above.allInnerTexts();
  expect(names.length, section).toBeGreaterThan(0);
  for (const [place, name] of names.entries()) {
    await above.nth(place).click();
    await expect(dialog).toBeVisible();
    await dialog.locator("button[type=submit]").click();
    await expect(dialog.locator("[aria-invalid=true]").first()).toBeVisible();
    await see(`${section}, above the table: ${name}, refused`);
    await close(page);
  }
}

async function seePostmaster(page: Page, see: See): Promise<void> {
  await page.getByRole("tab", { name: t["office.letters.postmaster"] }).click();
  await expect(page.getByRole("row").filter({ hasText: letter.envelope })).toBeVisible();
  await see("letters to the postmaster");
  await page.getByRole("main").locator("tbody").getByRole("button").click();
  await expect(page.getByRole("dialog").getByText(t["office.letter.is.postmaster"])).toBeVisible();
  await see("a letter to the postmaster");
  await close(page);
}

async function seeEditors(page: Page, see: See): Promise<void> {
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
  const remove = async (id: string, state: string) => {
    await press(named(t["editor.delete"], id));
    await expect(dialog).toBeVisible();
    await see(state);
    await close(page);
  };

  await page.goto(paths.storiesAdmin("en"));
  await page.getByRole("tab", { name: t["editor.tab.stories"] }).click();
  await expect(page.getByText(long).first()).toBeVisible();
  await press(t["editor.story.publish"]);
  await expect(page.getByText(t["editor.refusal.title"])).toBeVisible();
  await see("stories, with mistakes");
  await remove("1", "a story that is deleted");
  const add = page.getByRole("group", { name: t["editor.slide.new"] });
  await add.getByLabel(t["editor.slide.text"]).fill(long);
  await press(t["editor.slide.add"], add);
  await press(t["editor.slides.full"]);
  await expect(dialog).toBeVisible();
  await see("slides over the whole window");
  await close(page);

  await page.getByRole("tab", { name: t["editor.tab.news"] }).click();
  await press(t["editor.save"]);
  await expect(page.getByText(t["editor.news.empty"])).toBeVisible();
  await see("news, with mistakes");
  await remove("1", "news that are deleted");
}
