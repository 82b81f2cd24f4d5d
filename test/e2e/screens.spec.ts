import { mkdir, writeFile } from "node:fs/promises";
import { type APIRequestContext, expect, type Page, test } from "@playwright/test";
import type { Language } from "../../src/i18n/languages.ts";
import { type Buyer, enter, newBuyer, sendLetter, theOperator } from "./buyer.ts";
import { newInvestor } from "./investors.ts";
import { received } from "./letters.ts";
import { answerTo, texts } from "./visitor.ts";

// Draws docs/screens. No test: SCREENS=1 npx playwright test screens --project=desktop

const folder = "docs/screens";
const desktop = { width: 1280, height: 800 };
const tall = { width: 1280, height: 1150 };
const phone = { width: 390, height: 844 };

interface Picture {
  name: string;
  language: Language;
  path: string;
  size: { width: number; height: number };
  dark?: boolean;
  before?: (page: Page) => Promise<void>;
}

const rows = (page: Page) => page.locator("#activations li[data-state]");
const open = (site: string) => async (page: Page) => {
  await rows(page).getByRole("button", { name: site }).first().click();
  await expect(page.getByRole("dialog").frameLocator("iframe").getByText("482910").first()).toBeVisible();
};
const listed = async (page: Page) => {
  await expect(rows(page).first()).toBeVisible();
  await expect(page.getByRole("radio", { checked: true })).toBeVisible();
};
const desk = "dashboard?from=instagram&to=letters.test";

const pictures: Picture[] = [
  { name: "home", language: "en", path: "", size: desktop },
  { name: "home-arabic-phone-dark", language: "ar", path: "", size: phone, dark: true },
  { name: "home-hindi", language: "hi", path: "", size: desktop },
  { name: "dashboard", language: "en", path: desk, size: tall, before: listed },
  { name: "dashboard-chinese-dark", language: "zh", path: desk, size: desktop, dark: true, before: listed },
  { name: "dashboard-arabic-phone", language: "ar", path: desk, size: phone, before: listed },
  { name: "order-phone-dark", language: "en", path: desk, size: phone, dark: true, before: toForm },
  { name: "letter", language: "en", path: "dashboard", size: desktop, before: open("instagram.com") },
  {
    name: "letter-russian-phone",
    language: "ru",
    path: "dashboard",
    size: phone,
    before: open("instagram.com"),
  },
  { name: "statement", language: "es", path: "dashboard/statement", size: desktop, before: listItems },
  { name: "documentation", language: "en", path: "docs#order", size: desktop },
];

async function toForm(page: Page): Promise<void> {
  await listed(page);
  await page.getByRole("radio", { checked: true }).scrollIntoViewIfNeeded();
}

async function counting(page: Page): Promise<void> {
  await expect(page.getByText(/Next check in \d+ s/)).toBeVisible();
}

async function listItems(page: Page): Promise<void> {
  await expect(page.getByRole("main").getByRole("listitem").first()).toBeVisible();
}

test("the pictures of the documents", async ({ page, request }) => {
  test.setTimeout(600_000);
  await mkdir(folder, { recursive: true });
  const buyer = await received(request, { html: letter });
  const payment = await seed(request, buyer.token);
  await take(page, {
    name: "sign-in-dark",
    language: "en",
    path: "",
    size: desktop,
    dark: true,
    before: signIn,
  });
  await enter(page, buyer);
  await named(page);
  for (const picture of pictures) await take(page, picture);
  const path = `payments/pay?id=${payment}`;
  await take(page, { name: "payment", language: "en", path, size: desktop, before: counting });
});

test("the pictures of partners, investors and administrators", async ({ page, request }) => {
  test.setTimeout(600_000);
  await mkdir(folder, { recursive: true });
  await take(page, { name: "story-phone", language: "en", path: "", size: phone, before: toStory });
  await earnAsPartner(request, page);
  await named(page);
  await take(page, {
    name: "partner",
    language: "en",
    path: "dashboard",
    size: { ...desktop, height: 1500 },
    before: heading("partner.earnings.title"),
  });
  const investor = await newInvestor(request);
  await bringBatch(request, investor);
  await enterIn(page, investor, "investor");
  await take(page, {
    name: "investor-dark",
    language: "en",
    path: "dashboard",
    size: tall,
    dark: true,
    before: heading("investor.add.title"),
  });
  await enter(page, await theOperator(request));
  await take(page, { name: "office", language: "en", path: "admin", size: tall, before: quiet });
});

async function named(page: Page): Promise<void> {
  await page.route("**/user/information", async (route) => {
    const response = await answerTo(route);
    const said = (await response.json()) as { data: object };
    await route.fulfill({ response, json: { ...said, data: { ...said.data, name: "nora" } } });
  });
}

const heading = (key: "partner.earnings.title" | "investor.add.title") => async (page: Page) => {
  await expect(page.getByRole("heading", { name: texts.en[key] })).toBeVisible();
  await quiet(page);
};

async function quiet(page: Page): Promise<void> {
  await expect(page.getByRole("status", { name: texts.en["ui.loading"] })).toHaveCount(0);
}

async function toStory(page: Page): Promise<void> {
  await page.getByRole("region", { name: texts.en["stories.title"] }).getByRole("button").first().click();
  await expect(page.getByRole("dialog")).toBeVisible();
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

async function signIn(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
}

async function take(page: Page, { name, language, path, size, dark, before }: Picture): Promise<void> {
  await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme: dark ? "dark" : "light", reducedMotion: "reduce" });
  await page.goto(`/${language}/${path}`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await before?.(page);
  await page.evaluate(async () => {
    const plain = new CSSStyleSheet();
    plain.replaceSync("html { scrollbar-gutter: auto !important; scrollbar-width: none !important }");
    document.adoptedStyleSheets.push(plain);
    await document.fonts.ready;
  });
  const png = await page.screenshot();
  await writeFile(`${folder}/${name}.webp`, await packed(page, png.toString("base64")));
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
