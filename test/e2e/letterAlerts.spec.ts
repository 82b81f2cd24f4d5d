import type { Page } from "@playwright/test";
import englishApp from "../../i18n/app/en.json" with { type: "json" };
import { enter, newBuyer, sendLetter } from "./buyer.ts";
import { letterTo, order, rows, texts } from "./orderRows.ts";
import { expect, expectAccessible, expectFits, kept, test } from "./fixtures.ts";

interface Heard {
  notes: number;
  asked: number;
  shown: { title: string; body: string }[];
}

/** Replaces the sound and the notifications of the browser by counters. */
async function listen(page: Page): Promise<() => Promise<Heard>> {
  await page.evaluate(() => {
    const heard: Heard = { notes: 0, asked: 0, shown: [] };
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (when) {
      heard.notes++;
      start.call(this, when);
    };
    class FakeNotification {
      static permission = "default";
      static requestPermission() {
        heard.asked++;
        FakeNotification.permission = "granted";
        return Promise.resolve("granted");
      }
      constructor(title: string, { body }: { body: string }) {
        heard.shown.push({ title, body });
      }
    }
    Object.assign(globalThis, { Notification: FakeNotification, heard });
  });
  return () => page.evaluate(() => (globalThis as unknown as { heard: Heard }).heard);
}

const lookAway = (page: Page, isAway: boolean) =>
  page.evaluate((hidden) => {
    Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }, isAway);

for (const language of ["en", "ar"] as const) {
  test(
    `a letter sounds and notifies only when that was switched on, and says the code only if chosen (${language})`,
    {
      tag: language === "en" ? [] : ["@full"],
    },
    async ({ page, request }) => {
      const t = texts[language];
      await enter(page, await newBuyer(request));
      const first = await order(page, language);
      const heard = await listen(page);
      await sendLetter(letterTo(first, "482910"));
      await expect(rows(page).first()).toContainText("482910");
      expect(await heard()).toEqual({ notes: 0, asked: 0, shown: [] });

      await page.getByRole("button", { name: t["hints.title"] }).click();
      const settings = page.getByRole("group", { name: t["hints.title"] });
      await settings.getByRole("switch", { name: t["hints.sound"] }).check();
      await expect(settings.getByRole("switch", { name: t["hints.code"] })).toBeDisabled();
      await settings.getByRole("switch", { name: t["hints.notification"] }).check();
      await expectFits(page);
      await expectAccessible(page);
      await page.keyboard.press("Escape");
      await expect(settings).toBeHidden();
      expect(await heard()).toEqual({ notes: 2, asked: 1, shown: [] });

      await page.getByRole("button", { name: new RegExp(`^${t["order.buy"]} `) }).click();
      await expect(rows(page)).toHaveCount(2);
      const address = rows(page).first().locator("bdi", { hasText: "@letters.test" });
      await expect(address).not.toHaveText(first);
      const second = await address.innerText();
      await expect(rows(page).first()).toContainText(t["state.processing"]);
      await lookAway(page, true);
      await sendLetter(letterTo(second, "730114"));
      await expect.poll(async () => (await heard()).notes).toBe(4);
      const [notice] = (await heard()).shown;
      expect(notice?.title).toContain("instagram.com");
      expect(notice?.body).toBe(second);
      await expect(page).toHaveTitle(/^\(1\) /);
      await expect(page.locator("[aria-live]").filter({ hasText: second })).toContainText("730114");
      await lookAway(page, false);
      await expect(page).not.toHaveTitle(/^\(/);
      await expect.poll(() => kept(page, "hints")).toContain('"sound":true');
    },
  );
}

test("sound and notification are offered at the first order that waits, once", async ({ page, request }) => {
  const t = texts.en;
  await enter(page, await newBuyer(request));
  const offer = page.getByRole("region", { name: t["hints.title"] });
  await page.goto("/en/dashboard");
  await expect(page.getByText(t["activations.empty"])).toBeVisible();
  await expect(offer).toBeHidden();
  const first = await order(page);
  await expect(offer).toBeVisible();
  await expectAccessible(page);
  await sendLetter(letterTo(first, "482910"));
  await expect(rows(page).first()).toContainText("482910");
  await expect(offer).toBeHidden();
  await page.getByRole("button", { name: new RegExp(`^${t["order.buy"]} `) }).click();
  await expect(rows(page)).toHaveCount(2);
  await expect(offer).toBeHidden();

  await page.evaluate(() => localStorage.removeItem("hints"));
  await page.reload();
  const heard = await listen(page);
  await offer.getByRole("button", { name: t["hints.offer.yes"] }).click();
  await expect(offer).toBeHidden();
  await expect.poll(() => kept(page, "hints")).toContain('"sound":true');
  expect(await heard()).toEqual({ notes: 2, asked: 1, shown: [] });
});

test.describe("with the worker that shows notifications on phones", () => {
  test.use({ serviceWorkers: "allow" });

  test(
    "a press on a notification opens the letter in the page that is open, else the dashboard",
    { tag: "@full" },
    async ({ page, request, context }) => {
      // A browser without windows shows no notifications: what the page asks for is kept, and a press is told to the worker.
      await page.addInitScript(() => {
        const shown: Notice[] = [];
        Object.defineProperty(Notification, "permission", { value: "granted" });
        ServiceWorkerRegistration.prototype.showNotification = async (title, options) =>
          void shown.push({ title, ...options } as Notice);
        Object.assign(globalThis, { shown });
      });
      await enter(page, await newBuyer(request));
      await page.evaluate(() => {
        const hints = { sound: false, notification: true, code: false, title: false };
        localStorage.setItem("hints", JSON.stringify(hints));
      });
      const email = await order(page);
      await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
      await lookAway(page, true);
      await sendLetter(letterTo(email, "482910"));
      const shown = () => page.evaluate(() => (globalThis as unknown as { shown: Notice[] }).shown);
      await expect.poll(shown).toHaveLength(1);
      const [notice] = await shown();
      if (!notice) throw new Error("there is a notification");
      expect(notice.title).toContain("instagram.com");
      expect(notice).toMatchObject({ body: email, data: { page: "/en/dashboard" } });

      const worker = context.serviceWorkers()[0];
      if (!worker) throw new Error("there is no worker");
      const press = () =>
        worker.evaluate(async ({ tag, data }) => {
          const scope = globalThis as unknown as ServiceWorkerWorld;
          const done: unknown[] = [];
          scope.WindowClient.prototype.focus = async () => void done.push("focus");
          scope.clients.openWindow = async (address) => void done.push(address);
          const notification = { tag, data, close: () => done.push("close") };
          const works: Promise<unknown>[] = [];
          const waitUntil = (work: Promise<unknown>) => void works.push(work);
          scope.dispatchEvent(Object.assign(new Event("notificationclick"), { notification, waitUntil }));
          await Promise.all(works);
          return done;
        }, notice);
      expect(await press()).toEqual(["close", "focus"]);
      await expect(page.getByRole("dialog", { name: englishApp["letter.title"] })).toBeVisible();

      await page.goto("/en");
      expect(await press()).toEqual(["close", "/en/dashboard"]);
    },
  );
});

interface Notice {
  title: string;
  body: string;
  tag: string;
  data: { page: string };
}

interface ServiceWorkerWorld {
  clients: { openWindow: (address: string) => Promise<void> };
  WindowClient: { prototype: { focus: () => Promise<void> } };
  dispatchEvent: (event: Event) => boolean;
}

test(
  "shortcuts: the sheet lists them, they act, never while typing, and can be switched off",
  { tag: "@full" },
  async ({ page, request, context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await enter(page, await newBuyer(request));
    const email = await order(page);
    await sendLetter(letterTo(email, "482910"));
    await expect(rows(page).first()).toContainText("482910");

    await page.keyboard.press("c");
    await expect(page.getByText("Code 482910 copied")).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("482910");
    await page.keyboard.press("j");
    await expect(
      rows(page).first().getByRole("button", { name: "instagram.com", exact: true }),
    ).toBeFocused();
    await page.keyboard.press("o");
    const letter = page.getByRole("dialog", { name: englishApp["letter.title"] });
    await expect(letter.frameLocator("iframe").getByText("Enter this confirmation code")).toBeVisible();
    await page.keyboard.press("2");
    await page.keyboard.press("Escape");
    await expect(letter).toBeHidden();
    const tab = (name: string) => page.getByRole("tab", { name });
    await expect(tab(englishApp["tabs.activations"])).toHaveAttribute("aria-selected", "true");
    await page.keyboard.press("2");
    await expect(tab(englishApp["tabs.history"])).toHaveAttribute("aria-selected", "true");
    await page.keyboard.press("Control+1");
    await expect(tab(englishApp["tabs.history"])).toHaveAttribute("aria-selected", "true");
    await page.keyboard.press("1");
    await expect(tab(englishApp["tabs.activations"])).toHaveAttribute("aria-selected", "true");

    await page.keyboard.press("n");
    const site = page.getByLabel(englishApp["order.site"], { exact: true });
    await expect(site).toBeFocused();
    await page.keyboard.type("jo2n?");
    await expect(site).toHaveValue("jo2n?");
    await expect(page.getByRole("dialog")).toBeHidden();
    await rows(page).first().getByRole("button", { name: "instagram.com", exact: true }).focus();
    await page.keyboard.press("?");
    const sheet = page.getByRole("dialog", { name: englishApp["shortcuts.title"] });
    await expect(sheet.locator("kbd")).toHaveText([
      "N",
      "/",
      "C",
      "O",
      "J",
      "K",
      "1",
      "2",
      "?",
      "Ctrl K",
      "Esc",
    ]);
    await expectFits(page);
    await expectAccessible(page);
    await sheet.getByRole("switch", { name: englishApp["shortcuts.use"] }).uncheck();
    await page.keyboard.press("Escape");
    await expect(sheet).toBeHidden();
    await page.keyboard.press("2");
    await page.keyboard.press("?");
    await expect(sheet).toBeHidden();
    await expect(tab(englishApp["tabs.activations"])).toHaveAttribute("aria-selected", "true");
    await page.getByRole("button", { name: englishApp["shortcuts.title"] }).click();
    await expect(sheet.getByRole("switch")).not.toBeChecked();
  },
);
