import { mkdir, writeFile } from "node:fs/promises";
import { type APIRequestContext, expect, type Page, test } from "@playwright/test";
import chineseAccount from "../../i18n/account/zh.json" with { type: "json" };
import chineseApp from "../../i18n/app/zh.json" with { type: "json" };
import chinese from "../../i18n/zh.json" with { type: "json" };
import { type } from "../kit/process.ts";
import { authorize, type Buyer, enter } from "./buyer.ts";
import { place } from "./shopAddress.ts";
import { texts as walkedTexts } from "./visitor.ts";

// Draws docs/screens. No test: SCREENS=1 npx playwright test screens --project=desktop

const folder = "docs/screens";
const texts = { ...walkedTexts, zh: { ...chinese, ...chineseApp, ...chineseAccount } };
type Drawn = keyof typeof texts;

/** Each screen is drawn in these. */
const variants: readonly Variant[] = [
  { suffix: "", language: "en", size: { width: 1280, height: 900 }, dark: false },
  { suffix: "-chinese-dark", language: "zh", size: { width: 1280, height: 900 }, dark: true },
  { suffix: "-phone", language: "en", size: { width: 390, height: 844 }, dark: false },
  { suffix: "-phone-arabic-dark", language: "ar", size: { width: 390, height: 844 }, dark: true },
];

interface Variant {
  suffix: string;
  language: Drawn;
  size: { width: number; height: number };
  dark: boolean;
}

interface Screen {
  name: string;
  path: string;
  before?: (page: Page, language: Drawn) => Promise<void>;
}

const rows = (page: Page) => page.locator("#activations li[data-state]");

const screens: Screen[] = [
  { name: "home", path: "" },
  { name: "dashboard", path: "dashboard?from=instagram&to=letters.test", before: listed },
  { name: "letter", path: "dashboard", before: openLetter },
  { name: "statement", path: "dashboard/statement", before: listItems },
  { name: "documentation", path: "docs/orders" },
];

async function listed(page: Page): Promise<void> {
  await expect(rows(page).first()).toBeVisible();
  await expect(page.getByRole("radio", { checked: true })).toBeVisible();
}

async function openLetter(page: Page): Promise<void> {
  const received = page.locator('#activations li[data-state="received"]').filter({ hasText: /\d{5,8}/ });
  await received.first().getByRole("button").first().click();
  const letter = page.getByRole("dialog").frameLocator("iframe");
  await expect(letter.getByText(/^\d{5,8}$/).first()).toBeVisible();
}

async function toldHow(page: Page): Promise<void> {
  await expect(page.getByRole("main").locator("code").first()).toBeVisible();
}

async function listItems(page: Page): Promise<void> {
  await expect(page.getByRole("main").getByRole("listitem").first()).toBeVisible();
}

test("the pictures of the documents", async ({ page, request }) => {
  test.setTimeout(1_200_000);
  await mkdir(folder, { recursive: true });
  const accounts = await live(request);
  await draw(page, { name: "sign-in", path: "", before: signIn });
  await enter(page, accounts.buyer);
  for (const screen of screens) await draw(page, screen);
  const payment = await askForPayment(request, accounts.buyer);
  await draw(page, { name: "payment", path: `payments/pay?id=${payment}`, before: toldHow });
  await enterIn(page, accounts.partner, "partner");
  await draw(page, { name: "partner", path: "dashboard", before: heading("partner.earnings.title") });
  await enterIn(page, accounts.investor, "investor");
  await draw(page, { name: "investor", path: "dashboard", before: heading("investor.add.title") });
  await enter(page, accounts.administrator);
  await draw(page, { name: "office", path: "admin" });
});

type Role = "buyer" | "partner" | "investor" | "administrator";

/** Gives the shop, which runs, the life of a demonstration. */
async function live(request: APIRequestContext): Promise<Record<Role, Buyer>> {
  const said = JSON.parse(await type(place, "src/server/shop.ts", "demo", "life", "--json")) as {
    accounts: { role: Role; email: string; password: string }[];
  };
  const entered = await Promise.all(
    said.accounts.map(async ({ role, email, password }) => [role, await authorize(request, email, password)]),
  );
  return Object.fromEntries(entered) as Record<Role, Buyer>;
}

async function askForPayment(request: APIRequestContext, { token }: Buyer): Promise<string> {
  const form = { token, wallet: "ltc", amount: "25" };
  return ((await (await request.post("/payments/create", { form })).json()) as { id: string }).id;
}

const heading =
  (key: "partner.earnings.title" | "investor.add.title") => async (page: Page, language: Drawn) => {
    await expect(page.getByRole("heading", { name: texts[language][key] })).toBeVisible();
  };

/** A page that is there, whole, and has nothing left to load. */
async function expectWhole(page: Page, language: Drawn): Promise<void> {
  const t = texts[language];
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByText(t["ui.loading"])).toHaveCount(0);
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  if (await page.evaluate(() => localStorage.getItem("authToken") !== null))
    await expect(page.getByRole("banner").getByRole("link", { name: t["nav.balance"] })).toBeVisible();
  for (const fault of ["missing.title", "ui.failed", "news.failed", "stories.failed"] as const)
    await expect(page.getByText(t[fault])).toHaveCount(0);
}

async function enterIn(page: Page, account: Buyer, mode: "partner" | "investor"): Promise<void> {
  await enter(page, account);
  await page.evaluate((kept) => localStorage.setItem("mode", kept), mode);
}

async function signIn(page: Page, language: Drawn): Promise<void> {
  await page.getByRole("button", { name: texts[language]["nav.login"], exact: true }).first().click();
  await expect(page.getByRole("dialog")).toBeVisible();
}

async function draw(page: Page, screen: Screen): Promise<void> {
  for (const variant of variants) await take(page, screen, variant);
}

async function take(page: Page, { name, path, before }: Screen, variant: Variant): Promise<void> {
  const { language, size, dark, suffix } = variant;
  await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme: dark ? "dark" : "light", reducedMotion: "reduce" });
  await page.goto(`/${language}/${path}`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await before?.(page, language);
  await expectWhole(page, language);
  await page.evaluate(async () => {
    const plain = new CSSStyleSheet();
    plain.replaceSync("html { scrollbar-gutter: auto !important; scrollbar-width: none !important }");
    document.adoptedStyleSheets.push(plain);
    await document.fonts.ready;
  });
  const png = await page.screenshot();
  await writeFile(`${folder}/${name}${suffix}.webp`, await packed(page, png.toString("base64")));
}

async function packed(page: Page, png: string): Promise<Buffer> {
  const webp = await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes]));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    canvas.getContext("2d")?.drawImage(bitmap, 0, 0);
    const blob = await canvas.convertToBlob({ type: "image/webp", quality: 0.86 });
    return [...new Uint8Array(await blob.arrayBuffer())];
  }, png);
  return Buffer.from(webp);
}
