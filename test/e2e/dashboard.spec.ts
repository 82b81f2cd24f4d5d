import { languageCodes } from "../../src/i18n/languages.ts";
import { enter, newBuyer, newStranger, sendLetter } from "./buyer.ts";
import { letterTo, order, rows } from "./desk.ts";
import { expect, expectAccessible, expectFits, test } from "./quiet.ts";
import { answer, answerTo, no, texts } from "./visitor.ts";

const en = texts.en;

for (const language of ["en", "ar"] as const) {
  test(`an address is ordered and its letter appears by itself (${language})`, async ({
    page,

    request,
  }) => {
    const t = texts[language];
    await enter(page, await newBuyer(request));
    await page.goto(`/${language}/dashboard?from=https://www.Instagram.com/accounts/&to=LETTERS.test`);
    await expect(page).toHaveURL(new RegExp(`/${language}/dashboard$`));
    await expect(page.getByRole("radio", { name: /letters\.test/ })).toBeChecked();
    await expect(page.getByLabel(t["order.site"], { exact: true })).toHaveValue("instagram.com");
    await page.getByRole("button", { name: new RegExp(`^${t["order.buy"]}.*0\\.0035`) }).click();

    const row = rows(page).first();
    await expect(row).toContainText(t["state.processing"]);
    const address = row.locator("bdi", { hasText: "@letters.test" });
    const email = await address.innerText();
    await expectFits(page);
    await expectAccessible(page);

    await sendLetter(letterTo(email, "482910"));
    await expect(row).toContainText("482910");
    await expect(row).toContainText(t["state.received"]);
    await expect(page).toHaveTitle(/^\(1\) /);
    await expect(page.locator("[aria-live]").filter({ hasText: email })).toContainText("482910");

    await row.getByRole("button", { name: "instagram.com" }).click();
    const dialog = page.getByRole("dialog", { name: t["letter.title"] });
    await expect(dialog.getByRole("button", { name: /482910/ })).toBeVisible();
    await expect(dialog.frameLocator("iframe").getByText("enter this confirmation code")).toBeVisible();
    await expect(dialog.getByRole("link", { name: /instagram\.com\/confirm/ })).toBeVisible();
    await expect(page).not.toHaveTitle(/^\(/);
    await expectFits(page);
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await expect(row.getByRole("button", { name: "instagram.com" })).toBeFocused();
  });
}

test("three at once are three orders, each paid; a double press cancels one of them", async ({
  page,
  request,
}) => {
  await enter(page, await newBuyer(request, "1"));
  await page.goto("/en/dashboard?from=instagram&to=letters");
  await expect(page.getByRole("radio", { name: /letters\.test/ })).toBeChecked();
  await page.getByRole("button", { name: en["ui.stepper.more"] }).click({ clickCount: 2 });
  await page.getByRole("button", { name: /^Buy .*\$0\.0105/ }).click();
  // It says so for two seconds: looked at first.
  await expect(page.getByRole("button", { name: en["order.done"] })).toBeVisible();
  await expect(rows(page)).toHaveCount(3);
  await expect(page.getByText("$0.98950")).toBeVisible();
  // What is under the pointer at the second press is the next row.
  await rows(page).first().getByRole("button", { name: en["cancel.do"] }).dblclick();
  await expect(page.getByText("$0.99300")).toBeVisible();
  await expect(rows(page)).toHaveCount(2);
  // After two seconds the button sells again.
  await expect(page.getByRole("button", { name: /^Buy/ })).toBeVisible();
});

test("a cancel takes the row away and the money comes back; a refused one brings the row back", async ({
  page,

  request,
}) => {
  await enter(page, await newBuyer(request));
  await order(page);
  await expect(page.getByText("$0.99650")).toBeVisible();

  await page.route("**/email/cancel", (route) =>
    route.fulfill({ json: { status: "error", value: "server" } }),
  );
  await rows(page).first().getByRole("button", { name: en["cancel.do"] }).click();
  await expect(page.getByText(/^Cancel error: /)).toBeVisible();
  await expect(rows(page)).toHaveCount(1);

  await page.unroute("**/email/cancel");
  await rows(page).first().getByRole("button", { name: en["cancel.do"] }).click();
  await expect(page.getByText(en["activations.empty"])).toBeVisible();
  await expect(page.getByText("$1.00000")).toBeVisible();
});

test("without a subject the first press warns and the second orders again; the history keeps both", async ({
  page,

  request,
}) => {
  await enter(page, await newBuyer(request));
  const email = await order(page);
  await sendLetter(letterTo(email, "730114"));
  await expect(rows(page).first()).toContainText("730114");

  await rows(page).first().getByRole("button", { name: en["reorder.same"], exact: true }).click();
  await expect(page.getByText(en["reorder.warning"])).toBeVisible();
  await expect(rows(page)).toHaveCount(1);
  await rows(page).first().getByRole("button", { name: en["reorder.confirm"] }).click();
  await expect(rows(page)).toHaveCount(2);
  await expect(rows(page).first()).toContainText(email);
  await expect(rows(page).first()).toContainText(en["state.processing"]);

  await page.getByRole("tab", { name: en["tabs.history"] }).click();
  await expect(rows(page)).toHaveCount(2);
  await page.reload();
  await expect(page.getByRole("tab", { name: en["tabs.history"] })).toHaveAttribute("aria-selected", "true");
  await rows(page).getByRole("button", { name: "instagram.com" }).click();
  await expect(page.getByRole("dialog").frameLocator("iframe").getByText("730114")).toBeVisible();
  await expectAccessible(page);
});

test("another letter is ordered with a word of the subject", async ({ page, request }) => {
  await enter(page, await newBuyer(request));
  const email = await order(page);
  await sendLetter(letterTo(email, "111222"));
  await rows(page).first().getByRole("button", { name: en["reorder.with"] }).click();
  const dialog = page.getByRole("dialog", { name: en["reorder.title"] });
  await expect(dialog.getByLabel(en["order.subject"])).toBeFocused();
  await dialog.getByLabel(en["order.subject"]).fill("security alert");
  await expect(dialog.getByLabel(en["order.subject"])).toHaveValue("security");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: en["reorder.do"] }).click();
  await expect(dialog).toBeHidden();
  await expect(rows(page)).toHaveCount(2);

  await sendLetter(letterTo(email, "333444"));
  await sendLetter({ ...letterTo(email, "555666"), subject: "Your security code" });
  await expect(rows(page).first()).toContainText("555666");
  expect(await page.evaluate(() => localStorage.getItem("customSubjects"))).toContain("security");
});

test("too little money says how much is missing and leads to the top-up", async ({
  page,

  request,
}) => {
  await enter(page, await newBuyer(request, "0"));
  await page.goto("/en/dashboard?from=instagram&to=letters");
  await page.getByRole("button", { name: /^Buy\b/ }).click();
  const notice = page.getByRole("alert").filter({ hasText: en["order.notCharged"] });
  await expect(notice).toContainText("$0.0035");
  await expect(rows(page)).toHaveCount(0);
  await notice.getByRole("button", { name: en["topup.open"] }).click();
  await expect(page.getByRole("dialog").getByLabel(en["topup.amount"])).toHaveValue("1");
});

test("what sold out meanwhile offers what is left, and says what was not charged", async ({
  page,

  request,
}) => {
  await enter(page, await newBuyer(request));
  await page.goto("/en/dashboard?from=instagram&to=letters");
  let orders = 0;
  const alternatives = [{ domain: "post.test", price: 0.008, count: 3 }];
  await page.route("**/email/order", (route) =>
    orders++ === 0
      ? route.continue()
      : route.fulfill({ json: { status: "error", value: "no emails", alternatives } }),
  );
  await page.getByRole("button", { name: en["ui.stepper.more"] }).click();
  await page.getByRole("button", { name: /^Buy\b/ }).click();
  const notice = page.getByRole("status").filter({ hasText: "1 of 2 ordered" });
  await expect(notice).toContainText(en["order.notChargedRest"]);
  await notice.getByRole("button", { name: /post\.test/ }).click();
  await expect(page.getByRole("radio", { name: /post\.test/ })).toBeChecked();
  await expect(notice).toBeHidden();
});

test("an account that is not activated sees locked mail types, and the form after two seconds", async ({
  page,

  request,
}) => {
  await enter(page, await newStranger(request));
  await page.goto("/en/dashboard");
  await expect(page.getByText(en["order.locked"], { exact: true })).toBeVisible();
  await expect(page.getByRole("dialog", { name: en["auth.activate"] })).toBeVisible();
  await page.getByRole("dialog").getByText(en["auth.activate.later"], { exact: true }).click();
  await expect(page.getByRole("dialog")).toBeHidden();
  // Before, the form would open under the eyes of whoever looks for more than two seconds.
  await expectAccessible(page);
  await page.getByRole("button", { name: en["order.buy"] }).click();
  await expect(page.getByRole("dialog", { name: en["auth.activate"] })).toBeVisible();
});

test("patterns that compile are remembered, the token is masked until it is shown", async ({
  page,

  request,
}) => {
  const buyer = await newBuyer(request, "0");
  await enter(page, buyer);
  await page.goto("/en/dashboard");
  await page.getByText(en["order.options"]).click();
  const pattern = page.getByLabel(en["order.regex"]);
  await pattern.fill("(\\d{6}");
  await expect(page.getByText(en["order.regex.broken"])).toBeVisible();
  await pattern.fill("(\\d{6})");
  await expect(page.getByRole("button", { name: "(\\d{6})", exact: true })).toBeVisible();

  await expect(page.getByText(buyer.token)).toBeHidden();
  await page.getByRole("button", { name: en["auth.token.show"] }).click();
  await expect(page.getByText(buyer.token)).toBeVisible();
  await page.reload();
  await expect(page.getByText(buyer.token)).toBeVisible();
});

test("an avatar is picked from six, outlives a reload, and comes back when it is refused", async ({
  page,
  request,
}) => {
  await enter(page, await newBuyer(request, "0"));
  await page.goto("/en/dashboard");
  const opener = page.getByRole("button", { name: en["profile.avatar.change"] });
  await expect(page.getByText(en["profile.vip"], { exact: true })).toBeVisible();
  await opener.click();
  const dialog = page.getByRole("dialog", { name: en["profile.avatar.choose"] });
  await expect(dialog.getByRole("button", { name: /^Avatar \d/ })).toHaveCount(6);
  const first = dialog.getByRole("button", { name: "Avatar 1 VIP" });
  await expect(first).toBeFocused();
  await expect(first).toHaveAttribute("aria-pressed", "true");
  await expectAccessible(page);
  const saved = page.waitForResponse("**/api/avatar/");
  await dialog.getByRole("button", { name: "Avatar 4" }).click();
  await saved;
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();
  await expect(page.getByText(en["profile.vip"], { exact: true })).toBeHidden();
  await page.reload();
  await opener.click();
  await expect(dialog.getByRole("button", { name: "Avatar 4" })).toHaveAttribute("aria-pressed", "true");

  await page.route("**/api/avatar/", (route) =>
    route.fulfill({ json: { status: "error", value: "server" } }),
  );
  await first.click();
  await expect(page.getByRole("region", { name: en["ui.toasts"] })).toContainText(en["refusal.server"]);
  await opener.click();
  await expect(dialog.getByRole("button", { name: "Avatar 4" })).toHaveAttribute("aria-pressed", "true");
});

test("account 45 has an avatar of its own, which is not chosen", async ({ page, request }) => {
  await enter(page, await newBuyer(request, "0"));
  await page.route("**/user/information", async (route) => {
    const response = await answerTo(route);
    const body = (await response.json()) as { data: object };
    await route.fulfill({ response, json: { ...body, data: { ...body.data, id: "45" } } });
  });
  await page.goto("/en/dashboard");
  await expect(page.getByRole("img", { name: en["profile.avatar"] })).toBeVisible();
  await expect(page.getByRole("button", { name: en["profile.avatar.change"] })).toBeHidden();
});

test("an account that cannot be read is told, and is there by itself once it can", async ({
  page,
  request,
}) => {
  await enter(page, await newBuyer(request, "0"));
  // The stream would have it asked again when it begins.
  await answer(page, "/user/events", no("too many"));
  const fails = "**/user/{information,activations?*}";
  await page.route(fails, (route) => route.fulfill({ json: { status: "error", value: "server" } }));
  await page.goto("/en/dashboard");
  await expect(page.getByText(en["refusal.server"])).toHaveCount(2);
  // Nobody knows yet whether there are orders. Looked at once: it is asked for again and again.
  expect(await page.locator("#activations").innerText()).not.toContain(en["activations.empty"]);
  // It is asked for again and again: what is said of it stands still.
  const told = await page.getByText(en["refusal.server"]).all();
  const stand = await Promise.all(told.map((one) => one.elementHandle()));
  for (let time = 0; time < 2; time++) await page.waitForResponse(fails);
  for (const one of stand) expect(await one?.evaluate((element) => element.isConnected)).toBe(true);
  // What will come has its room: nothing that is seen moves away for it.
  await page.getByRole("link", { name: en["dashboard.partner"] }).click();
  await expect(page.getByText(en["partner.left"])).toBeVisible();
  await expect(page.getByRole("contentinfo")).not.toBeInViewport();
  await page.unroute(fails);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByText(en["refusal.server"])).toBeHidden();
});

test("a token that the server no longer knows leads home", async ({ page }) => {
  await enter(page, { token: "x".repeat(32) });
  await page.goto("/en/dashboard");
  await expect(page).toHaveURL(/\/en$/);
  await expect(page.getByText(en["auth.ended"])).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem("authToken"))).toBeNull();
});

test("the dashboard fits and is accessible in every language, light and dark", async ({
  page,

  request,
}) => {
  await enter(page, await newBuyer(request, "0"));
  for (const language of languageCodes) {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.goto(`/${language}/dashboard?from=x&to=post`);
      await expect(page.getByRole("radio", { name: /post\.test/ })).toBeChecked();
      await expectFits(page);
      if (language === "en" || language === "ar")
        await expectAccessible(page, colorScheme === "light" ? "all" : "colours");
    }
  }
});
