import type { Page } from "@playwright/test";
import { authorize, enter, newBuyer, password, programToken } from "./buyer.ts";
import { expect, expectAccessible, expectFits, test } from "./fixtures.ts";
import { answer, solveCaptcha, texts } from "./visitor.ts";

const en = texts.en;
const sessions = (page: Page) => page.getByRole("region", { name: en["sessions.title"] });
const rows = (page: Page) => sessions(page).getByRole("listitem");
const storage = (page: Page) => page.evaluate(() => Object.fromEntries(Object.entries(localStorage)));

test("signing out ends the session at the server, and the browser keeps its own choices and nothing of the person", async ({
  page,
  request,
}) => {
  const buyer = await newBuyer(request, "0");
  await enter(page, buyer);
  await page.evaluate(() => {
    localStorage.setItem("theme", "dark");
    localStorage.setItem("language", "es");
    localStorage.setItem("customSubjects", '["invoice"]');
    localStorage.setItem("customRegexPresets", '["[0-9]+"]');
    localStorage.setItem("selectedSite", "instagram.com");
    localStorage.setItem("lastSiteInput", "instagram.com");
    localStorage.setItem("of another release", "x");
  });
  await page.goto("/en/dashboard");
  const out = page.waitForResponse((answer) => answer.url().endsWith("/user/signout"));
  await page.getByRole("button", { name: en["nav.logout"] }).click();
  expect(await (await out).headerValue("clear-site-data")).toBe('"storage"');
  await expect(page).toHaveURL(/\/en$/);
  const kept = { theme: "dark", language: expect.any(String) };
  await expect.poll(() => storage(page)).toMatchObject(kept);
  for (const key of ["authToken", "customSubjects", "customRegexPresets", "selectedSite", "lastSiteInput"])
    expect(Object.keys(await storage(page))).not.toContain(key);
  expect(Object.keys(await storage(page))).not.toContain("of another release");
  const told = await request.get("/user/balance", { headers: { authorization: `Bearer ${buyer.token}` } });
  expect(await told.json()).toMatchObject({ status: "error", value: "token" });
});

test("without a connection the page signs out all the same", async ({ page, request }) => {
  await enter(page, await newBuyer(request, "0"));
  await page.goto("/en/dashboard");
  await answer(page, "/user/signout", "connection");
  await page.getByRole("button", { name: en["nav.logout"] }).click();
  await expect(page).toHaveURL(/\/en$/);
  expect(Object.keys(await storage(page))).not.toContain("authToken");
});

test("one browser ends the session of another, whose next click opens the sign-in and leads back", async ({
  page,
  browser,
  request,
}) => {
  const { email } = await newBuyer(request, "0");
  const far = await (await browser.newContext()).newPage();
  await enter(far, await authorize(request, email, password));
  await far.goto("/en/dashboard/payments");
  await expect(far.getByRole("heading", { level: 1, name: en["payments.title"] })).toBeVisible();

  await enter(page, await authorize(request, email, password));
  await page.goto("/en/dashboard/security");
  await expect(rows(page)).toHaveCount(3);
  await expect(rows(page).first()).toContainText(en["sessions.own"]);
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectFits(page);
  await sessions(page).getByRole("button", { name: en["sessions.endOthers"] }).click();
  await page.getByRole("dialog").getByRole("button", { name: en["sessions.endOthers"] }).click();
  await expect(rows(page)).toHaveCount(1);

  await far.getByRole("link", { name: en["statement.title"] }).click();
  const dialog = far.getByRole("dialog", { name: en["auth.login"] });
  await expect(dialog).toBeVisible();
  await dialog.getByLabel(en["auth.email"]).fill(email);
  await dialog.locator("input[name=password]").fill(password);
  await solveCaptcha(dialog);
  await dialog.getByRole("button", { name: en["auth.login.do"], exact: true }).click();
  await expect(far.getByRole("heading", { level: 1, name: en["statement.title"] })).toBeVisible();
  await far.context().close();
});

test("who holds the token of programs is told so, and sees no sessions", async ({ page, request }) => {
  const buyer = await newBuyer(request, "0");
  await enter(page, { token: await programToken(request, buyer) });
  await page.goto("/en/dashboard/security");
  await expect(page.getByText(en["security.byToken"])).toBeVisible();
  await expect(sessions(page)).toBeHidden();
  await expectAccessible(page);
  await page.getByRole("button", { name: en["security.byToken.do"] }).click();
  await expect(page.getByRole("dialog", { name: en["auth.login"] })).toBeVisible();
});
