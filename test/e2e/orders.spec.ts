import type { Page, Route } from "@playwright/test";
import englishApp from "../../i18n/app/en.json" with { type: "json" };
import english from "../../i18n/en.json" with { type: "json" };
import { enter, newBuyer, theMember } from "./buyer.ts";
import { activation, endToasts, order, rows, texts } from "./orderRows.ts";
import { letter } from "./letters.ts";
import { expect, expectAccessible, expectFits, test } from "./fixtures.ts";
import { answer, no } from "./visitor.ts";

/** Holds the answers about mail domains until released. */
async function holdTypes(page: Page, answer: (route: Route) => Promise<void>): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route("**/email/quantity?*", async (route) => {
    await promise;
    await answer(route);
  });
  return resolve;
}

function places(page: Page): Promise<Record<string, number[]>> {
  return page
    .locator("form")
    .first()
    .evaluate((form) => {
      const controls = [
        ...form.querySelectorAll("input:not([name='mail-type'], [type='checkbox']), button, summary"),
      ];
      const outside = controls.filter((control) => !control.closest("[role='group'][aria-busy]"));
      return Object.fromEntries(
        outside.map((control, at) => {
          const { x, y, width, height } = control.getBoundingClientRect();
          return [`${at} ${control.tagName}`, [x, y, width, height].map(Math.round)];
        }),
      );
    });
}

const showRow = (page: Page, row: object) =>
  answer(page, "/user/activations", { status: "success", data: [row], pages: 1 });

const types = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`mail${at}.test`, { count: at === 3 ? 0 : 9, price: 0.004 }]),
  );

for (const [language, count, tag] of [
  ["en", 9, []],
  ["en", 2, ["@full"]],
  ["ar", 9, ["@full"]],
] as const) {
  test(
    `nothing moves when ${count} mail types come, at the first visit and at the next (${language})`,
    { tag: [...tag] },
    async ({ page, request }) => {
      const t = texts[language];
      await enter(page, await theMember(request));
      await page.evaluate(() => localStorage.setItem("selectedSite", "instagram.com"));
      for (let visit = 0; visit < 2; visit++) {
        const letGo = await holdTypes(page, (route) =>
          route.fulfill({ json: { status: "success", site: "instagram.com", data: types(count) } }),
        );
        await page.goto(`/${language}/dashboard`);
        const list = page.getByRole("group", { name: t["order.types"] });
        await expect(list).toHaveAttribute("aria-busy", "true");
        await expect(page.getByText(t["activations.empty"])).toBeVisible();
        const before = await places(page);
        letGo();
        await expect(list.getByRole("radio")).toHaveCount(count);
        expect(await places(page)).toEqual(before);
        await expectFits(page);
        await page.unroute("**/email/quantity?*");
      }
    },
  );
}

test(
  "nothing moves when the mail types come that the home page asked for, and the wanted one is in sight",
  { tag: "@full" },
  async ({ page, request }) => {
    await enter(page, await theMember(request));
    const letGo = await holdTypes(page, (route) =>
      route.fulfill({ json: { status: "success", site: "instagram.com", data: types(9) } }),
    );
    await page.goto("/en/dashboard?from=instagram&to=mail8");
    const list = page.getByRole("group", { name: englishApp["order.types"] });
    await expect(list).toHaveAttribute("aria-busy", "true");
    await expect(page.getByText(englishApp["activations.empty"])).toBeVisible();
    const before = await places(page);
    letGo();
    const wanted = list.getByRole("radio", { name: /mail8\.test/ });
    await expect(wanted).toBeChecked();
    expect(await places(page)).toEqual(before);
    const isShown = await wanted.evaluate((radio) => {
      const { top, bottom } = radio.getBoundingClientRect();
      const room = radio.closest("[class*='scroll']")?.getBoundingClientRect();
      return room !== undefined && top >= room.top && bottom <= room.bottom;
    });
    expect(isShown).toBe(true);
  },
);

test("nothing moves when the server knows no such site", { tag: "@full" }, async ({ page, request }) => {
  await enter(page, await theMember(request));
  await page.goto("/en/dashboard");
  const letGo = await holdTypes(page, (route) =>
    route.fulfill({ json: { status: "error", value: "site", did_you_mean: "instagram" } }),
  );
  await page.getByLabel(englishApp["order.site"], { exact: true }).fill("instagran");
  const list = page.getByRole("group", { name: englishApp["order.types"] });
  await expect(list).toHaveAttribute("aria-busy", "true");
  const before = await places(page);
  letGo();
  await expect(list.getByRole("alert")).toContainText(englishApp["refusal.site"]);
  expect(await places(page)).toEqual(before);
  await page.unroute("**/email/quantity?*");
  await list.getByRole("button", { name: "instagram" }).click();
  await expect(page.getByRole("radio", { name: /letters\.test/ })).toBeVisible();
});

test("another address is ordered with one press, from a row and from the history, for the price said; a changed price is said first", async ({
  page,
  request,
}) => {
  const t = texts.en;
  await enter(page, await newBuyer(request));
  const email = await order(page);
  const again = rows(page)
    .first()
    .getByRole("button", { name: `${t["again.new"]} $0.0035` });
  await test.step("from a row", async () => {
    await again.click();
    await expect(rows(page)).toHaveCount(2);
    await expect(rows(page).first().locator("bdi", { hasText: "@letters.test" })).not.toHaveText(email);
    await expectFits(page);
  });

  await test.step("from the history", async () => {
    await page.getByRole("tab", { name: t["tabs.history"] }).click();
    await expect(rows(page)).toHaveCount(2);
    await expectAccessible(page);
    await rows(page)
      .last()
      .getByRole("button", { name: /0\.0035/ })
      .click();
    await expect(page.getByRole("tab", { name: t["tabs.activations"] })).toHaveAttribute(
      "aria-selected",
      "true",
    );
    await expect(rows(page)).toHaveCount(3);
    await expect(page.getByRole("link", { name: /0\.98950/ })).toBeVisible();
  });

  await test.step("a price that rose meanwhile is said, and nothing is ordered", async () => {
    await answer(page, "/email/order", no("price too high", { price: 0.005 }));
    const another = rows(page).first().getByRole("button", { name: t["again.new"] });
    await another.click();
    await expect(page.getByText("now. Press again to order.")).toContainText("$0.0050");
    await expect(another).toHaveText(/\$0\.0050/);
    await expect(rows(page)).toHaveCount(3);
  });
});

test("another letter whose price rose is ordered once the new price was seen", async ({ page, request }) => {
  const t = texts.en;
  await showRow(page, activation("1", 1));
  await answer(page, "/email/reorder", no("price too high", { price: 0.005 }));
  await enter(page, await theMember(request));
  await page.goto("/en/dashboard");
  const act = (words: string) => rows(page).last().getByRole("button", { name: words });
  const highest = async () => {
    const asked = page.waitForRequest(/\/email\/reorder/);
    await act(t["reorder.same"]).click();
    await act(t["reorder.confirm"]).click();
    return new URLSearchParams((await asked).postData() ?? "").get("max_price");
  };
  expect(await highest()).toBe("0.00350000");
  await expect(page.getByText("now. Press again to order.")).toContainText("$0.0050");
  await expect(act(t["reorder.same"])).toContainText("$0.0050");
  await expect(rows(page)).toHaveCount(1);
  expect(await highest()).toBe("0.00500000");
});

test("site and mail type of the site are remembered; the quantity begins with one", async ({
  page,
  request,
}) => {
  await enter(page, await theMember(request));
  await page.goto("/en/dashboard");
  const chip = (name: string) => page.getByRole("button", { name, exact: true });
  await chip("instagram.com").click();
  await page.getByRole("radio", { name: /post\.test/ }).check();
  await chip("discord.com").click();
  await page.getByRole("radio", { name: /letters\.test/ }).check();
  await page.getByRole("button", { name: english["ui.stepper.more"] }).click();

  await page.reload();
  await expect(page.getByLabel(englishApp["order.site"], { exact: true })).toHaveValue("discord.com");
  await expect(page.getByRole("radio", { name: /letters\.test/ })).toBeChecked();
  await expect(page.getByRole("spinbutton")).toHaveValue("1");
  await chip("instagram.com").click();
  await expect(page.getByRole("radio", { name: /post\.test/ })).toBeChecked();
});

test("a link without a code stands in the row as a button that opens apart and tells nothing of us", async ({
  page,
  request,
}) => {
  await showRow(page, activation("1", 1, { link: "https://www.instagram.com/verify/a8f?token=Zk3" }));
  await enter(page, await theMember(request));
  await page.goto("/en/dashboard");
  const link = rows(page)
    .first()
    .getByRole("link", { name: /instagram\.com/ });
  await expect(link).toHaveAttribute("href", "https://www.instagram.com/verify/a8f?token=Zk3");
  await expect(link).toHaveAttribute("target", "_blank");
  await expect(link).toHaveAttribute("rel", "noopener noreferrer");
  await expect(link).toHaveAttribute("referrerpolicy", "no-referrer");
  await expectFits(page);
  await expectAccessible(page);
});

test("without a network each part says so in one sentence, and goes on when asked to", async ({
  page,
  request,
}) => {
  await showRow(page, activation("1", 0));
  await enter(page, await theMember(request));
  await page.goto("/en/dashboard");
  await expect(rows(page)).toHaveCount(1);
  await page.evaluate(() => {
    const real = globalThis.fetch;
    Object.defineProperty(navigator, "onLine", { value: false, configurable: true });
    globalThis.fetch = () => Promise.reject(new TypeError("no network"));
    globalThis.addEventListener("online", () => (globalThis.fetch = real), { once: true });
    globalThis.dispatchEvent(new Event("offline"));
  });
  await page.getByRole("button", { name: englishApp["activations.refresh"], exact: true }).first().click();
  const list = page.locator("#activations");
  await expect(list.getByText(englishApp["trouble.offline"])).toBeVisible();
  await expect(rows(page)).toHaveCount(1);
  await page.getByLabel(englishApp["order.site"], { exact: true }).fill("discord.com");
  const types = page.getByRole("group", { name: englishApp["order.types"] });
  await expect(types.getByText(englishApp["trouble.offline"])).toBeVisible();
  await expectAccessible(page);
  await page.evaluate(() => {
    Object.defineProperty(navigator, "onLine", { value: true, configurable: true });
    globalThis.dispatchEvent(new Event("online"));
  });
  await types.getByRole("button", { name: englishApp["trouble.again"] }).click();
  await expect(types.getByRole("radio", { name: /letters\.test/ })).toBeVisible();
});

test("the letter comes into a dialog that keeps its size", { tag: "@full" }, async ({ page, request }) => {
  await showRow(page, activation("1", 1, { code: "482910" }));
  await enter(page, await theMember(request));
  await page.goto("/en/dashboard");
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route("**/email/getmessage*", async (route) => {
    await promise;
    await route.fulfill({ json: letter });
  });
  await rows(page).first().getByRole("button", { name: "instagram.com", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: englishApp["letter.title"] });
  await expect(dialog.getByText(englishApp["letter.loading"])).toBeAttached();
  const shape = () =>
    dialog.evaluate(async (element) => {
      await Promise.all(element.getAnimations().map(({ finished }) => finished));
      const close = element.querySelector("header button")?.getBoundingClientRect();
      return [close?.y, element.getBoundingClientRect().height].map((length) => Math.round(length ?? 0));
    });
  const before = await shape();
  resolve();
  await expect(dialog.frameLocator("iframe").getByText("Enter this confirmation code")).toBeVisible();
  expect(await shape()).toEqual(before);
});

test(
  "a history page with 260 letters lays out only what is in sight",
  { tag: "@full" },
  async ({ page, request }) => {
    await enter(page, await theMember(request));
    const letters = (order: number) =>
      Array.from({ length: 26 }, (_, at) => ({
        letter_id: String(order * 100 + at),
        sender: "no-reply@mail.instagram.com",
        subject: `${order}-${at} is your code`,
        received_at: 1_780_000_000 - order * 100 - at,
        attachments: [],
        code: String(100_000 + order * 100 + at),
      }));
    const orders = Array.from({ length: 10 }, (_, order) => ({
      id: String(40_000_000_000 + order),
      from: "instagram.com",
      email: `someone.${order}@letters.test`,
      status: "ok",
      messages: letters(order).map(({ subject }) => `<p>${subject}</p>`),
      letters: letters(order),
      price: 0.0035,
      created_at: 1_780_000_000,
      received_at: 1_780_000_000,
    }));
    await page.route("**/email/history?*", (route) =>
      route.fulfill({ json: { status: "success", data: { day: orders }, next_page: false, pages: 1 } }),
    );
    await page.goto("/en/dashboard");
    await page.getByRole("tab", { name: englishApp["tabs.history"] }).click();
    await expect(rows(page)).toHaveCount(260);
    const isDrawn = (at: number) =>
      rows(page)
        .nth(at)
        .locator("button")
        .first()
        .evaluate((button) => button.checkVisibility({ contentVisibilityAuto: true }));
    await expect.poll(() => isDrawn(0)).toBe(true);
    expect(await isDrawn(200)).toBe(false);
    await rows(page).nth(200).scrollIntoViewIfNeeded();
    await expect.poll(() => isDrawn(200)).toBe(true);
    await expectFits(page);
  },
);

test(
  "a second that passes changes the timers and nothing else",
  { tag: "@full" },
  async ({ page, request }) => {
    await showRow(page, activation("1", 0, { expires_at: Math.floor(Date.now() / 1000) + 540 }));
    await enter(page, await newBuyer(request));
    await page.goto("/en/dashboard?from=instagram.com&to=letters");
    await expect(rows(page).first().getByRole("timer")).toHaveText(/\d:\d\d/);
    await expect(page.getByRole("button", { name: /^Buy /, disabled: false })).toBeVisible();
    const changed = await page.locator("#activations").evaluate(async (list) => {
      const outside: string[] = [];
      let ticks = 0;
      await new Promise<void>((done) => {
        new MutationObserver((changes) => {
          const [timers, others] = [[] as Element[], [] as Element[]];
          for (const { target } of changes) {
            const element = target instanceof Element ? target : target.parentElement;
            if (element) (element.closest("[role='timer']") ? timers : others).push(element);
          }
          // Other news of the page comes without a timer.
          if (timers.length === 0) return;
          ticks++;
          outside.push(...others.map(({ outerHTML }) => outerHTML));
          if (ticks >= 2) done();
        }).observe(list, { subtree: true, childList: true, characterData: true, attributes: true });
      });
      return outside;
    });
    expect(changed).toEqual([]);
  },
);

test(
  "of an order that ended without a letter the mail domain can be skipped for its site; the list says until when, and ends it",
  { tag: "@both" },
  async ({ page, request }) => {
    const t = texts.en;
    await enter(page, await newBuyer(request));
    await order(page);
    await rows(page)
      .first()
      .getByRole("button", { name: /^Cancel and refund/ })
      .click();
    await endToasts(page);
    await page.getByRole("tab", { name: t["tabs.history"] }).click();
    const row = rows(page).first();
    await expect(row).toContainText("refunded");
    const menu = row.getByRole("button", { name: /^Actions for / });
    if (await menu.isVisible()) await menu.click();
    await row.getByRole("button", { name: t["skip.add"] }).click();
    const done = t["skip.added"].replace("{site}", "instagram.com").replace("{domain}", "letters.test");
    await expect(page.getByText(done)).toBeVisible();

    await page.locator("summary", { hasText: t["order.options"] }).click();
    const skips = page.getByRole("region", { name: t["skip.title"] });
    await expect(skips.getByRole("listitem")).toContainText(
      /letters\.test for instagram\.com until \d\d\.\d\d\.\d{4}/,
    );
    await expectFits(page);
    await expectAccessible(page);
    await skips.getByRole("button", { name: /letters\.test/ }).click();
    await expect(skips).toBeHidden();
    if (await menu.isVisible()) await menu.click();
    await expect(row.getByRole("button", { name: t["skip.add"] })).toBeVisible();
  },
);
