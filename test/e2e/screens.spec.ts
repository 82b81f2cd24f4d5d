import { mkdir, writeFile } from "node:fs/promises";
import { type APIRequestContext, expect, type Page, test } from "@playwright/test";
import chineseApp from "../../i18n/app/zh.json" with { type: "json" };
import chinese from "../../i18n/zh.json" with { type: "json" };
import { type Buyer, enter, newBuyer, sendLetter, theOperator } from "./buyer.ts";
import { newInvestor } from "./investors.ts";
import { received } from "./letters.ts";
import { answerTo, texts as walkedTexts } from "./visitor.ts";

// Draws docs/screens. No test: SCREENS=1 npx playwright test screens --project=desktop

const folder = "docs/screens";
const texts = { ...walkedTexts, zh: { ...chinese, ...chineseApp } };
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
  { name: "documentation", path: "docs/order" },
];

async function listed(page: Page): Promise<void> {
  await expect(rows(page).first()).toBeVisible();
  await expect(page.getByRole("radio", { checked: true })).toBeVisible();
}

async function openLetter(page: Page): Promise<void> {
  await rows(page).getByRole("button", { name: "instagram.com" }).first().click();
  await expect(page.getByRole("dialog").frameLocator("iframe").getByText("482910").first()).toBeVisible();
}

async function toldHow(page: Page): Promise<void> {
  await expect(page.getByRole("main").locator("code").first()).toBeVisible();
}

async function listItems(page: Page): Promise<void> {
  await expect(page.getByRole("main").getByRole("listitem").first()).toBeVisible();
}

test("the pictures of the documents", async ({ page, request }) => {
  test.setTimeout(600_000);
  await mkdir(folder, { recursive: true });
  const buyer = await received(request, { html: letter });
  const payment = await seed(request, buyer.token);
  await draw(page, { name: "sign-in", path: "", before: signIn });
  await enter(page, buyer);
  await named(page);
  for (const screen of screens) await draw(page, screen);
  await draw(page, { name: "payment", path: `payments/pay?id=${payment}`, before: toldHow });
});

test("the pictures of partners, investors and administrators", async ({ page, request }) => {
  test.setTimeout(600_000);
  await mkdir(folder, { recursive: true });
  await earnAsPartner(request, page);
  await named(page);
  await draw(page, { name: "partner", path: "dashboard", before: heading("partner.earnings.title") });
  const investor = await newInvestor(request);
  await bringBatch(request, investor);
  await enterIn(page, investor, "investor");
  await draw(page, { name: "investor", path: "dashboard", before: heading("investor.add.title") });
  await enter(page, await theOperator(request));
  await draw(page, { name: "office", path: "admin", before: quiet });
});

async function named(page: Page): Promise<void> {
  await page.route("**/user/information", async (route) => {
    const response = await answerTo(route);
    const said = (await response.json()) as { data: object };
    await route.fulfill({ response, json: { ...said, data: { ...said.data, name: "nora" } } });
  });
}

const heading =
  (key: "partner.earnings.title" | "investor.add.title") => async (page: Page, language: Drawn) => {
    await expect(page.getByRole("heading", { name: texts[language][key] })).toBeVisible();
    await quiet(page, language);
  };

async function quiet(page: Page, language: Drawn): Promise<void> {
  await expect(page.getByRole("status", { name: texts[language]["ui.loading"] })).toHaveCount(0);
}

async function enterIn(page: Page, account: Buyer, mode: "partner" | "investor"): Promise<void> {
  await enter(page, account);
  await page.evaluate((kept) => localStorage.setItem("mode", kept), mode);
}

/** A partner with a link and orders by their program. */
async function earnAsPartner(request: APIRequestContext, page: Page): Promise<void> {
  const partner = await newBuyer(request, "0");
  const buyer = await newBuyer(request);
  const say = async (path: string, form: Record<string, string>) =>
    (await (await request.post(path, { form })).json()) as Record<string, string>;
  await request.get("/user/addReferralWord", { params: { token: partner.token, word: "nora" } });
  const answer = await request.get("/user/information", { params: { token: partner.token } });
  const { data } = (await answer.json()) as { data: { soft: { id: string } } };
  for (const code of ["482910", "730114", "165979"]) {
    const asked = { token: buyer.token, site: "zoom.us", domain: "quill.test", soft_id: data.soft.id };
    const { id = "", email = "" } = await say("/email/order", asked);
    await sendLetter({
      from: "Zoom <no-reply@zoom.us>",
      to: email,
      subject: code,
      text: `Your code: ${code}`,
    });
    expect(await say("/email/getmessage", { token: buyer.token, id, wait: "30" })).toMatchObject({
      status: "success",
    });
  }
  await enterIn(page, partner, "partner");
}

async function bringBatch(request: APIRequestContext, { token }: Buyer): Promise<void> {
  const lines = Array.from({ length: 40 }, (_, at) => `box${at}@letters.test:secret${at}`).join("\n");
  const headers = { Token: token, Sites: "facebook.com,x.com", "content-type": "text/plain" };
  const answer = await request.post("/investor/upload", { headers, data: lines });
  expect(await answer.json()).toMatchObject({ status: "success" });
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

const letter = `<div style="font-family:sans-serif"><h2>Hi,</h2>
  <p>Someone tried to sign up for an Instagram account with this address. If it was you, enter this confirmation code in the app:</p>
  <p style="font-size:28px;letter-spacing:4px"><b>482910</b></p>
  <p><a href="https://www.instagram.com/confirm?c=482910">Confirm the address</a></p></div>`;

/** Waiting, canceled and received orders. Answers a payment's id. */
async function seed(request: APIRequestContext, token: string): Promise<string> {
  const ask = async (path: string, form: Record<string, string>) =>
    (await (await request.post(path, { form: { token, ...form } })).json()) as { id: string; email: string };
  const { id } = await ask("/email/order", { site: "reddit.com", domain: "letters.test" });
  await ask("/email/cancel", { id });
  const zoom = await ask("/email/order", { site: "zoom.us", domain: "post.test" });
  const text = "Your Zoom code is 730114";
  await sendLetter({ from: "Zoom <no-reply@zoom.us>", to: zoom.email, subject: text, text });
  await ask("/email/getmessage", { id: zoom.id, wait: "30" });
  await ask("/email/order", { site: "x.com", domain: "letters.test" });
  return (await ask("/payments/create", { wallet: "ltc", amount: "5" })).id;
}
