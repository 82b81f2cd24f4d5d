import { expect } from "vitest";
import type { TestShop } from "./shop.ts";

/** An order and its letter; answers the id of the order. */
export async function sell(shop: TestShop, token: string, code: string): Promise<string> {
  const { id, email } = await shop.order(token);
  const from = "no-reply@mail.instagram.com";
  await shop.send({ to: email, from, subject: `${code} is your code`, text: `Your code is ${code}.` });
  expect(await shop.get("/email/getmessage", { token, id, wait: 20 })).toMatchObject({ code });
  return id;
}
