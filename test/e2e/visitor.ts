import { type APIResponse, expect, type Locator, type Page, type Route } from "@playwright/test";
import arabicAccount from "../../i18n/account/ar.json" with { type: "json" };
import englishAccount from "../../i18n/account/en.json" with { type: "json" };
import arabicApp from "../../i18n/app/ar.json" with { type: "json" };
import englishApp from "../../i18n/app/en.json" with { type: "json" };
import arabicDocs from "../../i18n/docs/ar.json" with { type: "json" };
import englishDocs from "../../i18n/docs/en.json" with { type: "json" };
import arabic from "../../i18n/ar.json" with { type: "json" };
import english from "../../i18n/en.json" with { type: "json" };
import { contractTexts, appTexts } from "../../src/web/docs/contractTexts.ts";
import type { AuthMode } from "../../src/web/auth/authDialog.ts";

export const texts = {
  en: { ...english, ...appTexts(), ...englishApp, ...englishAccount, ...contractTexts(), ...englishDocs },
  ar: { ...arabic, ...arabicApp, ...arabicAccount, ...arabicDocs },
};
export type Walked = keyof typeof texts;
export const walked = ["en", "ar"] as const satisfies readonly Walked[];

export const password = "correct horse";
let made = 0;

export const newEmail = (): string => `visitor-${process.pid}-${Date.now()}-${made++}@example.com`;

export async function openAuth(
  page: Page,
  mode: Exclude<AuthMode, "activate" | "disown"> = "login",
  language: Walked = "en",
) {
  const t = texts[language];
  await page.goto(`/${language}`);
  await page.getByRole("button", { name: t["nav.login"], exact: true }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  if (mode === "register") await dialog.getByRole("button", { name: t["auth.register"] }).click();
  if (mode === "reset") await dialog.getByRole("button", { name: t["auth.login.forgot"] }).click();
  return dialog;
}

export async function fillRegistration(
  dialog: Locator,
  email: string,
  language: Walked = "en",
  secret = password,
): Promise<void> {
  const t = texts[language];
  await dialog.getByLabel(t["auth.email"]).fill(email);
  await dialog.getByLabel(t["auth.password"], { exact: true }).fill(secret);
  await dialog.getByLabel(t["auth.password.repeat"]).fill(secret);
  await solveCaptcha(dialog, language);
}

export async function register(
  dialog: Locator,
  email: string,
  language: Walked = "en",
  secret = password,
): Promise<void> {
  await fillRegistration(dialog, email, language, secret);
  await dialog.getByRole("button", { name: texts[language]["auth.register.do"] }).click();
}

/** Nobody solves a captcha until the returned function is called: on a fast machine one is solved before its lack can be read. */
export async function holdCaptcha(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route("**/api/captcha", async (route) => {
    await promise;
    await route.fallback();
  });
  return resolve;
}

/** It solves itself once something is typed. */
export async function solveCaptcha(dialog: Locator, language: Walked = "en"): Promise<void> {
  const name = texts[language]["captcha.done"];
  await expect(dialog.getByRole("checkbox", { name, checked: true })).toBeVisible({ timeout: 30_000 });
}

export async function answer(page: Page, path: string, said: object | "connection"): Promise<void> {
  await page.route(
    (url) => url.pathname === path,
    (route) => (said === "connection" ? route.fulfill({ body: "" }) : route.fulfill({ json: said })),
  );
}

export function answerTo(route: Route): Promise<APIResponse> {
  const { "if-none-match": _, ...headers } = route.request().headers();
  return route.fetch({ headers });
}

export const no = (value: string, more: object = {}) => ({ status: "error", value, ...more });
