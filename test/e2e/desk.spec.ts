import type { Locator } from "@playwright/test";
import english from "../../i18n/app/en.json" with { type: "json" };
import { expect, expectAccessible, test } from "./fixtures.ts";
import { letter, openCanned } from "./letters.ts";

// The measures of the buyer's desk: what is in the first screen.

const en = english;

/** Which part of its viewer a letter has. */
const share = (dialog: Locator) =>
  dialog.evaluate(
    (viewer) =>
      (viewer.querySelector("iframe")?.getBoundingClientRect().height ?? 0) /
      viewer.getBoundingClientRect().height,
  );

test.describe("the letter", { tag: "@both" }, () => {
  test("has most of its viewer, which alone does not scroll; on a phone it fills the window", async ({
    page,
    request,
  }) => {
    const isPhone = (page.viewportSize()?.width ?? 0) < 500;
    await page.setViewportSize(isPhone ? { width: 390, height: 844 } : { width: 1280, height: 800 });
    const dialog = await openCanned(page, request, {
      code: "482913",
      message: `<p>Enter this code: 482913</p>${"<p>More</p>".repeat(80)}`,
      attachments: [{ name: "Terms.pdf", type: "application/pdf", size: 183_422 }],
    });
    await expect(dialog.getByRole("heading", { name: letter.subject })).toBeVisible();
    await expect(dialog.locator("iframe")).toBeVisible();
    await expect.poll(() => share(dialog)).toBeGreaterThan(0.6);
    const overflow = await dialog.evaluate((viewer) =>
      [...viewer.querySelectorAll("*")].some(
        (one) => one.scrollHeight > one.clientHeight + 1 && getComputedStyle(one).overflowY === "auto",
      ),
    );
    expect(overflow).toBe(false);
    if (isPhone) await expect.poll(async () => (await dialog.boundingBox())?.height).toBe(844);
    await expectAccessible(page);
  });
});

test("a letter is kept open beside the list, as the reader has chosen, and Escape closes it", async ({
  page,
  request,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const dialog = await openCanned(page, request, {});
  await dialog.getByRole("button", { name: en["letter.beside"] }).click();
  const beside = page.getByRole("region", { name: letter.subject });
  await expect(beside.locator("iframe")).toBeVisible();
  await expect(dialog).toBeHidden();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(beside).toBeHidden();

  await page.reload();
  const row = page.locator("#activations li").getByRole("button", { name: "instagram.com" });
  await row.click();
  await expect(beside.locator("iframe")).toBeVisible();
  await expect(row).toBeFocused();
  await beside.getByRole("button", { name: en["letter.beside"] }).click();
  await expect(dialog.locator("iframe")).toBeVisible();
});
