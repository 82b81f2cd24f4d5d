import type { Page } from "@playwright/test";
import { enter, newBuyer } from "./buyer.ts";
import { batch, chooser, confirmUpload, listOf, newInvestor, openInvestor, text } from "./investors.ts";
import { expect, expectAccessible, expectFits, kept, runClock, stopClock, test } from "./fixtures.ts";
import { texts } from "./visitor.ts";

const megabyte = 1024 * 1024;

async function takeUploads(page: Page, said: object) {
  const asked: { headers: Record<string, string>; body: string | null; url: string }[] = [];
  await page.route("**/investor/upload", async (route) => {
    const sent = route.request();
    asked.push({ headers: await sent.allHeaders(), body: sent.postData(), url: sent.url() });
    await route.fulfill({ json: said });
  });
  return asked;
}

test("investor mode is there for accounts with the flag, and a kept mode goes back without it", async ({
  page,
  request,
}) => {
  const t = texts.en;
  await enter(page, await newBuyer(request, "0"));
  await page.evaluate(() => localStorage.setItem("mode", "investor"));
  await page.goto("/en/dashboard");
  await expect(page.getByRole("link", { name: t["dashboard.orders"] })).toHaveAttribute(
    "aria-current",
    "page",
  );
  await expect(page.getByRole("link", { name: t["dashboard.investor"] })).toHaveCount(0);
  await expect.poll(() => kept(page, "mode")).toBe("user");

  await openInvestor(page, await newInvestor(request));
  await page.reload();
  await expect(page.getByRole("heading", { name: t["investor.add.title"] })).toBeVisible();
  await expect(page.getByRole("link", { name: t["dashboard.investor"] })).toHaveAttribute(
    "aria-current",
    "page",
  );
});

test("restricted services are added with Enter and taken away by keys; what is wrong stays in the input", async ({
  page,
  request,
}) => {
  const t = texts.en;
  const invalid = t["investor.services.invalidDomain"].replace("{host}", "google.com");
  await openInvestor(page, await newInvestor(request));
  const field = page.getByLabel(t["investor.services"], { exact: true });
  const named = page.getByRole("group", { name: t["investor.services.list"] }).getByRole("button");
  await field.fill("HTTPS://www.Google.com, x.com");
  await expect(field).toHaveValue("google.com,x.com");
  await field.press("Enter");
  await expect(named).toHaveText(["google.com", "x.com"]);
  await expect(field).toHaveValue("");
  await field.fill("foo");
  await field.press("Enter");
  await expect(page.getByText(invalid, { exact: true })).toBeVisible();
  await field.fill("x.com");
  await expect(page.getByText(invalid)).toBeHidden();
  await field.press("Enter");
  await expect(page.getByText(t["investor.services.alreadyExists"])).toBeVisible();
  await expect(field).toHaveValue("x.com");
  await field.fill("foo,zoom.us");
  await field.press("Enter");
  await expect(page.getByText(`${t["investor.services.some"]} ${invalid}`)).toBeVisible();
  await expect(field).toHaveValue("foo");
  await expect(named).toHaveText(["google.com", "x.com", "zoom.us"]);
  await field.press("Tab");
  await expect(named.first()).toBeFocused();
  await page.keyboard.press("Delete");
  await expect(named).toHaveText(["x.com", "zoom.us"]);
  await expect(named.first()).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Backspace");
  await expect(named).toHaveCount(0);
  await expect(field).toBeFocused();
});

test(
  "only a .txt file of at most 150 MB is taken, chosen or dropped, and its size is shown",
  { tag: "@full" },
  async ({ page, request }) => {
    const t = texts.en;
    await openInvestor(page, await newInvestor(request));
    const upload = page.getByRole("button", { name: t["investor.upload"], exact: true });
    await expect(upload).toBeDisabled();
    await chooser(page).setInputFiles(text("batch.csv", "a@b.c:d"));
    await expect(page.getByRole("alert")).toHaveText(t["investor.file.notText"]);
    await drop(page, "huge.txt", 150 * megabyte + 1);
    await expect(page.getByRole("alert")).toHaveText("The file is too large. Maximum size: 150 MB");
    await expect(upload).toBeDisabled();
    await drop(page, "dropped.txt", 150 * megabyte);
    await expect(page.getByText("150 MB", { exact: true })).toBeVisible();
    await chooser(page).setInputFiles(text("batch.txt", "x".repeat(1536)));
    await expect(page.getByText("batch.txt")).toBeVisible();
    await expect(page.getByText("1.5 KB", { exact: true })).toBeVisible();
    await expect(page.getByRole("alert")).toHaveCount(0);
    await expect(upload).toBeEnabled();
    await page.getByRole("button", { name: t["investor.file.remove"] }).click();
    await expect(upload).toBeDisabled();
  },
);

/** Drops a file with a fake size. */
async function drop(page: Page, name: string, size: number): Promise<void> {
  const area = page.locator("label", { hasText: texts.en["investor.drop"] });
  const carried = await page.evaluateHandle(
    ([called, bytes]) => {
      const file = new File(["x"], called, { type: "text/plain" });
      Object.defineProperty(file, "size", { value: bytes });
      return { files: [file] };
    },
    [name, size] as const,
  );
  await area.evaluate((element, dataTransfer) => {
    const event = new Event("drop", { bubbles: true, cancelable: true });
    element.dispatchEvent(Object.assign(event, { dataTransfer }));
  }, carried);
}

test("nothing is sent before it is confirmed; then the list is asked for three times more, from right to left", async ({
  page,
  request,
}) => {
  const language = "ar";
  const t = texts[language];
  await page.clock.install();
  let lists = 0;
  await page.route("**/investor/packsinfo*", (route) => {
    lists += 1;
    return route.fulfill({ json: listOf([batch(17)]) });
  });
  const asked = await takeUploads(page, {
    status: "success",
    id_batch: "17",
    accepted: 4980,
    rejected: { malformed: 10, unknown_domain: 5, duplicate_in_file: 3, duplicate: 2 },
    domains: ["mail.example"],
  });
  const investor = await newInvestor(request);
  await openInvestor(page, investor, language);
  await expect(page.getByRole("row", { name: "#17" })).toBeVisible();
  await chooser(page, language).setInputFiles(text("batch.txt", "a@mail.example:b\n"));
  await page.getByRole("button", { name: t["investor.upload"], exact: true }).click();
  const dialog = page.getByRole("dialog", { name: t["investor.confirm.title"] });
  await expect(dialog.getByText(t["investor.confirm.all.text"])).toBeVisible();
  await expect(dialog.getByRole("button", { name: t["investor.upload"] })).toBeDisabled();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  expect(asked).toEqual([]);

  const field = page.getByLabel(t["investor.services"], { exact: true });
  await field.fill("facebook.com,почта.рф");
  await field.press("Enter");
  await page.getByRole("button", { name: t["investor.upload"], exact: true }).click();
  await expect(dialog.getByText("почта.рф")).toBeVisible();
  await page.keyboard.press("Escape");
  const listsBefore = lists;
  await confirmUpload(page, "restricted", language);
  await expect(page.getByRole("button", { name: t["investor.upload.success"] })).toBeDisabled();
  await expect(page.getByText("batch.txt")).toHaveCount(0);
  const [sent] = asked;
  expect(sent).toMatchObject({
    body: "a@mail.example:b\n",
    headers: {
      token: investor.token,
      sites: "facebook.com,xn--80a1acny.xn--p1ai",
      "content-type": expect.stringMatching(/^text\/plain/),
    },
  });
  expect(sent?.url).not.toContain(investor.token);
  for (const [reason, number] of [
    ["malformed", 10],
    ["unknown_domain", 5],
    ["duplicate_in_file", 3],
    ["duplicate", 2],
  ] as const)
    await expect(
      page.getByText(t[`investor.rejected.${reason}`].replace("{number}", String(number))),
    ).toBeVisible();
  await expectFits(page);
  await expectAccessible(page);
  // One after the other: a newer request cancels one under way.
  await stopClock(page);
  while (lists < listsBefore + 3) {
    const before = lists;
    // The next time is set when the answer has been read.
    await runClock(page, 500, () => lists).toBeGreaterThan(before);
  }
  await page.clock.runFor(10_000);
  expect(lists).toBe(listsBefore + 3);
});

test("a file is sent on while another page of the dashboard is open; what became of it stays", async ({
  page,
  request,
}) => {
  const t = texts.en;
  const { promise: held, resolve: answer } = Promise.withResolvers<void>();
  await page.route("**/investor/upload", async (route) => {
    await held;
    const rejected = { malformed: 1, unknown_domain: 0, duplicate_in_file: 0, duplicate: 0 };
    await route.fulfill({
      json: { status: "success", id_batch: "17", accepted: 20, rejected, domains: ["letters.test"] },
    });
  });
  const lookAway = async () => {
    await page.getByRole("link", { name: t["dashboard.partner"] }).click();
    await expect(page.getByRole("heading", { name: t["investor.add.title"] })).toHaveCount(0);
    await page.getByRole("link", { name: t["dashboard.investor"] }).click();
  };
  const stored = page.getByText(t["investor.stored.taken"].replace("{number}", "20"));
  await openInvestor(page, await newInvestor(request));
  await chooser(page).setInputFiles(text("batch.txt", "a@letters.test:b\n"));
  await confirmUpload(page);
  await lookAway();
  await expect(page.getByText("batch.txt")).toBeVisible();
  await expect(page.getByRole("progressbar")).toBeVisible();
  await page.getByRole("link", { name: t["dashboard.partner"] }).click();
  const answered = page.waitForResponse("**/investor/upload");
  answer();
  await answered;
  await page.getByRole("link", { name: t["dashboard.investor"] }).click();
  await expect(stored).toBeVisible();
  await lookAway();
  await expect(stored).toBeVisible();
});

test("a file goes to the shop: what it takes stands in the list, and too few are refused with the reason of each line", async ({
  page,
  request,
}) => {
  const t = texts.en;
  const told = (key: "stored.taken" | "rejected.malformed" | "rejected.unknown_domain", number: number) =>
    t[`investor.${key}`].replace("{number}", String(number));
  const login = (at: number) => `b${process.pid}-${Date.now().toString(36)}-${at}`;
  const lines = Array.from({ length: 20 }, (_, at) => `${login(at)}@letters.test:secret-${at}`);
  const wrong = ["no colon here", "somebody@nowhere.example:secret"];
  await openInvestor(page, await newInvestor(request));
  await chooser(page).setInputFiles(text("few.txt", [lines[0], ...wrong].join("\r\n")));
  const few = t["investor.count.few"].replace("{number}", "2").replace("{least}", "20");
  await confirmUpload(page, "all", "en", few);
  const alert = page.getByRole("alert");
  await expect(alert).toContainText(/Upload error: .?too few mailboxes/);
  await expect(alert).toContainText(told("rejected.malformed", 1));
  await expect(alert).toContainText(told("rejected.unknown_domain", 1));
  await expect(page.getByText(t["investor.batches.none"])).toBeVisible();
  const field = page.getByLabel(t["investor.services"], { exact: true });
  await field.fill("instagram.com");
  await field.press("Enter");
  await chooser(page).setInputFiles(text("batch.txt", [...lines, ...wrong].join("\n")));
  await confirmUpload(page, "restricted");
  await expect(page.getByText(told("stored.taken", 20))).toBeVisible();
  const row = page.getByRole("row").filter({ hasText: "letters.test" });
  await expect(row).toContainText("20");
  await expect(row).toContainText("instagram.com");
  await expect(row).toContainText(t["investor.reason.own_domain"], { timeout: 60_000 });
});

test(
  "a tablet shows the whole of a batch, its words below its figures, from right to left",
  { tag: "@full" },
  async ({ page, request }) => {
    const language = "ar";
    const long = batch(7, {
      count: 5_000_000,
      alive: 4_990_000,
      amount: "1234.56789",
      domain_names: ["letters.test", "a-rather-long-name-of-a-mail-domain.example"],
      restricted: ["facebook.com", "x.com"],
    });
    await page.route("**/investor/packsinfo*", (route) => route.fulfill({ json: listOf([long]) }));
    await page.setViewportSize({ width: 800, height: 900 });
    await openInvestor(page, await newInvestor(request), language);
    const table = page.getByRole("table", { name: texts[language]["investor.batches.title"] });
    const row = table.getByRole("row").last();
    await expect(row.getByRole("cell")).toHaveCount(8);
    const boxes = await row.getByRole("cell").evaluateAll((cells) =>
      cells.map((cell) => {
        const { top, width } = cell.getBoundingClientRect();
        return { top, width };
      }),
    );
    const [domains, figures] = [boxes.at(-2), boxes.at(-3)];
    expect(domains?.top).toBeGreaterThan(figures?.top ?? Infinity);
    expect(domains?.width).toBeGreaterThan(300);
    const over = await table.evaluate(
      ({ parentElement: frame }) => (frame?.scrollWidth ?? 0) - (frame?.clientWidth ?? 0),
    );
    expect(over).toBe(0);
    await expectFits(page);
  },
);
