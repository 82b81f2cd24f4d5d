import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import arabicApp from "../../i18n/app/ar.json" with { type: "json" };
import englishApp from "../../i18n/app/en.json" with { type: "json" };
import { outboxCode } from "../kit/outbox.ts";
import { freePort } from "../kit/port.ts";
import { shopProcess, type ShopProcess } from "../kit/process.ts";
import { openTelegramServer, type TelegramServer } from "../kit/telegram.ts";
import { expect, expectAccessible, expectFits, stopClock, test } from "./fixtures.ts";
import { answer } from "./visitor.ts";

const en = englishApp;

let telegram: TelegramServer;
let shop: ShopProcess;
let dataDir: string;
let people = 0;

test.describe.configure({ mode: "serial" });

test.beforeAll(async () => {
  test.setTimeout(120_000);
  telegram = await openTelegramServer();
  dataDir = await mkdtemp(join(tmpdir(), "postern-telegram-"));
  const place = { port: await freePort(), smtpPort: await freePort(), dataDir };
  shop = shopProcess(place, { ...telegram.settings, CAPTCHA: "off", CONFIRM_GATE: "orders" });
  await shop.start();
});
test.afterAll(async () => {
  await shop.remove();
  await telegram.close();
});

async function post(path: string, form: Record<string, string>): Promise<Record<string, unknown>> {
  const answer = await fetch(shop.url + path, { method: "POST", body: new URLSearchParams(form) });
  return (await answer.json()) as Record<string, unknown>;
}

async function member(): Promise<string> {
  const email = `member${++people}@example.com`;
  const { token } = await post("/user/registration", { email, password: "correct horse", recaptcha: "off" });
  await post("/user/activate", { token: String(token), code: await outboxCode(dataDir, email) });
  return String(token);
}

const startOf = (link: string) => `/start ${link.slice(link.indexOf("auth_"))}`;

test("the dialog leads to the bot, and closes when the account is confirmed there", async ({
  page,
  context,
}) => {
  const token = await member();
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: shop.url });
  await page.goto(`${shop.url}/favicon.svg`);
  await page.evaluate((kept) => localStorage.setItem("authToken", kept), token);
  await page.clock.install();
  await page.goto(`${shop.url}/en/dashboard`);
  const badge = page.getByRole("button", { name: en["telegram.badge"] });
  await badge.click();
  const dialog = page.getByRole("dialog", { name: en["telegram.title"] });
  await expect(dialog.getByRole("img", { name: en["telegram.qr"] })).toHaveAttribute("width", "160");
  const direct = dialog.getByRole("link", { name: /^https:/ });
  const link = (await direct.getAttribute("href")) ?? "";
  expect(link).toMatch(/^https:\/\/t\.me\/postern_test_bot\?start=auth_[A-Za-z0-9]{32}$/);
  expect(link).not.toContain(token);
  await expect(dialog.getByRole("link", { name: en["telegram.open"] })).toHaveAttribute("href", link);
  await stopClock(page);
  await dialog.getByRole("button", { name: en["telegram.copy"] }).click();
  const copied = dialog.getByRole("button", { name: "Copied" });
  await expect(copied).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);
  await page.clock.runFor(1900);
  await expect(copied).toBeVisible();
  await page.clock.runFor(200);
  await expect(dialog.getByRole("button", { name: en["telegram.copy"] })).toBeVisible();
  await page.clock.resume();
  await expectFits(page);
  await expectAccessible(page);

  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await badge.click();
  const fresh = (await direct.getAttribute("href")) ?? "";
  const ann = telegram.person(9_000_000_001 + people);
  ann.say(startOf(fresh));
  await expect(dialog).toBeHidden();
  await expect(page.getByText(en["telegram.done"])).toBeVisible();
  await expect(page.getByText(en["balance.bonus"])).toBeVisible();
  await expect(badge).toBeHidden();
  await expect(page.getByRole("banner").getByText("$0.10000")).toBeVisible();
});

test(
  "a link that is over is replaced by itself, and a confirmation elsewhere changes the badge",
  { tag: "@full" },
  async ({ page }) => {
    const token = await member();
    let made = 0;
    await page.route("**/user/telegramlink", (route) => {
      const link = `https://t.me/postern_test_bot?start=auth_${String(++made).padStart(32, "A")}`;
      const expires_at = Math.floor(Date.now() / 1000) + (made === 1 ? 31 : 600);
      return route.fulfill({ json: { status: "success", data: { link, expires_at } } });
    });
    await page.goto(`${shop.url}/favicon.svg`);
    await page.evaluate((kept) => localStorage.setItem("authToken", kept), token);
    await page.goto(`${shop.url}/ar/dashboard`);
    await page.getByRole("button", { name: arabicApp["telegram.badge"] }).click();
    const direct = page.getByRole("dialog").getByRole("link", { name: /^https:/ });
    await expect(direct).toHaveAttribute("href", /A1$/);
    await expect(direct).toHaveAttribute("href", /A2$/);
    await expectFits(page);
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    telegram.person(9_100_000_001 + people).say(`/start auth_${token}`);
    await expect(page.getByText(arabicApp["balance.bonus"])).toBeVisible();
  },
);

test(
  "while Telegram does not answer, the dialog says so and can be tried again",
  { tag: "@full" },
  async ({ page }) => {
    const token = await member();
    let isUp = false;
    await page.route("**/user/telegramlink", (route) =>
      isUp ? route.continue() : route.fulfill({ json: { status: "error", value: "bot unreachable" } }),
    );
    await page.goto(`${shop.url}/favicon.svg`);
    await page.evaluate((kept) => localStorage.setItem("authToken", kept), token);
    await page.goto(`${shop.url}/en/dashboard`);
    await page.getByRole("button", { name: en["telegram.badge"] }).click();
    const dialog = page.getByRole("dialog", { name: en["telegram.title"] });
    await expect(dialog.getByText(en["refusal.botUnreachable"])).toBeVisible();
    isUp = true;
    await dialog.getByRole("button", { name: en["telegram.again"] }).click();
    await expect(dialog.getByRole("img", { name: en["telegram.qr"] })).toBeVisible();
  },
);

test("where only confirmed accounts may order, a refused order leads to the bot and is possible afterwards", async ({
  page,
}) => {
  const token = await member();
  // With too little money the button would lead to the top-up.
  await answer(page, "/user/balance", { status: "success", balance: "1.0" });
  await page.goto(`${shop.url}/favicon.svg`);
  await page.evaluate((kept) => localStorage.setItem("authToken", kept), token);
  await page.goto(`${shop.url}/en/dashboard?from=instagram&to=letters.test`);
  await expect(page.getByRole("radio", { name: /letters\.test/ })).toBeChecked();
  const buy = page.getByRole("button", { name: new RegExp(`^${en["order.buy"]}`) });
  await buy.click();
  const dialog = page.getByRole("dialog", { name: en["telegram.title"] });
  const direct = dialog.getByRole("link", { name: /^https:/ });
  await expect(direct).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(page.getByText(en["refusal.notConfirmed"])).toBeVisible();
  await expect(page.getByText(en["activations.empty"])).toBeVisible();
  await page.getByRole("button", { name: en["telegram.title"] }).click();
  telegram.person(9_200_000_001 + people).say(startOf((await direct.getAttribute("href")) ?? ""));
  await expect(dialog).toBeHidden();
  await expect(page.getByText(en["refusal.notConfirmed"])).toBeHidden();
  await buy.click();
  await expect(page.locator("#activations li")).toHaveCount(1);
});
