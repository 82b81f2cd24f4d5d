import { type APIRequestContext, expect, type Page } from "@playwright/test";
import english from "../../i18n/app/en.json" with { type: "json" };
import { enter, newBuyer, sendLetter, theMember } from "./buyer.ts";
import { activation } from "./orderRows.ts";
import { answer } from "./visitor.ts";

interface Body {
  html?: string;
  text?: string;
}

export async function received(request: APIRequestContext, body: Body) {
  const { token, email: owner } = await newBuyer(request);
  const ask = async (path: string, form: Record<string, string>) =>
    (await (await request.post(path, { form: { token, ...form } })).json()) as Record<string, unknown>;
  const order = await ask("/email/order", { site: "instagram.com", domain: "letters.test" });
  const [id, email] = [String(order["id"]), String(order["email"])];
  await sendLetter({
    from: "Instagram <no-reply@mail.instagram.com>",
    to: email,
    subject: "Your Instagram code",
    ...body,
  });
  const letter = await ask("/email/getmessage", { id, wait: "30" });
  if (letter["status"] !== "success") throw new Error(`no letter came: ${String(letter["value"])}`);
  return { token, owner, id, email };
}

export async function openLetter(page: Page, buyer: { token: string }) {
  await enter(page, buyer);
  await page.goto("/en/dashboard");
  await page.locator("#activations li").getByRole("button", { name: "instagram.com" }).click();
  const dialog = page.getByRole("dialog", { name: english["letter.title"] });
  await expect(dialog).toBeVisible();
  return dialog;
}

export const letter = {
  status: "success",
  message: "<p>Enter this confirmation code</p>",
  subject: "Your Instagram code",
  sender: "no-reply@mail.instagram.com",
  received_at: 1_795_258_860,
  letter_id: "7",
  attachments: [],
  remote_images: 0,
  messages: 1,
};

export async function openCanned(page: Page, request: APIRequestContext, different: object) {
  await answer(page, "/user/activations", { status: "success", data: [activation("1", 1)], pages: 1 });
  await answer(page, "/email/getmessage", { ...letter, ...different });
  return openLetter(page, await theMember(request));
}
