import { type Locator, type Page, test as loud } from "@playwright/test";
import { enter, newBuyer, theMember } from "./buyer.ts";
import { activation, endToasts } from "./orderRows.ts";
import { letter } from "./letters.ts";
import { expect, kept, runClock, stopClock, test } from "./fixtures.ts";
import { answer, no, texts } from "./visitor.ts";

const en = texts.en;
const rows = (page: Page) => page.locator("#activations li[data-state]");
const refresh = (page: Page) => page.getByRole("button", { name: en["activations.refresh"], exact: true });

const order = (id: string, status: string, more: object = {}) => ({
  id,
  from: "instagram.com",
  email: `box${id}@letters.test`,
  status,
  messages: [],
  letters: [],
  price: 0.0035,
  created_at: 1_795_258_800,
  received_at: 0,
  ...more,
});

/** Answers a path by `say(n)` to its n-th call; tells how many calls there were. */
async function counted(page: Page, path: string, say: (call: number) => object): Promise<() => number> {
  let calls = 0;
  await page.route(
    (url) => url.pathname === path,
    (route) => route.fulfill({ json: say(++calls) }),
  );
  return () => calls;
}

/** The page counts from the answer that it has read: each answer is seen on the page before the clock goes on. */
async function expectEvery3Seconds(page: Page, calls: () => number, answered: (call: number) => Locator) {
  const isSeen = (call: () => number, milliseconds: number) =>
    runClock(page, milliseconds, () => answered(call()).isVisible()).toBe(true);
  const next = calls() + 1;
  await isSeen(() => Math.max(next, calls()), 1000);
  const first = calls();
  for (let round = 1; round <= 3; round++) {
    await page.clock.runFor(3000);
    // What is drawn takes some of its milliseconds.
    await isSeen(() => first + round, 10);
  }
  expect(calls()).toBe(first + 3);
}

test("without the stream the balance, the list while a letter is awaited, and the history are asked for every 3 seconds", async ({
  page,
  request,
}) => {
  await answer(page, "/user/events", no("too many"));
  const lists = await counted(page, "/user/activations", (call) => ({
    status: "success",
    data: [activation("1", 0, { email: `box${call}@letters.test` })],
    pages: 1,
  }));
  const balances = await counted(page, "/user/balance", (call) => ({
    status: "success",
    balance: `${call}.0`,
  }));
  const list = (call: number) => rows(page).getByText(`box${call}@`);
  const balance = (call: number) =>
    page.getByRole("banner").getByText(new RegExp(String.raw`^\$${call}\.0+$`));
  await enter(page, await theMember(request));
  await page.clock.install();
  await page.goto("/en/dashboard");
  await expect(rows(page)).toHaveCount(1);
  await stopClock(page, 10_000);
  await expectEvery3Seconds(page, lists, list);
  await expectEvery3Seconds(page, balances, balance);

  const ends = await counted(page, "/user/activations", () => ({
    status: "success",
    data: [activation("1", 1)],
    pages: 1,
  }));
  await runClock(page, 1000, () => rows(page).first().getAttribute("data-state")).toBe("received");
  const before = ends();
  await expectEvery3Seconds(page, balances, balance);
  expect(ends()).toBe(before);

  await test.step("the history", async () => {
    const histories = await counted(page, "/email/history", (call) => ({
      status: "success",
      data: { "2026-11-21": [order(String(call), "cancel")] },
      next_page: false,
      pages: 1,
    }));
    await page.getByRole("tab", { name: en["tabs.history"] }).click();
    await expectEvery3Seconds(page, histories, list);
  });
});

test("states have their words, each row can be canceled, and a cancel or reorder that fails says why; a page that is empty leads to the first", async ({
  page,
  request,
}) => {
  const data = [activation("1", 1, { code: "482910" }), activation("2", 0), activation("3", -1)];
  await answer(page, "/user/activations", { status: "success", data, pages: 2 });
  await enter(page, await theMember(request));
  await page.goto("/en/dashboard");
  await expect(rows(page)).toHaveCount(3);
  for (const [at, words] of [en["state.received"], en["state.processing"], en["state.canceled"]].entries())
    await expect(rows(page).nth(at)).toContainText(words);
  const received = rows(page).nth(0);
  await expect(received.getByRole("button", { name: en["reorder.same"] })).toBeVisible();
  await expect(received.getByRole("button", { name: en["reorder.with"] })).toBeVisible();
  await expect(rows(page).nth(1).getByRole("button", { name: en["reorder.with"] })).toHaveCount(0);
  await expect(rows(page).nth(1)).toContainText("Waiting for the letter of instagram.com");
  await expect(
    rows(page)
      .nth(1)
      .getByRole("button", { name: /^Cancel and refund .*\$0\.0035/ }),
  ).toBeVisible();
  for (const row of await rows(page).all())
    await expect(
      row
        .getByRole("button", { name: en["cancel.do"] })
        .or(row.getByRole("button", { name: en["cancel.remove"] })),
    ).toHaveCount(1);

  await test.step("a cancel without a connection", async () => {
    await answer(page, "/email/cancel", "connection");
    await received.getByRole("button", { name: en["cancel.remove"] }).click();
    await endToasts(page);
    await expect(
      page.getByText(en["cancel.error"].replace("{reason}", en["refusal.connection"])).first(),
    ).toBeVisible();
    await expect(rows(page)).toHaveCount(3);
  });
  await test.step("a reorder that is refused", async () => {
    await answer(page, "/email/reorder", no("email banned"));
    await received.getByRole("button", { name: en["reorder.same"] }).click();
    await received.getByRole("button", { name: en["reorder.confirm"] }).click();
    await expect(
      page.getByText(en["reorder.error"].replace("{reason}", en["refusal.banned"])).first(),
    ).toBeVisible();
  });
  await test.step("the dialog of a refused reorder stays open with what was filled in", async () => {
    await answer(page, "/email/reorder", no("reorder waits"));
    await received.getByRole("button", { name: en["reorder.with"] }).click();
    const dialog = page.getByRole("dialog", { name: en["reorder.title"] });
    await dialog.getByLabel(en["order.subject"]).fill("security");
    await dialog.getByRole("button", { name: en["reorder.do"] }).click();
    await expect(
      dialog.getByText(en["reorder.error"].replace("{reason}", en["refusal.reorderWaits"])),
    ).toBeVisible();
    await expect(dialog.getByLabel(en["order.subject"])).toHaveValue("security");
    await page.keyboard.press("Escape");
  });
  await test.step("a later page that is empty leads to the first", async () => {
    await answer(page, "/user/activations", { status: "success", data: [], pages: 2 });
    const pager = page.getByRole("navigation", { name: en["ui.pager"] });
    const number = (to: number) =>
      pager.getByRole("button", { name: en["ui.pager.page"].replace("{page}", String(to)), exact: true });
    await page.route(/\/user\/activations\?page=1$/, (route) =>
      route.fulfill({ json: { status: "success", data, pages: 2 } }),
    );
    const asked = page.waitForResponse(/\/user\/activations\?page=2$/);
    await number(2).click();
    await asked;
    await expect(number(1)).toHaveAttribute("aria-current", "page");
    await expect(rows(page)).toHaveCount(3);
  });
});

test("refreshing spins for a second at least", { tag: "@full" }, async ({ page, request }) => {
  await answer(page, "/user/activations", { status: "success", data: [], pages: 1 });
  await answer(page, "/events", "connection");
  await enter(page, await theMember(request));
  await page.clock.install();
  await page.goto("/en/dashboard");
  await expect(page.getByText(en["activations.empty"])).toBeVisible();
  await stopClock(page);
  const answered = page.waitForResponse("**/user/activations?*");
  await refresh(page).click();
  await expect(refresh(page)).toHaveAttribute("aria-busy", "true");
  await answered;
  await page.clock.runFor(900);
  await expect(refresh(page)).toHaveAttribute("aria-busy", "true");
  await page.clock.runFor(200);
  await expect(refresh(page)).toHaveAttribute("aria-busy", "false");
});

test("the history has pages with gaps, an answer that comes late changes nothing, and an empty page leads to the first", async ({
  page,
  request,
}) => {
  let release: () => void = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(
    (url) => url.pathname === "/email/history",
    async (route) => {
      const at = Number(new URL(route.request().url()).searchParams.get("offset"));
      if (at === 6) await held;
      const data = at === 12 ? {} : { "2026-11-21": [order(String(1000 + at), "cancel")] };
      await route
        .fulfill({ json: { status: "success", data, next_page: at < 12, pages: 12 } })
        .catch(() => {});
    },
  );
  await enter(page, await theMember(request));
  await page.goto("/en/dashboard");
  await page.getByRole("tab", { name: en["tabs.history"] }).click();
  const pager = page.getByRole("navigation", { name: en["ui.pager"] });
  const turn = (to: number) =>
    pager.getByRole("button", { name: en["ui.pager.page"].replace("{page}", String(to)), exact: true });
  await expect(pager.getByRole("listitem")).toHaveText(["1", "2", "3", "…", "12"]);
  await turn(3).click();
  await turn(5).click();
  await expect(pager.getByRole("listitem")).toHaveText(["1", "…", "3", "4", "5", "6", "7", "…", "12"]);
  await expect(rows(page)).toContainText("box1005");
  await turn(6).click();
  await turn(7).click();
  await expect(rows(page).filter({ hasText: "box1007" })).toBeVisible();
  release();
  await expect(rows(page).filter({ hasText: "box1007" })).toBeVisible();
  await expect(rows(page).filter({ hasText: "box1006" })).toHaveCount(0);
  await expect.poll(() => kept(page, "fullCurrentPage")).toBe("7");
  await expect.poll(() => kept(page, "maxFullPageSeen")).toBe("12");
  await turn(12).click();
  await expect(rows(page).filter({ hasText: "box1001" })).toBeVisible();
  await expect(turn(1)).toHaveAttribute("aria-current", "page");
});

test("the history tells each state, and a letter that is not there in red", async ({ page, request }) => {
  const data = {
    "2026-11-21": [
      order("1", "ok"),
      order("2", "wait"),
      order("3", "cancel"),
      order("4", "ok", { messages: ["<p>Hello</p>"], letters: [] }),
    ],
  };
  await answer(page, "/email/history", { status: "success", data, next_page: false, pages: 1 });
  await enter(page, await theMember(request));
  await page.goto("/en/dashboard");
  await expect(page.getByRole("tab", { name: en["tabs.activations"] })).toHaveAttribute(
    "aria-selected",
    "true",
  );
  await page.getByRole("tab", { name: en["tabs.history"] }).click();
  await expect(rows(page)).toHaveCount(4);
  const row = (id: string) => rows(page).filter({ hasText: `box${id}@` });
  await expect(row("1")).toContainText(en["state.received"]);
  await expect(row("2")).toContainText(en["state.processing"]);
  await expect(row("3")).toContainText(en["state.canceled"]);
  const missing = row("1").getByText(en["letter.missing"]);
  const [red = 0, green = 0, blue = 0] = await missing.evaluate((text) => {
    const context = document.createElement("canvas").getContext("2d");
    if (!context) return [];
    context.fillStyle = getComputedStyle(text).color;
    context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data];
  });
  expect(red).toBeGreaterThan(Math.max(green, blue) * 1.5);
  await expect.poll(() => kept(page, "activeTab")).toBe("history");
});

// The console logs it, which fails other tests.
loud("a history of another shape is only logged", async ({ page, request }) => {
  const logged: string[] = [];
  page.on("pageerror", (error) => logged.push(error.message));
  await answer(page, "/email/history", { status: "success", data: { days: 3 }, next_page: false, pages: 1 });
  await enter(page, await theMember(request));
  await page.goto("/en/dashboard");
  await page.getByRole("tab", { name: en["tabs.history"] }).click();
  await expect(page.getByText(en["history.empty.text"])).toBeVisible();
  expect(logged).toContain("the history came in an unexpected shape");
});

test(
  "an empty history says so, and one that cannot be loaded offers to try again",
  { tag: "@full" },
  async ({ page, request }) => {
    await enter(page, await theMember(request));
    await answer(page, "/email/history", no("server"));
    await page.goto("/en/dashboard");
    await page.getByRole("tab", { name: en["tabs.history"] }).click();
    await expect(page.getByText(en["refusal.server"])).toBeVisible();
    await page.unrouteAll();
    await page.getByRole("button", { name: en["trouble.again"] }).click();
    await expect(page.getByText(en["history.empty.text"])).toBeVisible();
    await expect(page.getByText(en["activations.empty"])).toBeVisible();
  },
);

test(
  "a letter that cannot be loaded says so and can be asked for again",
  { tag: "@full" },
  async ({ page, request }) => {
    await answer(page, "/user/activations", { status: "success", data: [activation("1", 1)], pages: 1 });
    await answer(page, "/email/getmessage", "connection");
    await enter(page, await theMember(request));
    await page.goto("/en/dashboard");
    await rows(page).getByRole("button", { name: "instagram.com" }).click();
    const dialog = page.getByRole("dialog", { name: en["letter.title"] });
    await expect(dialog.getByText(en["letter.error"])).toBeVisible();
    await answer(page, "/email/getmessage", { ...letter, message: "Your code is\n482910 <b" });
    await dialog.getByRole("button", { name: en["trouble.again"] }).click();
    await expect(dialog.frameLocator("iframe").locator("pre")).toHaveText("Your code is\n482910 <b");
  },
);

test("the buy button says done for two seconds", { tag: "@full" }, async ({ page, request }) => {
  await answer(page, "/email/order", { status: "success", id: "1", email: "box1@letters.test" });
  await enter(page, await newBuyer(request));
  await page.clock.install();
  await page.goto("/en/dashboard?from=instagram&to=letters.test");
  const buy = page.getByRole("button", { name: new RegExp(`^${en["order.buy"]}`) });
  await expect(buy).toBeEnabled();
  await stopClock(page, 10_000);
  await buy.click();
  const done = page.getByRole("button", { name: en["order.done"] });
  await runClock(page, 20, () => done.isVisible(), [10]).toBe(true);
  await page.clock.runFor(1500);
  await expect(done).toBeVisible();
  await page.clock.runFor(600);
  await expect(done).toHaveCount(0);
  await expect(buy).toBeVisible();
});
