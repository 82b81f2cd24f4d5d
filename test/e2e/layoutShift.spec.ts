import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import office from "../../i18n/office/en.json" with { type: "json" };
import { enter, newBuyer, theOperator } from "./buyer.ts";
import { expect, test } from "./fixtures.ts";
import { payment } from "./payments.ts";
import { texts } from "./visitor.ts";

const en = texts.en;

/** Geist is some pixels narrower or wider than the font that stands in for it: at most this, as the browser counts it. */
const ofFonts = 0.001;

/** What moved by itself on the page that is open, as the browser counts it. */
const shifts = (page: Page) =>
  page.evaluate(
    (least) =>
      new Promise<string[]>((tell) => {
        const moved: string[] = [];
        const observer = new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) {
            const { value, sources } = entry as unknown as { value: number; sources: { node?: Element }[] };
            if (value > least)
              moved.push(`${value.toFixed(4)} ${sources.map(({ node }) => node?.className).join(" ")}`);
          }
        });
        observer.observe({ type: "layout-shift", buffered: true });
        // The last frame is counted once it is drawn.
        requestAnimationFrame(() => requestAnimationFrame(() => tell(moved)));
      }),
    ofFonts,
  );

const open = { ...payment, expires_at: 4_000_000_000 };

/** The payments are answered last, when all else stands, and in time: what waits for them waits two seconds at most, which stand still here. */
async function payments(page: Page, data: readonly object[]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Animation.enable");
  await session.send("Animation.setPlaybackRate", { playbackRate: 0 });
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
  await expect(
    page.getByRole("region", { name: office["office.figures"], exact: true }).getByRole("slider"),
  ).toBeVisible();
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  expect(await shifts(page)).toEqual([]);
});

test("a page is drawn once it is read whole, so that nothing moves while it comes in pieces", async ({
  page,
  baseURL,
}) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const serve = async (asked: IncomingMessage, answer: ServerResponse) => {
    const found = await fetch(`${baseURL}${asked.url}`, { method: asked.method ?? "GET" });
    const body = Buffer.from(await found.arrayBuffer());
    answer.writeHead(found.status, { "content-type": found.headers.get("content-type") ?? "" });
    if (asked.url !== "/en") return void answer.end(body);
    const middle = body.indexOf("</label>");
    answer.write(body.subarray(0, middle));
    await released;
    answer.end(body.subarray(middle));
  };
  const inPieces = createServer((asked, answer) => void serve(asked, answer));
  await new Promise<void>((listening) => inPieces.listen(0, "127.0.0.1", listening));
  try {
    const { port } = inPieces.address() as AddressInfo;
    const opened = page.goto(`http://127.0.0.1:${port}/en`);
    await expect(page.getByRole("heading", { level: 1 })).toBeAttached();
    await expect(page.locator("label")).toHaveCount(1);
    release();
    await opened;
    const [drawn, whole] = await page.evaluate(
      () =>
        new Promise<[number | undefined, number]>((tell) => {
          const [opening] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
          const observer = new PerformanceObserver((list) =>
            tell([list.getEntries()[0]?.startTime, opening?.responseEnd ?? Infinity]),
          );
          observer.observe({ type: "paint", buffered: true });
        }),
    );
    expect(drawn).toBeGreaterThan(whole);
    expect(await shifts(page)).toEqual([]);
  } finally {
    inPieces.close().closeAllConnections();
  }
});
