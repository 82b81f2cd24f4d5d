import type { Locator } from "@playwright/test";
import english from "../../i18n/app/en.json" with { type: "json" };
import { expect, expectAccessible, test } from "./fixtures.ts";
import { enter, theMember } from "./buyer.ts";
import { letter, openCanned } from "./letters.ts";
import { activation, rows } from "./orderRows.ts";
import { payment } from "./payments.ts";
import { answer } from "./visitor.ts";

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

const tenOrders = Array.from({ length: 10 }, (_, at) =>
  activation(String(at + 1), 1, {
    code: "482913",
    subject: "Your Instagram code",
    received_at: 1_795_258_860,
  }),
);

test("eight orders are in the first screen, with acts that say in words what they do and cost", async ({
  page,
  request,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await answer(page, "/user/activations", { status: "success", data: tenOrders, pages: 1 });
  await enter(page, await theMember(request));
  await page.goto("/en/dashboard");
  await expect(rows(page)).toHaveCount(10);
  await expect(page.getByRole("searchbox", { name: en["find.search"] })).toBeVisible();
  await expect
    .poll(() =>
      rows(page).evaluateAll(
        (all) => all.filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length,
      ),
    )
    .toBeGreaterThanOrEqual(8);
  const first = rows(page).first();
  const again = first.getByRole("button", { name: `${en["reorder.same"]} $0.0035` });
  const words = again.getByText(en["reorder.same"], { exact: true }).locator("..");
  await expect(words).toHaveCSS("opacity", "0");
  await again.hover();
  await expect(words).toHaveCSS("opacity", "1");
  await expectAccessible(page);
});

test(
  "on a phone the newest order is in the first screen, and what can be done with it in a menu",
  { tag: "@phone" },
  async ({ page, request }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await answer(page, "/user/activations", { status: "success", data: tenOrders.slice(0, 1), pages: 1 });
    await enter(page, await theMember(request));
    await page.goto("/en/dashboard");
    const row = rows(page).first();
    const bar = page.getByRole("navigation").last();
    const isInFirstScreen = async () => {
      await expect(row).toBeVisible();
      await expect
        .poll(async () => ((await row.boundingBox())?.y ?? 844) + 100 - ((await bar.boundingBox())?.y ?? 0))
        .toBeLessThan(0);
    };
    await isInFirstScreen();
    await answer(page, "/user/payments", { status: "success", data: [payment, payment], next_page: false });
    await page.reload();
    await expect(page.getByRole("region", { name: en["payments.title"] })).toBeVisible();
    await isInFirstScreen();
    await expect(page.getByRole("searchbox", { name: en["find.search"] })).toBeHidden();
    await expectAccessible(page);
    await row.getByRole("button", { name: /^Actions for / }).click();
    await expect(page.getByRole("button", { name: `${en["again.new"]} $0.0035` })).toBeVisible();
    await page.getByRole("button", { name: en["activations.checkNow"] }).click();
    await expect(page.getByRole("button", { name: en["activations.checkNow"] })).toBeHidden();
  },
);

test("five offers are in the first screen, and a first word is the site that it stands for", async ({
  page,
  request,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const names = ["envelope", "harbor", "letters", "parcel", "post", "station"];
  const data = Object.fromEntries(names.map((name) => [`${name}.test`, { count: 1000, price: 0.0035 }]));
  await answer(page, "/email/quantity", { status: "success", site: "instagram.com", data });
  await enter(page, await theMember(request));
  await page.goto("/en/dashboard?from=instagram");
  await expect(page.getByRole("radio")).toHaveCount(6);
  await expect(page.getByRole("button", { name: "instagram.com", exact: true })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  const buy = page.getByRole("button", { name: en["order.buy"] });
  await expect
    .poll(async () => {
      const end = (await buy.boundingBox())?.y ?? 0;
      const boxes = await page
        .getByRole("radio")
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().bottom));
      return boxes.filter((bottom) => bottom < end - 40).length;
    })
    .toBeGreaterThanOrEqual(5);
});
