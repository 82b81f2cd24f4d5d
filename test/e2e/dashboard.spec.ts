import { enter, newBuyer, sendLetter, theMember, programToken } from "./buyer.ts";
import { endToasts, letterTo, order, rows } from "./orderRows.ts";
import { expect, expectAccessible, expectFits, kept, runClock, stopClock, test } from "./fixtures.ts";
import { answer, answerTo, no, texts } from "./visitor.ts";

const en = texts.en;

for (const language of ["en", "ar"] as const) {
  test(
    `an address is ordered and its letter appears by itself (${language})`,
    { tag: language === "en" ? "@both" : [] },
    async ({ page, request }) => {
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
    },
  );
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
  // It shows for two seconds, so it is checked first.
  await expect(page.getByRole("button", { name: en["order.done"] })).toBeVisible();
  await expect(rows(page)).toHaveCount(3);
  await expect(page.getByRole("banner").getByText("$0.98950")).toBeVisible();
  // The second press meets "Undo".
  await rows(page).first().getByRole("button", { name: en["cancel.do"] }).dblclick();
  await endToasts(page);
  await expect(page.getByRole("banner").getByText("$0.99300")).toBeVisible();
  await expect(rows(page)).toHaveCount(2);
  await expect(page.getByRole("button", { name: /^Buy/ })).toBeVisible();
});

test("a cancel can be undone for five seconds, is made then or when the page is left, and a refused one brings the row back with the reason", async ({
  page,
  request,
}) => {
  await page.clock.install();
  await enter(page, await newBuyer(request));
  await order(page);
  const balance = (dollars: string) => page.getByRole("banner").getByText(dollars);
  await expect(balance("$0.99650")).toBeVisible();
  const row = rows(page).first();
  const cancel = row.getByRole("button", { name: en["cancel.do"] });
  const undo = row.getByRole("button", { name: en["cancel.undo"] });
  const calls: string[] = [];
  page.on("request", (asked) => asked.url().endsWith("/email/cancel") && calls.push(asked.method()));
  // Else it goes on by itself, and a slow machine is too late to undo.
  await stopClock(page);

  await cancel.press("Enter");
  await expect(row).toContainText(en["cancel.now"]);
  await expect(undo).toBeFocused();
  await page.clock.runFor(4900);
  await page.keyboard.press("Enter");
  await expect(cancel).toBeFocused();
  await page.clock.runFor(5000);
  await cancel.press("Enter");
  await page
    .getByRole("region", { name: texts.en["ui.toasts"] })
    .getByRole("button", { name: en["cancel.undo"] })
    .click();
  await expect(cancel).toBeVisible();
  await page.clock.runFor(6000);
  expect(calls).toEqual([]);

  await test.step("refused", async () => {
    await answer(page, "/email/cancel", no("server"));
    await cancel.press("Enter");
    await page.clock.runFor(5100);
    await expect(page.getByRole("region").filter({ hasText: /^Cancel error: / })).toBeVisible();
    await expect(cancel).toBeVisible();
    expect(calls).toEqual(["POST"]);
    await page.unrouteAll();
  });

  await page.clock.resume();
  await cancel.press("Enter");
  await expect(undo).toBeFocused();
  await page.goto("/en/docs");
  await expect(balance("$1.00000")).toBeVisible();
});

test("an order whose letter comes while its cancel can be undone is not canceled", async ({
  page,
  request,
}) => {
  await page.clock.install();
  await enter(page, await newBuyer(request));
  const email = await order(page);
  const row = rows(page).first();
  const calls: string[] = [];
  page.on("request", (asked) => asked.url().endsWith("/email/cancel") && calls.push(asked.method()));
  await stopClock(page);
  await row.getByRole("button", { name: en["cancel.do"] }).press("Enter");
  await expect(row).toContainText(en["cancel.now"]);
  await sendLetter(letterTo(email, "482910"));
  await runClock(page, 1, () => row.textContent()).toContain("482910");
  await page.clock.runFor(6000);
  expect(calls).toEqual([]);
});

test("without a subject the first press warns and the second orders again; the history keeps both", async ({
  page,
  request,
}) => {
  await enter(page, await newBuyer(request));
  const email = await order(page);
  await sendLetter(letterTo(email, "730114"));
  await expect(rows(page).first()).toContainText("730114");

  await rows(page).first().getByRole("button", { name: en["reorder.same"] }).click();
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
  await expect.poll(() => kept(page, "customSubjects")).toContain("security");
});

test("with too little money the button says from how much on to top up; the order waits for the payment, and a reload between charges once", async ({
  page,
  request,
}) => {
  const buyer = await newBuyer(request, "0");
  await enter(page, buyer);
  await page.goto("/en/dashboard?from=instagram&to=letters");
  await page.getByRole("button", { name: en["ui.stepper.more"] }).click();
  await page.getByRole("button", { name: /^Top up from .*\$1\.00.* to buy$/ }).click();
  const dialog = page.getByRole("dialog", { name: en["topup.title"] });
  await expect(dialog.getByLabel(en["topup.amount"])).toHaveValue("1");
  const opening = page.waitForEvent("popup");
  await dialog.getByRole("button", { name: en["topup.do"] }).click();
  const payment = await opening;
  await expect(page.getByText(en["order.waits.cancel"])).toBeVisible();
  await payment.getByRole("button", { name: en["pay.sandbox.play"] }).click();
  // Both tabs see the credit; the keys of the order are the same.
  await page.reload();
  await expect(rows(page)).toHaveCount(2);
  await expect(page.getByRole("banner").getByText("$0.99300")).toBeVisible();
  await expect(page.getByText(en["order.waits.cancel"])).toBeHidden();
  await payment.reload();
  await expect(payment.getByRole("banner").getByText("$0.99300")).toBeVisible();
  const told = await request.get("/user/activations", { params: { token: buyer.token, page: "1" } });
  expect(((await told.json()) as { data: unknown[] }).data).toHaveLength(2);
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

test("the token is masked until it is shown, which is remembered; a copy of it says so for a second and a half", async ({
  page,
  request,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const member = await theMember(request);
  const token = await programToken(request, member);
  await enter(page, member);
  await page.clock.install();
  await page.goto("/en/dashboard");
  await expect(page.getByText(token)).toBeHidden();
  await page.getByRole("button", { name: en["auth.token.show"] }).click();
  await expect(page.getByText(token)).toBeVisible();
  await page.reload();
  await expect(page.getByText(token)).toBeVisible();

  await stopClock(page);
  await page.getByRole("button", { name: en["profile.copyToken"] }).click();
  const said = page.getByRole("status").filter({ hasText: en["ui.copied"] });
  await expect(said).toHaveCount(1);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token);
  await page.clock.runFor(1400);
  await expect(said).toHaveCount(1);
  await page.clock.runFor(200);
  await expect(said).toHaveCount(0);
});

test("an avatar is picked from six, outlives a reload, and comes back when it is refused; that of account 45 is not chosen", async ({
  page,
  request,
}) => {
  await enter(page, await newBuyer(request, "0"));
  await page.goto("/en/dashboard");
  const opener = page.getByRole("button", { name: en["profile.avatar.change"] });
  await expect(opener).toBeVisible();
  await expect(page.getByText(en["profile.vip"], { exact: true })).toBeHidden();
  await opener.click();
  const dialog = page.getByRole("dialog", { name: en["profile.avatar.choose"] });
  await expect(dialog.getByRole("button", { name: /^Avatar \d/ })).toHaveCount(6);
  const first = dialog.getByRole("button", { name: "Avatar 1 VIP" });
  const own = dialog.getByRole("button", { name: "Avatar 2" });
  await expect(own).toBeFocused();
  await expect(own).toHaveAttribute("aria-pressed", "true");
  await expectAccessible(page);
  const saved = page.waitForResponse("**/api/avatar/");
  await dialog.getByRole("button", { name: "Avatar 4" }).click();
  await saved;
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();
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

  await page.route("**/user/information", async (route) => {
    const response = await answerTo(route);
    const body = (await response.json()) as { data: object };
    await route.fulfill({ response, json: { ...body, data: { ...body.data, id: "45" } } });
  });
  await page.reload();
  await expect(page.getByRole("img", { name: en["profile.avatar"] })).toBeVisible();
  await expect(opener).toBeHidden();
});

test(
  "an account that cannot be read is told, and is there by itself once it can",
  { tag: "@full" },
  async ({ page, request }) => {
    await enter(page, await theMember(request));
    // A stream's start would reload the list.
    await answer(page, "/user/events", no("too many"));
    const fails = "**/user/{information,activations?*}";
    let refused = 0;
    await page.route(fails, async (route) => {
      await route.fulfill({ json: no("server") });
      refused++;
    });
    await page.clock.install();
    await page.goto("/en/dashboard");
    await expect(page.getByText(en["refusal.server"])).toHaveCount(2);
    // Before the first answer the page must not say that the list is empty. Checked once: the page retries.
    expect(await page.locator("#activations").innerText()).not.toContain(en["activations.empty"]);
    // The page retries: its message must stand still.
    const told = await page.getByText(en["refusal.server"]).all();
    const stand = await Promise.all(told.map((one) => one.elementHandle()));
    // The next time is set when the answer has been read.
    const before = refused;
    await runClock(page, 1000, () => refused).toBeGreaterThan(before + 3);
    for (const one of stand) expect(await one?.evaluate((element) => element.isConnected)).toBe(true);
    // Space is reserved: nothing visible moves.
    await page.getByRole("link", { name: en["dashboard.partner"] }).click();
    await expect(page.getByText(en["partner.left"])).toBeVisible();
    await expect(page.getByRole("contentinfo")).not.toBeInViewport();
    await page.unroute(fails);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.getByText(en["refusal.server"])).toBeHidden();
  },
);

test("a token that the server no longer knows leads home", async ({ page }) => {
  await enter(page, { token: "x".repeat(32) });
  await page.goto("/en/dashboard");
  await expect(page).toHaveURL(/\/en$/);
  await expect(page.getByText(en["auth.ended"])).toBeVisible();
  await expect.poll(() => kept(page, "authToken")).toBeNull();
});

test(
  "in Arabic and in the dark the dashboard fits and is accessible",
  { tag: "@full" },
  async ({ page, request }) => {
    await enter(page, await theMember(request));
    await page.emulateMedia({ colorScheme: "dark" });
    await page.goto("/ar/dashboard?from=x&to=post");
    await expect(page.getByRole("radio", { name: /post\.test/ })).toBeChecked();
    await expectFits(page);
    await expectAccessible(page);
  },
);
