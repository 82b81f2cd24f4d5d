import { type Page } from "@playwright/test";
import { TOTP } from "otpauth";
import office from "../../i18n/office/en.json" with { type: "json" };
import { expect, expectAccessible, expectFits, test as quiet } from "./fixtures.ts";
import { expectRefused, openAct } from "./officePages.ts";
import { freePort } from "../kit/port.ts";
import { openOwnShop, type OwnShop } from "./ownShop.ts";
import { password, texts } from "./visitor.ts";

const t = { ...texts.en, ...office };
const administrator = "operator@example.com";

/** A shop at a name, for which browsers make passkeys, whose administrators need a second factor. */
const test = quiet.extend<{ baseURL: string; shop: OwnShop }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright wants one, also where a fixture needs no other.
  shop: async ({}, use) => {
    const port = await freePort();
    const settings = { ADMIN_SECOND_FACTOR: "required", PUBLIC_URL: `http://localhost:${port}` };
    const shop = await openOwnShop(settings, port);
    await use(shop);
    await shop.remove();
  },
  baseURL: async ({ shop }, use) => use(shop.url.replace("127.0.0.1", "localhost")),
});

/** A device with passkeys, whose person is always there. Returns how it is lost. */
async function plugIn(page: Page): Promise<() => Promise<void>> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return async () => {
    await cdp.send("WebAuthn.removeVirtualAuthenticator", { authenticatorId });
  };
}

async function openLogin(page: Page) {
  await page.goto("/en");
  await page.evaluate(() => localStorage.clear());
  await page.goto("/en");
  await page.getByRole("button", { name: t["nav.login"], exact: true }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  return dialog;
}

async function enterPassword(page: Page) {
  const dialog = await openLogin(page);
  await dialog.getByLabel(t["auth.email"]).fill(administrator);
  await dialog.getByRole("textbox", { name: t["auth.password"] }).fill(password);
  await dialog.getByRole("button", { name: t["auth.login.do"], exact: true }).click();
  return dialog;
}

const isIn = (page: Page) => expect(page).toHaveURL(/\/en\/dashboard/);

/** What the dialog shows once. */
async function storeCodes(page: Page): Promise<string[]> {
  const shown = page.getByRole("dialog", { name: t["factors.recovery.title"] });
  await expect(shown.getByRole("listitem")).toHaveCount(10);
  // Escape must not lose them.
  await page.keyboard.press("Escape");
  const asked = page.getByRole("dialog", { name: t["programs.secret.lost.title"] });
  await expect(asked.getByRole("button", { name: t["programs.secret.lost.back"] })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(shown).toBeVisible();
  await expectAccessible(page);
  await expectFits(page);
  const codes = await shown.getByRole("listitem").allInnerTexts();
  const download = page.waitForEvent("download");
  await shown.getByRole("button", { name: t["factors.recovery.download"] }).click();
  expect((await download).suggestedFilename()).toBe("postern-recovery-codes.txt");
  await shown.getByRole("button", { name: t["factors.recovery.stored"] }).click();
  await expect(shown).toBeHidden();
  return codes;
}

async function recover(page: Page, code: string): Promise<void> {
  const dialog = await enterPassword(page);
  await dialog.getByRole("button", { name: t["auth.factor.other.recovery"] }).click();
  await expectAccessible(page);
  const field = dialog.getByLabel(t["auth.factor.recovery"]);
  await expect(field).toBeFocused();
  await field.fill("aaaa-bbbb-cccc-dddd");
  await page.keyboard.press("Enter");
  await expect(dialog.getByText(t["auth.error.factorCode"])).toBeVisible();
  await field.fill(code);
  await page.keyboard.press("Enter");
  await isIn(page);
  await expect(page.getByText(t["auth.factor.left"].replace("{count}", "9"))).toBeVisible();
}

test("an administrator adds a passkey, signs in with it, loses the device and comes back with a recovery code", async ({
  page,
}) => {
  const lose = await plugIn(page);
  await enterPassword(page);
  await isIn(page);

  await page.goto("/en/admin/users");
  const warned = page.getByRole("status").filter({ hasText: t["office.factor.title"] });
  await expect(warned).toBeVisible();
  await openAct(page, "1", t["office.user.grant.investor"]);
  await expectRefused(page, t["office.user.grant.investor"], t["office.refusal.needsFactor"]);
  await page.keyboard.press("Escape");
  await warned.getByRole("link", { name: t["office.factor.open"] }).click();

  await expect(page.getByText(t["factors.required"])).toBeVisible();
  await page.getByRole("button", { name: t["factors.passkey.add"] }).click();
  const adding = page.getByRole("dialog", { name: t["factors.passkey.add"] });
  await expect(adding.getByLabel(t["factors.name"])).toBeFocused();
  await expectAccessible(page);
  await adding.getByLabel(t["factors.name"]).fill("Work laptop");
  await page.keyboard.press("Enter");
  const codes = await storeCodes(page);
  const listed = page.getByRole("listitem").filter({ hasText: "Work laptop" });
  await expect(listed).toContainText(t["factors.unused"]);
  await expectAccessible(page);

  const alone = await openLogin(page);
  await alone.getByRole("button", { name: t["auth.passkey.do"] }).click();
  await isIn(page);
  await page.goto("/en/admin/users");
  await openAct(page, "1", t["office.user.grant.investor"]);
  await page.getByRole("dialog").getByRole("button", { name: t["office.user.grant.investor"] }).click();
  await expect(page.getByRole("dialog")).toBeHidden();

  const after = await enterPassword(page);
  await expect(after.getByText(t["auth.factor.passkey.text"])).toBeVisible();
  await expectAccessible(page);
  await after.getByRole("button", { name: t["auth.factor.passkey.do"] }).click();
  await isIn(page);

  await lose();
  const lost = await plugIn(page);
  const without = await enterPassword(page);
  await without.getByRole("button", { name: t["auth.factor.passkey.do"] }).click();
  await expect(without.getByRole("alert")).toHaveText(t["auth.error.passkey"]);
  await lost();
  await recover(page, codes[0] ?? "");

  await page.goto("/en/dashboard/security");
  await expect(
    page.getByText(t["factors.recovery.left"].replace("{count}", "9").replace("{of}", "10")),
  ).toBeVisible();
  await expect(listed).not.toContainText(t["factors.unused"]);
  await listed.getByRole("button", { name: /Work laptop/ }).click();
  const removing = page.getByRole("dialog", { name: t["factors.remove.title"] });
  await expect(removing).toContainText(t["factors.remove.last"]);
  await removing.getByRole("button", { name: t["factors.remove"] }).click();
  await expect(page.getByText(t["factors.none.title"])).toBeVisible();
});

test(
  "an administrator adds an app, signs in with its codes, loses the phone and comes back with a recovery code",
  {
    tag: "@full",
  },
  async ({ page }) => {
    await enterPassword(page);
    await isIn(page);
    await page.goto("/en/dashboard/security");
    await page.getByRole("button", { name: t["factors.app.add"] }).click();
    const adding = page.getByRole("dialog", { name: t["factors.app.add"] });
    await expect(adding.getByRole("img", { name: t["factors.app.qr"] })).toBeVisible();
    const secret = (await adding.locator("code").innerText()).replaceAll(" ", "");
    // A code of the next half minute is right too, and later than the one that was used.
    const totp = new TOTP({ secret });
    const begun = Date.now();
    const typeCode = async (code: string) => {
      await page.getByRole("dialog").getByLabel("Digit 1 of 6").click();
      await page.keyboard.type(code);
    };
    await expectAccessible(page);
    await expectFits(page);
    await adding.getByLabel(t["factors.name"]).fill("Phone");
    await typeCode(totp.generate({ timestamp: begun }));
    await adding.getByRole("button", { name: t["factors.app.add"] }).click();
    const codes = await storeCodes(page);
    await expect(page.getByRole("listitem").filter({ hasText: "Phone" })).toBeVisible();
    await expect(page.getByRole("button", { name: t["factors.app.add"] })).toBeHidden();

    const dialog = await enterPassword(page);
    await expect(dialog.getByRole("group", { name: t["auth.factor.app"] })).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.type(totp.generate({ timestamp: begun }));
    await expect(dialog.getByText(t["auth.error.factorCode"])).toBeVisible();
    await page.keyboard.type(totp.generate({ timestamp: begun + 30_000 }));
    await isIn(page);

    await recover(page, codes[1] ?? "");
  },
);
