import account from "../../i18n/account/en.json" with { type: "json" };
import app from "../../i18n/app/en.json" with { type: "json" };
import pub from "../../i18n/en.json" with { type: "json" };
import { enter, newBuyer, newStranger } from "./buyer.ts";
import { activation, rows } from "./orderRows.ts";
import { newInvestor } from "./investors.ts";
import { received } from "./letters.ts";
import { operate } from "./operator.ts";
import { place } from "./shopAddress.ts";
import { expect, expectAccessible, expectFits, kept, test } from "./fixtures.ts";
import { answer, no, solveCaptcha } from "./visitor.ts";

const en = { ...pub, ...app, ...account };

test("a press anywhere on a received row opens its letter, and its address can be selected", async ({
  page,
  request,
}) => {
  await enter(page, await received(request, { text: "Your code is 482910" }));
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await page.goto("/en/dashboard");
    for (const tab of [en["tabs.activations"], en["tabs.history"]]) {
      await page.getByRole("tab", { name: tab }).click();
      const row = rows(page).first();
      await expect(row).toContainText("482910");
      const address = row.locator("bdi", { hasText: "@letters.test" });
      const dialog = page.getByRole("dialog", { name: en["letter.title"] });
      const empty = await row.evaluate((element) => {
        element.scrollIntoView({ block: "center" });
        const { left, top, width: wide, height } = element.getBoundingClientRect();
        const points = [];
        for (let x = 4; x < wide - 4; x += 8)
          for (let y = 4; y < height - 4; y += 8) {
            const hit = document.elementFromPoint(left + x, top + y);
            if (hit && element.contains(hit) && !hit.closest("button,a")) points.push({ x, y });
          }
        return points;
      });
      expect(empty.length).toBeGreaterThan(100);
      const corners = [empty[0], empty.at(-1), empty[Math.floor(empty.length / 2)]];
      for (const position of corners) {
        await row.click(position ? { position } : {});
        await expect(dialog).toBeVisible();
        await page.keyboard.press("Escape");
        await expect(dialog).toBeHidden();
      }
      await address.click();
      await expect(dialog).toBeVisible();
      await page.keyboard.press("Escape");
      const box = await address.boundingBox();
      if (!box) throw new Error("the address is not drawn");
      await page.mouse.move(box.x + 1, box.y + 5);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width / 2, box.y + 5, { steps: 4 });
      await page.mouse.up();
      expect(await page.evaluate(() => getSelection()?.toString())).not.toBe("");
      await expect(dialog).toBeHidden();
      await page.evaluate(() => getSelection()?.empty());
      await row.getByRole("button", { name: /^Successful/ }).click();
      await expect(page.getByRole("dialog", { name: en["timeline.title"] })).toBeVisible();
      await page.keyboard.press("Escape");
    }
  }
});

test("a sign-in leads back to the page that wanted it", async ({ page, request }) => {
  const { token } = await newBuyer(request);
  for (const path of ["/en/dashboard/statement", "/en/admin/users"]) {
    await page.goto(path);
    if (path.includes("admin"))
      await page.getByRole("main").getByRole("button", { name: en["nav.login"] }).click();
    const dialog = page.getByRole("dialog", { name: en["auth.login"] });
    await dialog.getByRole("tab", { name: en["auth.method.token"] }).click();
    await dialog.getByRole("textbox", { name: en["auth.token"] }).fill(token);
    await solveCaptcha(dialog);
    await dialog.getByRole("button", { name: en["auth.login.do"], exact: true }).click();
    await expect(dialog).toBeHidden();
    await expect(page).toHaveURL(path);
    await page.evaluate(() => localStorage.removeItem("authToken"));
  }
});

test("the choice of the home page ends with the dialog that it waits for; empty fields are asked for", async ({
  page,
}) => {
  await page.goto("/en");
  await page.getByRole("button", { name: en["home.get"] }).click();
  const dialog = page.getByRole("dialog", { name: en["auth.register"] });
  await dialog.getByRole("button", { name: en["auth.register.do"], exact: true }).click();
  await expect(dialog.getByText(en["auth.error.emailEmpty"])).toBeVisible();
  await expect(dialog.getByText(en["auth.error.passwordEmpty"])).toBeVisible();
  await dialog.getByLabel(en["auth.email"]).fill("nobody");
  await dialog.getByRole("button", { name: en["auth.register.do"], exact: true }).click();
  await expect(dialog.getByText(en["auth.error.emailFormat"])).toBeVisible();
  const pending = () => kept(page, "pendingEmailRequest");
  expect(await pending()).not.toBeNull();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  expect(await pending()).toBeNull();
});

test("the button says what it will do as the money comes; a notice of what was not ordered goes with its order; a mail type asked for in vain is named", async ({
  page,
  request,
}) => {
  const buyer = await newBuyer(request, "0");
  await enter(page, buyer);
  await page.goto("/en/dashboard?from=instagram.com&to=nowhere.test");
  const missed = page.getByText(en["order.unmatched"].replace("{type}", "nowhere.test"));
  await expect(missed).toBeVisible();
  await page.getByRole("radio", { name: /^letters\.test/ }).check();
  await expect(missed).toBeHidden();
  await expect(page.getByRole("button", { name: "instagram.com", exact: true })).toHaveCount(1);
  await expect(page.getByRole("button", { name: /^Top up .* to buy$/ })).toBeVisible();
  await operate(place, "users", "credit", buyer.email, "1", "--reason", "browser tests");
  const buy = page.getByRole("button", { name: new RegExp(`^${en["order.buy"]} `) });
  await answer(page, "/email/order", no("email banned"));
  await buy.click();
  const failed = page.getByText(en["order.failed"].one.replace("{count}", "1"));
  await expect(failed).toBeVisible();
  await page.getByRole("button", { name: en["ui.stepper.more"] }).click();
  await expect(failed).toBeHidden();
});

test("a cancel that is refused is told once", async ({ page, request }) => {
  await answer(page, "/user/activations", { status: "success", data: [activation("1", 1)], pages: 1 });
  await enter(page, await newBuyer(request));
  await page.goto("/en/dashboard");
  await answer(page, "/email/cancel", no("no activation"));
  await rows(page).getByRole("button", { name: en["cancel.remove"] }).click();
  await expect(page.getByText(/^Cancel error/).filter({ visible: true })).toHaveCount(1);
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).not.toContainText(/not canceled/i);
});

test("the activation names the address that its code was sent to, and leads to another", async ({
  page,
  request,
}) => {
  const stranger = await newStranger(request);
  await enter(page, stranger);
  await page.goto("/en/dashboard");
  const dialog = page.getByRole("dialog", { name: en["auth.activate"] });
  await expect(dialog).toContainText(stranger.email);
  await dialog.getByRole("button", { name: en["auth.activate.change"] }).click();
  const form = page.getByRole("dialog", { name: en["auth.register"] });
  await expect(form.getByLabel(en["auth.email"])).toHaveValue(stranger.email);
  await expect(page).toHaveURL(/\/en$/);
});

test("without a support address help is a page, which says what to do", async ({ page }) => {
  await page.goto("/en");
  for (const link of await page.getByRole("link", { name: en["nav.help"] }).all())
    await expect(link).toHaveAttribute("href", "/en/help");
  await page.setViewportSize({ width: 360, height: 800 });
  await page.goto("/ar/help");
  await expect(page.getByRole("heading")).toHaveCount(5);
  await expectFits(page);
  await expectAccessible(page);
  await page.goto("/en/help");
  await expect(page.getByRole("heading", { name: en["help.letter"] })).toBeVisible();
  await expect(page.getByRole("link", { name: en["pay.support"] })).toHaveCount(0);
});

test("an investor's file is counted in the browser before it is sent", async ({ page, request }) => {
  const investor = await newInvestor(request);
  await enter(page, investor);
  await page.evaluate(() => localStorage.setItem("mode", "investor"));
  await page.goto("/en/dashboard");
  const terms = page.getByRole("region", { name: en["investor.add.title"] });
  await expect(terms.getByRole("definition").filter({ hasText: "30%" })).toBeVisible();
  await expect(terms.getByRole("definition").filter({ hasText: "letters.test" })).toBeVisible();
  const lines = Array.from({ length: 20 }, (_, at) => `box${at}@mail.example:secret`);
  const file = [...lines, "box1@mail.example:again", "wrong", "box@other.example:x"].join("\r\n");
  await page.locator("input[type=file]").setInputFiles({
    name: "batch.txt",
    mimeType: "text/plain",
    buffer: Buffer.from(file),
  });
  await page.getByRole("button", { name: en["investor.upload"], exact: true }).click();
  const dialog = page.getByRole("dialog", { name: en["investor.confirm.title"] });
  const counted = dialog.getByRole("region", { name: en["investor.count.title"] });
  for (const [name, number] of [
    ["lines", "23"],
    ["usable", "21"],
    ["duplicates", "1"],
    ["malformed", "1"],
  ] as const)
    await expect(counted.locator(`[data-count=${name}]`)).toContainText(number);
  await expect(counted).toContainText("mail.example (20), other.example (1)");
  await expect(counted).toContainText("22");
  await expect(counted).toContainText(/21 \(.?mail\.example, other\.example/);
  await expectAccessible(page);
});
