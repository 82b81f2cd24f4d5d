import type { Page } from "@playwright/test";
import { type Buyer, newBuyer, password, sendLetter } from "./buyer.ts";
import { expect, test } from "./fixtures.ts";
import { letterTo, rows } from "./orderRows.ts";
import { place } from "./shopAddress.ts";
import { openAuth, solveCaptcha, texts } from "./visitor.ts";

const en = texts.en;

async function signIn(page: Page, { email }: Buyer, solve = solveCaptcha): Promise<void> {
  const dialog = await openAuth(page);
  await dialog.getByLabel(en["auth.email"]).fill(email);
  await dialog.locator("input[name=password]").fill(password);
  await solve(dialog);
  await dialog.getByRole("button", { name: en["auth.login.do"] }).click();
  await expect(page).toHaveURL(/\/en\/dashboard/);
}

/** Orders an address for instagram.com, and reads the code of the letter that comes to it. */
async function buyAndRead(page: Page): Promise<void> {
  await page.getByLabel(en["order.site"], { exact: true }).fill("instagram.com");
  const types = page.getByRole("group", { name: en["order.types"] });
  await types.getByRole("radio", { name: /letters\.test/ }).check();
  const buy = page.getByRole("button", { name: new RegExp(`^${en["order.buy"]} `) });
  await expect(buy).toBeEnabled();
  await buy.click();
  const address = rows(page).first().locator("bdi", { hasText: "@" });
  await expect(address).toHaveText(/@/);
  await sendLetter(letterTo(await address.innerText(), "482910"));
  await expect(rows(page).first()).toContainText("482910");
}

test.use({
  launchOptions: [
    async ({ launchOptions }, use) => {
      const args = [...(launchOptions.args ?? []), "--host-resolver-rules=MAP shop.example 127.0.0.1"];
      await use({ ...launchOptions, args });
    },
    { scope: "worker" },
  ],
});

test.describe("on plain http", () => {
  test.use({ baseURL: `http://shop.example:${place.port}` });

  test("a shop by its name lets a buyer sign in, order and read", async ({ page, playwright }) => {
    // The proof of work takes a script some fifteen times as long as the browser's own code.
    test.slow();
    const request = await playwright.request.newContext({ baseURL: `http://127.0.0.1:${place.port}` });
    const buyer = await newBuyer(request);
    await page.goto("/en");
    expect(await page.evaluate(() => [isSecureContext, typeof crypto.subtle])).toEqual([false, "undefined"]);
    await signIn(page, buyer, (dialog) =>
      expect(dialog.getByRole("checkbox", { name: en["captcha.done"] })).toBeVisible({ timeout: 90_000 }),
    );
    await buyAndRead(page);
    await request.dispose();
  });
});

test("a proof of work that cannot be computed is said, and can be tried again", async ({ page }) => {
  const broken = JSON.stringify({
    parameters: { algorithm: "unknown", nonce: "00", salt: "00", cost: 1, keyLength: 32, keyPrefix: "00" },
  });
  await page.route("**/api/captcha", (route) =>
    route.fulfill({ contentType: "application/json", body: broken }),
  );
  const dialog = await openAuth(page);
  await dialog.getByLabel(en["auth.email"]).fill("buyer@example.com");
  await expect(dialog.getByRole("checkbox", { name: en["captcha.failed"] })).toBeVisible();
  await page.unroute("**/api/captcha");
  await dialog.getByRole("checkbox", { name: en["captcha.failed"] }).click();
  await solveCaptcha(dialog);
});

/** As Chromium does where the visitor blocks all cookies and site data. */
function blockStorage(): void {
  const refused = () => new DOMException("Access is denied for this document.", "SecurityError");
  for (const name of ["localStorage", "sessionStorage", "caches"])
    Object.defineProperty(globalThis, name, {
      get() {
        throw refused();
      },
    });
  Object.defineProperty(document, "cookie", { get: () => "", set: () => {} });
  const refuse = () => Promise.reject(refused());
  for (const owner of [globalThis.LockManager, globalThis.ServiceWorkerContainer])
    for (const name of ["query", "request", "register", "getRegistration"])
      if (owner && name in owner.prototype) Object.assign(owner.prototype, { [name]: refuse });
}

test("a browser that blocks storage shows every page, says what it forgets, and lets a buyer order", async ({
  page,
  context,
  request,
}) => {
  const buyer = await newBuyer(request);
  await page.addInitScript(blockStorage);
  for (const address of ["/en/docs", "/en/help", "/en/dashboard"]) {
    await page.goto(address);
    await expect(page.getByText(en["storage.bar"])).toBeVisible();
    await expect(page.getByRole("heading", { level: 1, includeHidden: true })).toBeVisible();
    await expect(page.getByText(en["ui.failed"])).toBeHidden();
  }
  await signIn(page, buyer);
  await buyAndRead(page);
  await page.getByRole("button", { name: en["topup.open"], exact: true }).first().click();
  await page.getByRole("dialog").getByRole("button", { name: en["topup.do"] }).click();
  // In this tab: another would not know who is signed in.
  await expect(page.getByRole("heading", { level: 1, name: /№\d+/ })).toBeVisible();
  expect(context.pages()).toHaveLength(1);
});

test("a full storage stops no act: sign-in, order, sign-out", async ({ page, request }) => {
  const buyer = await newBuyer(request);
  await page.goto("/favicon.svg");
  await page.evaluate(() => {
    const fill = (key: string, size: number) => {
      try {
        localStorage.setItem(key, "y".repeat(size));
        return true;
      } catch {
        return false;
      }
    };
    for (let size = 1 << 22, count = 0; size >= 1;) if (!fill(`filled ${count++}`, size)) size >>= 1;
    for (let size = 0; fill("z", size); size++);
  });
  await signIn(page, buyer);
  await expect(page.getByRole("status").getByText(en["storage.bar"])).toBeVisible();
  await buyAndRead(page);
  await page.getByRole("button", { name: en["nav.logout"] }).click();
  await expect(page).toHaveURL(/\/en$/);
  await expect(page.getByRole("button", { name: en["nav.login"], exact: true })).toBeVisible();
});

/** What browsers learned after the oldest that README.md names, as paths from the global object. */
const newer = [
  "AbortSignal.any",
  "AbortSignal.timeout",
  "Array.fromAsync",
  "ArrayBuffer.prototype.transfer",
  "CloseWatcher",
  "CSSStartingStyleRule",
  "Document.prototype.caretPositionFromPoint",
  "Document.prototype.startViewTransition",
  "Element.prototype.checkVisibility",
  "Element.prototype.getHTML",
  "Element.prototype.moveBefore",
  "Element.prototype.setHTMLUnsafe",
  "Error.isError",
  "HTMLDialogElement.prototype.requestClose",
  "HTMLElement.prototype.hidePopover",
  "HTMLElement.prototype.popover",
  "HTMLElement.prototype.showPopover",
  "HTMLElement.prototype.togglePopover",
  "Intl.DurationFormat",
  "Intl.Segmenter",
  "Iterator",
  "Map.groupBy",
  "Map.prototype.getOrInsert",
  "Map.prototype.getOrInsertComputed",
  "Math.sumPrecise",
  "Navigator.prototype.userActivation",
  "Object.groupBy",
  "Promise.try",
  "Promise.withResolvers",
  "ReadableStream.from",
  "ReadableStream.prototype.values",
  "RegExp.escape",
  "Request.prototype.bytes",
  "Response.json",
  "Response.prototype.bytes",
  "Set.prototype.difference",
  "Set.prototype.intersection",
  "Set.prototype.isDisjointFrom",
  "Set.prototype.isSubsetOf",
  "Set.prototype.isSupersetOf",
  "Set.prototype.symmetricDifference",
  "Set.prototype.union",
  "String.prototype.isWellFormed",
  "String.prototype.toWellFormed",
  "URL.canParse",
  "URL.parse",
  "URLSearchParams.prototype.size",
  "Uint8Array.fromBase64",
  "Uint8Array.fromHex",
  "Uint8Array.prototype.toBase64",
  "Uint8Array.prototype.toHex",
  "cookieStore",
  "navigation",
  "requestIdleCallback",
  "scheduler",
];

/** Runs in the page and in its workers. */
function forget(names: readonly string[]): void {
  const iterator = Object.getPrototypeOf(Object.getPrototypeOf([].values())) as object;
  for (const helper of Object.getOwnPropertyNames(iterator))
    if (helper !== "constructor") Reflect.deleteProperty(iterator, helper);
  for (const name of names) {
    const parts = name.split(".");
    const last = parts.pop() ?? "";
    let owner: unknown = globalThis;
    for (const part of parts) owner = (owner as Record<string, unknown> | undefined)?.[part];
    if (owner) Reflect.deleteProperty(owner, last);
  }
  if (typeof ReadableStream === "function")
    Reflect.deleteProperty(ReadableStream.prototype, Symbol.asyncIterator);
}

test("the oldest browsers of the stated range sign in, order, read a letter and see every page", async ({
  page,
  request,
}) => {
  const buyer = await newBuyer(request);
  await page.addInitScript(forget, newer);
  await page.route(/\/assets\/[^/]*worker[^/]*\.js/, async (route) => {
    const script = await (await route.fetch()).text();
    const body = `(${String(forget)})(${JSON.stringify(newer)});${script}`;
    await route.fulfill({ contentType: "text/javascript", body });
  });
  for (const address of ["/en/docs", "/en/help", "/en"]) {
    await page.goto(address);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  }
  expect(await page.evaluate(() => "Iterator" in globalThis)).toBe(false);
  await signIn(page, buyer);
  await buyAndRead(page);
  await rows(page).first().locator("bdi", { hasText: "@" }).click();
  await expect(page.getByRole("dialog").locator("iframe")).toBeVisible();
  await page.keyboard.press("Escape");
  for (const address of ["/en/dashboard/payments", "/en/dashboard/statement", "/en/dashboard/api"]) {
    await page.goto(address);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.getByText(en["ui.failed"])).toBeHidden();
  }
});
