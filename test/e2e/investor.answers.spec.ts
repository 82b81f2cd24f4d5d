import { expect as loudExpect, test as loud } from "@playwright/test";
import { batchesSize } from "../../src/contract/limits.ts";
import {
  batch,
  chooser,
  confirmUpload,
  listOf,
  newInvestor,
  openInvestor,
  rejected,
  text,
} from "./investors.ts";
import { expect, test } from "./fixtures.ts";
import { answer, no, texts } from "./visitor.ts";

const dayBefore = (days: number) => new Date(Date.now() - days * 24 * 3_600_000).toISOString().slice(0, 10);

test(
  "a refused upload tells the server's value, and one that was cut off goes again under the same key",
  { tag: "@full" },
  async ({ page, request }) => {
    const t = texts.en;
    await openInvestor(page, await newInvestor(request));
    await chooser(page).setInputFiles(text("batch.txt", "a@mail.example:b\n"));
    const keys: (string | undefined)[] = [];
    await page.route("**/investor/upload", async (route) => {
      keys.push((await route.request().allHeaders())["idempotency-key"]);
      await route.fulfill(
        keys.length === 1 ? { body: "<h1>Bad gateway</h1>" } : { json: no("a new refusal") },
      );
    });
    await confirmUpload(page);
    await expect(page.getByRole("alert")).toContainText(
      t["investor.error"].replace("{value}", t["investor.error.unknown"]),
    );
    await expect(page.getByText("batch.txt")).toBeVisible();
    await confirmUpload(page);
    await expect(page.getByRole("alert")).toContainText(/Upload error: .?a new refusal/);
    expect(keys[0]).toBeTruthy();
    expect(keys[1]).toBe(keys[0]);
    await page.unroute("**/investor/upload");
    await page.route("**/investor/upload", (route) =>
      route.fulfill({ json: no("sites", { invalid: ["bad entry"] }) }),
    );
    await confirmUpload(page);
    await expect(page.getByRole("alert")).toContainText("bad entry");
  },
);

// The browser logs a lost connection, which fails other tests.
loud("an upload that never arrives says that sending failed", { tag: "@full" }, async ({ page, request }) => {
  const t = texts.en;
  await openInvestor(page, await newInvestor(request));
  await page.route("**/investor/upload", (route) => route.abort("connectionreset"));
  await chooser(page).setInputFiles(text("batch.txt", "a@mail.example:b\n"));
  await confirmUpload(page);
  await loudExpect(page.getByRole("alert")).toContainText(t["investor.error.sending"]);
  await loudExpect(page.getByRole("button", { name: t["investor.upload"], exact: true })).toBeEnabled();
});

loud("batches of another shape are only logged", { tag: "@full" }, async ({ page, request }) => {
  const logged: string[] = [];
  page.on("pageerror", (error) => logged.push(error.message));
  await answer(page, "/investor/packsinfo", { status: "success", data: [] });
  await openInvestor(page, await newInvestor(request));
  await loudExpect(page.getByText(texts.en["investor.batches.none"])).toBeVisible();
  loudExpect(logged).toContain("the batches came in an unexpected shape");
});

test("the list shows each batch with its figures, how far its check is, and why it was refused", async ({
  page,
  request,
}) => {
  const t = texts.en;
  await answer(
    page,
    "/investor/packsinfo",
    listOf([
      batch(4, { state: "sampling", alive: 0, amount: "0.0", checked: 0.45 }),
      batch(3, { state: "refused", reason: "personal", alive: 0, amount: "0.0" }),
      batch(2, { state: "review", reason: "own_domain", alive: 0, restricted: ["facebook.com"] }),
      batch(1, { rejected: { ...rejected, malformed: 7 }, percent: 0.275, same_box: 3 }),
    ]),
  );
  await answer(page, "/investor/stats", {
    status: "success",
    total_amount: "12.3456789",
    today_amount: "0.1",
    need_to_pay: "2.5",
    last_payment_date: "2026-11-20",
    days: [
      { date: dayBefore(3), earned: "1.5", count: 12 },
      { date: dayBefore(0), earned: "0.1", count: 2 },
    ],
  });
  await openInvestor(page, await newInvestor(request));
  const row = (id: number) => page.getByRole("row", { name: `#${id}` });
  await expect(row(4).getByRole("progressbar", { name: t["investor.checked"] })).toHaveAttribute(
    "value",
    "0.45",
  );
  await expect(row(4)).toContainText("45%");
  await expect(row(3)).toContainText(t["investor.reason.personal"]);
  await expect(row(2)).toContainText(t["investor.reason.own_domain"]);
  await expect(row(2)).toContainText("facebook.com");
  await expect(row(1)).toContainText(t["investor.sameBox"].replace("{number}", "3"));
  for (const shown of ["#1", "22.11.2025", "5,000", "4,990", "$1.23456", "27.5%", "mail.example"])
    await expect(row(1)).toContainText(shown);
  const earnings = page.getByRole("region", { name: t["investor.earnings.title"] });
  for (const shown of [
    "$12.34567",
    "$0.10000",
    "$2.50000",
    "20.11.2026",
    "Withdrawal request will be implemented later",
  ])
    await expect(earnings).toContainText(shown);
  const days = page.getByRole("region", { name: t["partner.income.title"] });
  await expect(days).toContainText(`$1.60000 ${t["partner.chart.days"]}`);
  const label = t["partner.chart.label"].replace("{way}", t["investor.earnings.title"]);
  await expect(days.getByRole("slider", { name: label })).toBeVisible();
  await expect(earnings.getByRole("link", { name: t["investor.withdraw"] })).toHaveAttribute(
    "target",
    "_blank",
  );
});

test(
  "ten batches a page, five page numbers, and an empty page falls back to the first",
  { tag: "@full" },
  async ({ page, request }) => {
    const t = texts.en;
    const total = 7 * batchesSize;
    let isCleared = false;
    const asked: [string | null, string | null][] = [];
    await page.route("**/investor/packsinfo*", (route) => {
      const query = new URL(route.request().url()).searchParams;
      asked.push([query.get("limit"), query.get("offset")]);
      const offset = Number(query.get("offset"));
      const left = isCleared ? 1 : total;
      const count = Math.max(0, Math.min(batchesSize, left - offset));
      const batches = Array.from({ length: count }, (_, at) => batch(total - offset - at));
      return route.fulfill({ json: listOf(batches, left) });
    });
    await openInvestor(page, await newInvestor(request));
    const pager = page.getByRole("navigation", { name: t["ui.pager"] });
    const numbers = pager.getByRole("listitem");
    await expect(page.getByRole("row", { name: "#70" })).toBeVisible();
    await expect(numbers).toHaveText(["1", "2", "3", "4", "5"]);
    await pager.getByRole("button", { name: t["ui.pager.page"].replace("{page}", "5") }).click();
    await expect(page.getByRole("row", { name: "#30" })).toBeVisible();
    await expect(page.getByRole("row", { name: "#70" })).toHaveCount(0);
    await expect(numbers).toHaveText(["3", "4", "5", "6", "7"]);
    isCleared = true;
    await pager.getByRole("button", { name: t["ui.pager.next"] }).click();
    await expect(page.getByRole("row", { name: "#70" })).toBeVisible();
    expect(asked).toContainEqual(["10", "0"]);
    expect(asked).toContainEqual(["10", "40"]);
    await expect(pager).toHaveCount(0);
  },
);
