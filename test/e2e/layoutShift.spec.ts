import type { Page } from "@playwright/test";
import office from "../../i18n/office/en.json" with { type: "json" };
import { enter, newBuyer, theOperator } from "./buyer.ts";
import { expect, test } from "./fixtures.ts";
import { payment } from "./payments.ts";
import { texts } from "./visitor.ts";

const en = texts.en;

/** What moved by itself on the page that is open, as the browser counts it. */
const shifts = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<string[]>((tell) => {
        const moved: string[] = [];
        const observer = new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) {
            const { value, sources } = entry as unknown as { value: number; sources: { node?: Element }[] };
            moved.push(`${value.toFixed(4)} ${sources.map(({ node }) => node?.className).join(" ")}`);
          }
        });
        observer.observe({ type: "layout-shift", buffered: true });
        // The last frame is counted once it is drawn.
        requestAnimationFrame(() => requestAnimationFrame(() => tell(moved)));
      }),
  );

const open = { ...payment, expires_at: 4_000_000_000 };

/** The payments are answered last, when all else stands. */
async function payments(page: Page, data: readonly object[]): Promise<void> {
  const others = Promise.all(
    ["/user/information", "/user/balance"].map((path) => page.waitForResponse(`**${path}*`)),
  );
  await page.route("**/user/payments?*", async (route) => {
    await others;
    await route.fulfill({
      json: { status: "success", data, next_page: false, pages: 1, found: data.length },
    });
  });
}

for (const [name, data] of [
  ["open payments", [open]],
  ["no payment", []],
] as const)
  test(
    `nothing moves while the pages of a buyer with ${name} load`,
    { tag: "@both" },
    async ({ page, request }) => {
      await enter(page, await newBuyer(request, "0"));
      await page.goto("/en");
      await expect(page.getByRole("button", { name: en["nav.logout"] })).toBeVisible();
      expect(await shifts(page), "home").toEqual([]);
      for (const [path, seen] of [
        ["dashboard", page.getByText(en["activations.empty"])],
        ["dashboard/partner", page.getByRole("heading", { name: en["partner.link.title"] })],
      ] as const) {
        await payments(page, data);
        await page.goto(`/en/${path}`);
        await expect(seen).toBeVisible();
        await expect(page.getByText(en["pay.strip.continue"])).toBeVisible({ visible: data.length > 0 });
        expect(await shifts(page), path).toEqual([]);
        await page.unrouteAll();
      }
    },
  );

test("nothing moves while the overview of the office loads", { tag: "@both" }, async ({ page, request }) => {
  await enter(page, await theOperator(request));
  await page.goto("/en/admin");
  await expect(page.getByText(office["office.health.more"])).toBeVisible();
  await expect(
    page.getByRole("region", { name: office["office.days"], exact: true }).getByRole("group"),
  ).toBeVisible();
  expect(await shifts(page)).toEqual([]);
});
