import { expect, test } from "postern-client/playwright";

test("someone who knows the code of the letter is let in", async ({ page, inbox }) => {
  await page.goto("/");
  await page.getByLabel("Email").fill(inbox.address);
  await page.getByRole("button", { name: "Sign up" }).click();
  await page.getByLabel("Code").fill(await inbox.code());
  await page.getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByRole("heading")).toHaveText(`Welcome, ${inbox.address}`);
});

test("a wrong code lets nobody in, and the letter says who wrote it", async ({ page, inbox }) => {
  await page.goto("/");
  await page.getByLabel("Email").fill(inbox.address);
  await page.getByRole("button", { name: "Sign up" }).click();
  await page.getByLabel("Code").fill("wrong");
  await page.getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByRole("alert")).toHaveText("This code is wrong.");
  const { subject, sender } = await inbox.letter();
  expect([subject, sender]).toEqual(["Confirm your email", "Parcels <no-reply@parcels.example.com>"]);
});

test("without an address nothing is sent", async ({ page, inbox }) => {
  await page.goto("/");
  await page.getByRole("button", { name: "Sign up" }).click();
  await expect(page.getByRole("heading")).toHaveText("Sign up");
  await expect(inbox.letter({ timeoutSeconds: 0 })).rejects.toThrow("wait message");
});
