import { enter, newBuyer, sendLetter, theMember } from "./buyer.ts";
import { expect, expectAccessible, expectFits, test } from "./fixtures.ts";
import { letter } from "./letters.ts";
import { activation, endToasts, letterTo, order, rows, texts } from "./orderRows.ts";
import { answer } from "./visitor.ts";

test(
  "an order is found by one field, filters stand in the address bar, and both lists keep them",
  { tag: "@both" },
  async ({ page, request, context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const t = texts.en;
    await enter(page, await newBuyer(request));
    const first = await order(page);
    await sendLetter(letterTo(first, "482910"));
    await expect(rows(page).first()).toContainText("482910 is your Instagram code");
    await page.getByRole("button", { name: new RegExp(`^${t["order.buy"]} `) }).click();
    await expect(rows(page)).toHaveCount(2);

    const box = page.getByRole("searchbox", { name: t["find.search"] });
    const search = page.getByRole("search", { name: t["find.title"] });
    await page.locator("body").press("/");
    await expect(box).toBeFocused();
    await page.keyboard.type("4829");
    await expect(rows(page)).toHaveCount(1);
    await expect(rows(page)).toContainText(first);
    // The list may have been narrowed by the first of these already.
    await expect(page).toHaveURL(({ searchParams }) => searchParams.get("q") === "4829");
    await page.reload();
    await expect(box).toHaveValue("4829");
    await expect(rows(page)).toHaveCount(1);
    await box.press("Escape");
    await expect(rows(page)).toHaveCount(2);

    await page.getByRole("checkbox", { name: t["select.all"] }).check();
    const selection = page.getByRole("group", { name: t["select.title"] });
    await selection.getByRole("button", { name: t["select.codes"] }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${first}:482910`);
    await expectFits(page);
    await expectAccessible(page);
    await selection.getByRole("button", { name: t["select.cancel"].replace("{count}", "1") }).click();
    await expect(selection).toBeHidden();
    await expect(rows(page).first()).toContainText(t["cancel.now"]);
    await endToasts(page);
    await expect(rows(page)).toHaveCount(1);

    await page.getByRole("button", { name: t["find.filters"] }).click();
    await search.getByLabel(t["find.state"], { exact: true }).selectOption(t["find.received"]);
    await expect(rows(page)).toContainText(first);
    await search.getByLabel(t["find.site"], { exact: true }).fill("discord.com");
    await page.keyboard.press("Enter");
    await expect(page.getByText(t["find.nothing"])).toBeVisible();
    await expectFits(page);
    await expectAccessible(page);
    await page.getByRole("tab", { name: t["tabs.history"] }).click();
    await expect(page.getByText(t["find.nothing"])).toBeVisible();
    const chip = (filter: string) =>
      search.getByRole("button", { name: t["filters.off"].replace("{filter}", filter) });
    await chip("discord.com").click();
    await expect(rows(page)).toContainText(first);
    await expect(search.getByRole("status")).toHaveText(t["find.found"].one.replace("{count}", "1"));
    await page.getByRole("button", { name: t["find.filters"] }).click();
    await search.getByRole("button", { name: t["period.today"], exact: true }).click();
    await expect(chip(t["period.today"])).toBeVisible();
    await expectFits(page);
    await expectAccessible(page);
    await page.reload();
    await expect(rows(page)).toHaveCount(1);
    await chip(t["period.today"]).click();
    await chip(t["find.received"]).click();
    await expect(rows(page)).toHaveCount(2);
    await expect(rows(page).first()).toContainText(t["history.canceled"].split(",")[0] ?? "");
    await page.getByRole("button", { name: t["find.filters"] }).click();
    const file = page.waitForEvent("download");
    await page.getByRole("button", { name: t["find.file"] }).click();
    expect((await file).suggestedFilename()).toMatch(/^postern-activations-.*\.csv$/);
  },
);

test("from a letter the next and the previous one are a key away", async ({ page, request }) => {
  const t = texts.en;
  const data = [activation("1", 1), activation("2", 0), activation("3", 1)];
  await answer(page, "/user/activations", { status: "success", data, pages: 1 });
  await answer(page, "/email/getmessage", letter);
  await enter(page, await theMember(request));
  await page.goto("/en/dashboard");
  await rows(page).first().getByRole("button", { name: "instagram.com" }).click();
  const dialog = page.getByRole("dialog", { name: t["letter.title"] });
  await expect(dialog.getByText("box1@letters.test")).toBeVisible();
  await expect(dialog.getByRole("button", { name: t["letter.previous"] })).toBeDisabled();
  await page.keyboard.press("j");
  await expect(dialog.getByText("box3@letters.test")).toBeVisible();
  await expect(dialog.getByRole("button", { name: t["letter.next"] })).toBeDisabled();
  await page.keyboard.press("k");
  await expect(dialog.getByText("box1@letters.test")).toBeVisible();
});

test("the palette of the account finds an order and a page, and orders for a site, by keyboard alone", async ({
  page,
  request,
}) => {
  const t = texts.en;
  await enter(page, await newBuyer(request));
  const address = await order(page);
  const palette = page.getByRole("dialog", { name: t["palette.title"] });
  const field = palette.getByRole("combobox");
  const chosen = palette.getByRole("option", { selected: true });
  await page.keyboard.press("Control+k");
  await expect(field).toBeFocused();
  await page.keyboard.type(address.slice(0, 4));
  await expect(chosen).toContainText(address);
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("region", { name: address })).toContainText("instagram.com");

  await page.locator("body").press("/");
  await page.keyboard.type(t["payments.title"].slice(0, 3));
  await expect(chosen).toContainText(t["payments.title"]);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/en/dashboard/payments");

  await page.getByRole("button", { name: t["palette.title"] }).click();
  await page.keyboard.type(`${t["shortcuts.new"]} zoom.us`);
  await expect(chosen).toContainText("zoom.us");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("textbox", { name: t["order.site"] })).toHaveValue("zoom.us");
});

test(
  "an order has a note of its buyer: with the order, in both lists, changed and removed from the row, and found",
  { tag: "@both" },
  async ({ page, request }) => {
    const t = texts.en;
    await enter(page, await newBuyer(request));
    await page.goto("/en/dashboard?from=instagram.com&to=letters");
    await page.locator("summary", { hasText: t["order.options"] }).click();
    await page.getByLabel(t["note.title"]).fill("for Nora");
    await page.getByRole("button", { name: new RegExp(`^${t["order.buy"]} `) }).click();
    const note = rows(page).first().getByRole("button", { name: "for Nora" });
    await expect(note).toBeVisible();
    // The next order is for something else.
    await expect(page.getByLabel(t["note.title"])).toHaveValue("");
    await expectFits(page);
    await expectAccessible(page);

    await note.click();
    const dialog = page.getByRole("dialog", { name: t["note.title"] });
    const field = dialog.getByLabel(t["note.title"]);
    await expect(field).toBeFocused();
    await field.fill("for Bela, order 4711");
    await expectAccessible(page);
    await field.press("Enter");
    await expect(dialog).toBeHidden();
    await expect(rows(page).first()).toContainText("for Bela, order 4711");
    await page.goto("/en/dashboard?q=bela");
    await expect(rows(page)).toHaveCount(1);

    await page.getByRole("tab", { name: t["tabs.history"] }).click();
    await rows(page).first().getByRole("button", { name: "for Bela, order 4711" }).click();
    await field.fill("");
    await dialog.getByRole("button", { name: t["note.save"] }).click();
    await expect(page.getByText("for Bela, order 4711")).toBeHidden();

    await page.goto("/en/dashboard");
    await rows(page).first().getByRole("link", { name: /^#/ }).click();
    await expect(page).toHaveURL(/\/order\?id=/);
    await page.getByRole("button", { name: t["note.add"] }).click();
    await field.fill("from its page");
    await field.press("Enter");
    await expect(page.getByRole("definition").filter({ hasText: "from its page" })).toBeVisible();
    await expectAccessible(page);
  },
);
