import type { Page } from "@playwright/test";
import account from "../../i18n/account/en.json" with { type: "json" };
import { enter, newBuyer, theMember } from "./buyer.ts";
import { expect, expectAccessible, kept, stopClock, test } from "./fixtures.ts";
import { answer, no, texts } from "./visitor.ts";

const en = { ...texts.en, ...account };

const site = (page: Page) => page.getByLabel(en["order.site"], { exact: true });
async function choose(page: Page, name: string): Promise<void> {
  await site(page).fill(name);
  await site(page).press("Enter");
}
const types = (page: Page) => page.getByRole("group", { name: en["order.types"] });
const buy = (page: Page) => page.getByRole("button", { name: new RegExp(`^${en["order.buy"]}`) });
const stock = (count: (at: number) => number) => ({
  status: "success",
  site: "instagram.com",
  data: Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [`mail${at}.test`, { count: count(at), price: 0.001 * (at + 1) }]),
  ),
});

test("while another site is typed nothing is bought for the one before, by button or key", async ({
  page,
  request,
}) => {
  await enter(page, await newBuyer(request));
  await page.clock.install();
  await page.goto("/en/dashboard?from=instagram&to=letters");
  await expect(buy(page)).toBeEnabled();
  const ordered: string[] = [];
  page.on("request", (ask) => {
    if (ask.url().includes("/email/order")) ordered.push(ask.url());
  });
  await stopClock(page);
  await site(page).fill("zoom.us");
  await expect(buy(page)).toBeDisabled();
  await site(page).press("Enter");
  await page.clock.runFor(800);
  await page.clock.resume();
  await expect(buy(page)).toBeEnabled();
  expect(ordered).toEqual([]);
  await buy(page).click();
  await expect(page.locator("#activations li")).toContainText("zoom.us");
});

test("a typed site is asked for 700 ms after the last key; a suggested one at once, and it is remembered", async ({
  page,
  request,
}) => {
  await enter(page, await newBuyer(request));
  await page.clock.install();
  await page.goto("/en/dashboard");
  await expect(types(page).getByText(en["order.types.ask"])).toBeVisible();
  await expect(buy(page)).toBeDisabled();
  await expect(page.getByText(en["order.why.site"])).toBeVisible();

  const asked: string[] = [];
  page.on("request", (ask) => {
    if (ask.url().includes("/email/quantity")) asked.push(new URL(ask.url()).searchParams.get("site") ?? "");
  });
  await stopClock(page);
  await site(page).pressSequentially("https://www.Reddit.com/r/all");
  await page.clock.runFor(650);
  expect(asked).toEqual([]);
  await page.clock.runFor(100);
  await expect.poll(() => asked).toEqual(["reddit.com"]);
  await page.clock.resume();

  const suggested = page.getByRole("list", { name: en["order.site.suggestions"] });
  const chips = suggested.or(page.getByRole("group", { name: en["order.site.suggestions"] }));
  await chips.getByRole("button", { name: "zoom.us" }).click();
  await expect(site(page)).toHaveValue("zoom.us");
  await expect(types(page).getByRole("radio", { name: /letters\.test/ })).toBeVisible();
  await expect(page.getByText(en["order.why.type"])).toBeVisible();
  await types(page)
    .getByRole("radio", { name: /letters\.test/ })
    .check();
  await buy(page).click();
  await expect(page.locator("#activations li")).toHaveCount(1);
  await page.reload();
  await expect(site(page)).toHaveValue("zoom.us");
  await expect.poll(() => kept(page, "selectedSite")).toBe("zoom.us");
  await expect.poll(() => kept(page, "lastSiteInput")).toBe("zoom.us");
  await expect(chips.getByRole("button").first()).toHaveText("zoom.us");
});

test("the list of mail types is 320 px high until it is wanted whole, what is sold out stands last and cannot be bought; that there is none is said", async ({
  page,
  request,
}) => {
  await answer(
    page,
    "/email/quantity",
    stock((at) => (at === 0 ? 0 : 5)),
  );
  await enter(page, await theMember(request));
  await page.goto("/en/dashboard");
  await choose(page, "instagram.com");
  const rows = types(page).locator("label");
  await expect(rows).toHaveCount(12);
  await expect(rows.first()).toContainText("mail1.test");
  await expect(rows.first()).toContainText("$0.0020");
  await expect(rows.last()).toContainText("mail0.test");
  await expect(rows.last().getByRole("radio")).toBeDisabled();
  const height = () =>
    rows.first().evaluate((row) => row.parentElement?.parentElement?.getBoundingClientRect().height ?? 0);
  expect(await height()).toBeLessThanOrEqual(320);
  await types(page)
    .getByRole("button", { name: en["order.types.all"].other.replace("{count}", "12") })
    .click();
  expect(await height()).toBeGreaterThan(320);

  await test.step("every mail type is sold out", async () => {
    await answer(
      page,
      "/email/quantity",
      stock(() => 0),
    );
    await choose(page, "zoom.us");
    await expect(types(page).getByText(en["order.providers.none"])).toBeVisible();
    await expect(buy(page)).toBeDisabled();
  });
  await test.step("there is none", async () => {
    await answer(page, "/email/quantity", { status: "success", site: "x.com", data: {} });
    await choose(page, "x.com");
    await expect(types(page).getByText(en["order.types.none"])).toBeVisible();
  });
});

test("why there are no mail types is said in words, and the list is cleared", async ({ page, request }) => {
  await enter(page, await theMember(request));
  await page.goto("/en/dashboard?from=instagram&to=letters.test");
  await expect(types(page).getByRole("radio").first()).toBeVisible();
  const refused = [
    [no("site"), en["refusal.site"]],
    [no("token"), en["order.locked"]],
    [no("server"), en["order.types.failed"]],
    [no("strange"), "strange"],
    ["connection", en["order.types.connection"]],
  ] as const;
  for (const [at, [said, text]] of refused.entries()) {
    await answer(page, "/email/quantity", said);
    await choose(page, `site${at}.example`);
    await expect(page.getByText(text)).toBeVisible();
    await expect(types(page).getByRole("radio")).toHaveCount(0);
    await page.unrouteAll();
  }
});

test("the quantity stays between one and ten; the optional parameters are folded away, kept, and offer words for the subject", async ({
  page,
  request,
}) => {
  await enter(page, await newBuyer(request));
  await page.goto("/en/dashboard?from=instagram&to=letters.test");
  await test.step("quantity", async () => {
    const quantity = page.getByRole("spinbutton", { name: en["order.quantity"] });
    await expect(quantity).toHaveValue("1");
    await expect(page.getByRole("button", { name: en["ui.stepper.less"] })).toBeDisabled();
    await quantity.fill("99");
    await expect(quantity).toHaveValue("10");
    await expect(page.getByRole("button", { name: en["ui.stepper.more"] })).toBeDisabled();
    await expect(buy(page)).toContainText("$0.0350");
    // Key by key: what is no number from 1 to 10 becomes the nearest on blur.
    for (const [typed, counts] of [
      ["0", "1"],
      ["1.5", "1"],
      ["-3", "1"],
      ["7", "7"],
      ["", "7"],
    ] as const) {
      await quantity.fill("");
      await quantity.pressSequentially(typed);
      await quantity.blur();
      await expect(quantity, `typed ${typed}`).toHaveValue(counts);
    }
    await quantity.fill("1");
  });
  const subject = page.getByLabel(en["order.subject"]);
  await expect(subject).toBeHidden();
  await page.getByText(en["order.options"]).click();
  for (const word of ["verification", "welcome", "reset", "auth", "promo"])
    await expect(page.getByRole("button", { name: word, exact: true })).toBeVisible();
  await subject.fill("security code");
  await expect(subject).toHaveValue("security");
  await buy(page).click();
  await expect(page.locator("#activations li")).toHaveCount(1);
  await expect.poll(() => kept(page, "showSubject")).toBe("true");
  await expect.poll(() => kept(page, "subject")).toBe("security");
  await page.reload();
  await expect(subject).toHaveValue("security");
  await expect(page.getByRole("button", { name: "security", exact: true })).toBeVisible();
});

test("a pattern that compiles becomes a preset 600 ms after the last key", async ({ page, request }) => {
  await enter(page, await theMember(request));
  await page.clock.install();
  await page.goto("/en/dashboard");
  await page.getByText(en["order.options"]).click();
  const pattern = page.getByLabel(en["order.regex"]);
  await pattern.fill("(\\d{6}");
  await expect(page.getByText(en["order.regex.broken"])).toBeVisible();
  await page.clock.fastForward(1000);
  expect(JSON.parse((await kept(page, "customRegexPresets")) ?? "[]")).toEqual([]);
  await stopClock(page);
  await pattern.fill("(\\d{6})");
  await page.clock.runFor(550);
  expect(JSON.parse((await kept(page, "customRegexPresets")) ?? "[]")).toEqual([]);
  await page.clock.runFor(100);
  await expect.poll(() => kept(page, "customRegexPresets")).toBe(JSON.stringify(["(\\d{6})"]));
});

test(
  "when all of several orders fail their number is said, and nothing is in the list",
  { tag: "@full" },
  async ({ page, request }) => {
    await enter(page, await newBuyer(request));
    await page.goto("/en/dashboard?from=instagram&to=letters.test");
    await answer(page, "/email/order", no("email banned"));
    await page.getByRole("button", { name: en["ui.stepper.more"] }).click({ clickCount: 2 });
    await buy(page).click();
    await expect(page.getByText(en["order.failed"].other.replace("{count}", "3"))).toBeVisible();
    await expect(page.getByText(en["activations.empty"])).toBeVisible();
  },
);

test(
  "the bar of the purchase stays within the mail types: no suggested site lies under it",
  { tag: "@full" },
  async ({ page, request }) => {
    await enter(page, await theMember(request));
    await page.goto("/en/dashboard?from=instagram&to=letters.test");
    for (const size of [
      { width: 1280, height: 800 },
      { width: 800, height: 700 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(size);
      await expect(types(page).getByRole("radio", { checked: true })).toBeVisible();
      // On narrow windows the bar stays sticky.
      await site(page).click();
      await page.keyboard.press("Escape");
      const covered = await page
        .getByRole("group", { name: en["order.site.suggestions"] })
        .or(page.getByRole("list", { name: en["order.site.suggestions"] }))
        .getByRole("button")
        .evaluateAll((chips) =>
          chips
            .filter((chip) => {
              // The lowest position that still shows the chip above the bar on phones.
              chip.scrollIntoView({ block: "end" });
              const { left, top, width, height } = chip.getBoundingClientRect();
              const there = document.elementFromPoint(left + width / 2, top + height / 2);
              return there !== chip && !chip.contains(there) && there?.closest("form") !== null;
            })
            .map((chip) => chip.textContent),
        );
      expect(covered, `${size.width} px`).toEqual([]);
    }
  },
);

test("what is sold out is ordered when it is back, or removed from what waits", async ({ page, request }) => {
  await enter(page, await newBuyer(request));
  await page.goto("/en/dashboard");
  const wait = async (highest?: string) => {
    await types(page).getByRole("button", { name: en["backorder.do"] }).first().click();
    const dialog = page.getByRole("dialog", { name: en["backorder.do"] });
    const price = dialog.getByLabel(en["backorder.price"]);
    await expect(price).toBeFocused();
    if (highest !== undefined) await price.fill(highest);
    await dialog.getByRole("button", { name: en["backorder.add"] }).click();
    return dialog;
  };
  const waiting = page.getByRole("group").filter({ hasText: en["backorder.title"] });
  await choose(page, "sandbox-no-emails");
  const dialog = await wait("0");
  await expect(dialog).toContainText(en["refusal.priceMax"]);
  await expectAccessible(page);
  await dialog.getByLabel(en["backorder.price"]).fill("0.01");
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(waiting).toContainText("sandbox-no-emails");
  await expectAccessible(page);
  await waiting
    .getByRole("button", { name: en["backorder.remove.one"].replace("{site}", "sandbox-no-emails") })
    .click();
  await expect(waiting).toBeHidden();

  // The page believes that there is nothing; the shop has it again a moment later.
  await page.route("**/email/quantity?*", (route) =>
    route.fulfill({
      json: {
        status: "success",
        site: "instagram.com",
        data: { "letters.test": { count: 0, price: 0.0035 } },
      },
    }),
  );
  await choose(page, "instagram.com");
  await wait();
  await expect(page.locator("#activations li[data-state]")).toContainText("instagram.com");
  await expect(waiting).toBeHidden();
});
