import type { APIRequestContext, Locator, Page } from "@playwright/test";
import { solved } from "../kit/captcha.ts";
import { password } from "./buyer.ts";
import { expect } from "./fixtures.ts";

export async function tokenOf(
  request: APIRequestContext,
  email: string,
  mailed: () => Promise<string>,
): Promise<string> {
  const ask = async (path: string, form: Record<string, string>) =>
    (await (await request.post(path, { form })).json()) as Record<string, unknown>;
  const solve = async () => solved(await (await request.get("/api/captcha")).json());
  const known = await ask("/user/authorize", { email, password, captcha: await solve() });
  if (known["status"] === "success") return (known["data"] as { token: string }).token;
  const made = { email, password, localization: "ru", recaptcha: await solve() };
  const token = String((await ask("/user/registration", made))["token"]);
  expect(await ask("/user/activate", { token, code: await mailed() })).toMatchObject({ status: "success" });
  return token;
}

export const stepOf = (page: Page, title: string): Locator =>
  page
    .getByRole("listitem")
    .filter({ has: page.locator("summary", { hasText: title }) })
    .locator("details")
    .first();

export async function openStep(page: Page, title: string): Promise<Locator> {
  const step = stepOf(page, title);
  if ((await step.getAttribute("open")) === null) await step.locator("summary").click();
  return step;
}
