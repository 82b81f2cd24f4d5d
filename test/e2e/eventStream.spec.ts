import type { Page } from "@playwright/test";
import app from "../../i18n/app/en.json" with { type: "json" };
import { enter, newBuyer, sendLetter, theMember } from "./buyer.ts";
import { letterTo, order, rows } from "./orderRows.ts";
import { expect, expectAccessible, expectFits, test } from "./fixtures.ts";

interface Counting {
  calls: number;
}

/** Counted inside the page, at the moment of each call. */
async function countCalls(page: Page): Promise<void> {
  await page.evaluate(() => {
    const counting = globalThis as unknown as Counting;
    const real = globalThis.fetch;
    counting.calls = 0;
    globalThis.fetch = (...ask) => {
      counting.calls++;
      return real(...ask);
    };
  });
}

/** Runs the page's clock in parts; a page that polls calls in each of them. */
async function callsInTwelveSeconds(page: Page): Promise<number> {
  const calls = () => page.evaluate(() => (globalThis as unknown as Counting).calls);
  const before = await calls();
  for (let part = 0; part < 3; part++) {
    await page.clock.fastForward(4000);
    // Earlier calls are answered before this one.
    await page.request.get("/favicon.svg");
  }
  return (await calls()) - before;
}

test("a letter is there at once by the stream, and nothing is polled meanwhile", async ({
  page,
  request,
}) => {
  await page.clock.install();
  await enter(page, await newBuyer(request));
  const opened = page.waitForResponse("**/user/events");
  const email = await order(page);
  const stream = await opened;
  expect(stream.headers()["content-type"]).toContain("text/event-stream");
  expect(stream.url()).not.toContain("token");
  await expect(rows(page).first()).toContainText(app["state.processing"]);
  await countCalls(page);
  // The reads after the order and the stream's start finish first.
  await expect.poll(() => callsInTwelveSeconds(page)).toBe(0);

  // The list does not answer any more: only the stream can show the letter.
  await page.route("**/user/activations?*", () => {});
  await sendLetter(letterTo(email, "482910"));
  await expect(rows(page).first()).toContainText("482910");
  await expect(rows(page).first()).toContainText(app["state.received"]);
});

test("where the stream breaks, the page polls and the letter comes all the same", async ({
  page,
  request,
}) => {
  let opened = 0;
  await page.route("**/user/events", (route) =>
    opened++ === 0
      ? route.fulfill({ contentType: "text/event-stream", body: 'id: 1\nevent: ready\ndata: {"id":"1"}\n\n' })
      : route.fulfill({ json: { status: "error", value: "too many" } }),
  );
  await enter(page, await newBuyer(request));
  const email = await order(page);
  await expect.poll(() => opened).toBeGreaterThan(1);
  await sendLetter(letterTo(email, "730114"));
  await expect(rows(page).first()).toContainText("730114");
});

test(
  "a poll says what it has already, and is told that nothing changed",
  { tag: "@full" },
  async ({ page, request }) => {
    await page.route("**/user/events", (route) =>
      route.fulfill({ json: { status: "error", value: "too many" } }),
    );
    await enter(page, await theMember(request));
    await page.goto("/en/dashboard");
    const unchanged = await page.waitForResponse(
      (response) => response.url().includes("/user/balance") && response.status() === 304,
    );
    expect(unchanged.request().headers()["if-none-match"]).toBeTruthy();
    await expect(page.getByRole("banner").getByText("$0.00000")).toBeVisible();
  },
);

test("what happened to an order is told, and a letter that missed the subject can be taken", async ({
  page,
  request,
}) => {
  await enter(page, await newBuyer(request));
  await page.evaluate(() => localStorage.setItem("subject", "security"));
  const email = await order(page);
  await sendLetter({ ...letterTo(email, "111222"), from: "Shop <news@shop.example>" });

  const state = rows(page)
    .first()
    .getByRole("button", { name: new RegExp(`^${app["state.processing"]}`) });
  await state.click();
  const dialog = page.getByRole("dialog", { name: app["timeline.title"] });
  await expect(dialog.getByText(app["timeline.missed.sender"])).toBeVisible();
  // While the page is visible.
  await sendLetter({ ...letterTo(email, "482910"), subject: "Welcome to Instagram" });
  await expect(dialog.getByText("Welcome to Instagram")).toBeVisible();
  await expect(dialog.getByText(app["timeline.missed.subject"])).toBeVisible();
  await expect(dialog.getByText("shop.example")).toBeHidden();
  await expectFits(page);
  await expectAccessible(page);

  await dialog.getByRole("button", { name: app["timeline.release"] }).click();
  await expect(dialog.getByText(/\$0\.0035.*, and it cannot be refunded/)).toBeVisible();
  await dialog.getByRole("button", { name: app["timeline.release.do"] }).click();
  const letter = page.getByRole("dialog", { name: app["letter.title"] });
  await expect(letter.getByRole("button", { name: /482910/ })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(rows(page).first()).toContainText("482910");
  await expect(rows(page).first()).toContainText(app["state.received"]);
});

test(
  "the mail types say how their orders went, and stand by the price of a letter if that is wanted",
  { tag: "@full" },
  async ({ page, request }) => {
    const outcome = (orders: number, share: number, seconds: number) => ({ orders, share, seconds });
    const none = { orders: 0 };
    const stats = (share: number, letter_price: number) => ({
      day: outcome(40, share, 12),
      week: outcome(400, share, 15),
      letter_price,
    });
    await page.route("**/email/quantity?*", (route) =>
      route.fulfill({
        json: {
          status: "success",
          site: "instagram.com",
          data: {
            "letters.test": { count: 9, price: 0.004, stats: stats(0.5, 0.008) },
            "post.test": { count: 9, price: 0.005, stats: stats(0.98, 0.0051) },
            "inbox.test": { count: 9, price: 0.009, stats: { day: none, week: none } },
          },
        },
      }),
    );
    await enter(page, await theMember(request));
    await page.goto("/en/dashboard?from=instagram&to=post");
    const types = page.getByRole("group", { name: app["order.types"] });
    await expect(types.getByRole("radio")).toHaveCount(3);
    await expect(types.locator("label").first()).toContainText("letters.test");
    await expect(types.locator("label").nth(1)).toContainText("98% received a letter · 12 sec");
    await expect(types.locator("label").nth(1)).toContainText("$0.0051");
    await expect(types.locator("label").nth(2)).toContainText(app["order.types.few"]);
    await expectFits(page);
    await expectAccessible(page);

    await types.getByRole("combobox").selectOption("letter");
    await expect(types.locator("label").first()).toContainText("post.test");
    await page.reload();
    await page.goto("/en/dashboard?from=instagram&to=post");
    await expect(types.locator("label").first()).toContainText("post.test");
  },
);
