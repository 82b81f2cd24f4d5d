import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { isOfficeObject, officeSections, paths } from "../../src/web/paths.ts";
import { texts } from "./storiesPage.ts";
import { type Buyer, enter, newBuyer, theOperator } from "./buyer.ts";
import { confirm, expectLogged, expectRefused, openAct, openSection, say } from "./officePages.ts";
import { expect, expectAccessible, expectFits, kept, test } from "./fixtures.ts";
import { answer, type Walked } from "./visitor.ts";

const t = texts.en;
let made = 0;

test("an administrator sells a new domain: added, stocked, its price changed, off sale and on again, all in the audit log", async ({
  page,
  request,
}) => {
  const name = `walk-${process.pid}-${Date.now().toString(36)}-${made++}.test`;
  await enter(page, await theOperator(request));
  await openSection(page, "domains");
  await page.getByRole("button", { name: t["office.domain.add"] }).click();
  const dialog = page.getByRole("dialog", { name: t["office.domain.add"] });
  await dialog.getByLabel(t["office.domain.name"]).fill("no domain");
  await dialog.getByLabel(t["office.domain.price.of"]).fill("0.01");
  await expectRefused(page, t["office.domain.add"], t["office.refusal.mailDomain"]);
  await expectAccessible(page);
  await dialog.getByLabel(t["office.domain.name"]).fill(name);
  await dialog.getByRole("button", { name: t["office.domain.add"] }).click();
  const stock = page.getByRole("dialog", { name: t["office.stock.add"] });
  await stock.getByLabel(t["office.stock.count"]).fill("25");
  await stock.getByRole("button", { name: t["office.stock.add"] }).click();
  await expect(stock).toHaveCount(0);

  await openSection(page, "domains", `?search=${name}`);
  const row = page.getByRole("row").filter({ hasText: name });
  await expect(row).toContainText("$0.01");
  await expect(row).toContainText("25");

  const price = await openAct(page, name, t["office.domain.price"]);
  await price.getByLabel(t["office.domain.price.of"]).fill("0.02");
  await confirm(
    page,
    t["office.domain.price"],
    say(t["office.domain.priced"], { name, before: "$0.01", after: "$0.02" }),
  );
  await expect(row).toContainText("$0.02");
  const off = await openAct(page, name, t["office.domain.off"]);
  await expect(off.getByText(say(t["office.domain.off.says"], { name }))).toBeVisible();
  await confirm(page, t["office.domain.off"], say(t["office.domain.off.done"], { name }));
  await openAct(page, name, t["office.domain.on"]);
  await confirm(page, t["office.domain.on"], say(t["office.domain.on.done"], { name }));
  await expectLogged(page, name);
});

test("an administrator finds an account, changes its balance with a reason, closes and opens it, all in the audit log", async ({
  page,
  request,
}) => {
  const { email, token } = await newBuyer(request, "1");
  const works = async () => {
    const answer = await request.get("/user/balance", { headers: { authorization: `Bearer ${token}` } });
    return (await answer.json()) as { balance?: string; value?: string };
  };
  await enter(page, await theOperator(request));
  await openSection(page, "find");
  await expect(page.getByRole("searchbox", { name: t["office.find"] })).toBeFocused();
  await page.keyboard.type(email);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/q=/);
  const part = (name: string) => page.getByRole("region", { name, exact: true });
  await part(t["office.section.users"])
    .getByRole("link", { name: /^#\d+$/ })
    .click();
  await expect(page.getByRole("heading", { level: 1, name: email })).toBeVisible();
  const act = async (name: string) => {
    await part(t["office.acts"]).getByRole("button", { name, exact: true }).click();
    return page.getByRole("dialog");
  };

  const dialog = await act(t["office.user.adjust"]);
  const amount = dialog.getByLabel(t["office.user.change"]);
  await amount.fill("abc");
  await dialog.getByRole("button", { name: t["office.user.adjust"], exact: true }).click();
  await expect(amount).toBeFocused();
  await expect(amount).toHaveAccessibleDescription(new RegExp(t["office.refusal.change"]));
  await expect(dialog.getByText(t["office.refusal.reason"])).toBeVisible();
  await amount.fill("-0.25");
  await expect(amount).not.toHaveAttribute("aria-invalid");
  await expect(
    dialog.getByText(say(t["office.user.after"], { before: "$1.00", after: "$0.75" })),
  ).toBeVisible();
  await dialog.getByLabel(t["office.reason"]).fill("tried in a browser");
  await confirm(
    page,
    t["office.user.adjust"],
    say(t["office.user.adjusted"], { name: email, balance: "$0.75" }),
  );
  await expect(part(email)).toContainText("$0.75");
  await expect(
    part(t["office.part.money"]).getByRole("listitem").filter({ hasText: "−$0.25000" }),
  ).toContainText("$0.75000");
  expect(Number((await works()).balance)).toBe(0.75);

  for (const way of ["block", "unblock"] as const) {
    const words = t[`office.user.${way}`];
    const asked = await act(words);
    await expect(asked.getByText(say(t[`office.user.${way}.says`], { name: email }))).toBeVisible();
    await asked.getByLabel(t["office.reason"]).fill(`tried to ${way} it`);
    await confirm(page, words, say(t[`office.user.${way}.done`], { name: email }));
    expect((await works()).value).toBe(way === "block" ? "token" : undefined);
  }

  const journal = part(t["office.section.journal"]);
  for (const reason of ["tried in a browser", "tried to block it", "tried to unblock it"])
    await expect(journal.getByRole("row").filter({ hasText: reason })).toBeVisible();
  await expectAccessible(page);
});

test(
  "a complaint leads from the account to its orders, payments and log, and from an order back to the account",
  { tag: "@full" },
  async ({ page, request }) => {
    const { email, token } = await newBuyer(request, "1");
    const headers = { authorization: `Bearer ${token}` };
    const ordered = await request.get("/email/order?site=instagram.com&domain=letters.test", { headers });
    const { id } = (await ordered.json()) as { id: string };
    await enter(page, await theOperator(request));
    const account = async () => {
      await openSection(page, "users", `?search=${email}`);
      const row = page.getByRole("row").filter({ hasText: email });
      return ((await row.getByRole("rowheader").textContent()) ?? "").replace("#", "");
    };
    const number = await account();
    const follow = async (way: string) => {
      await page
        .getByRole("button", { name: say(t["office.acts.of"], { name: number }), exact: true })
        .click();
      await page.getByRole("menu").getByRole("menuitem", { name: way }).click();
      await expect(page.getByRole("heading", { level: 1, name: way })).toBeVisible();
    };
    await follow(t["office.section.payments"]);
    await expect(page.getByLabel(t["office.column.user"], { exact: true })).toHaveValue(number);
    await account();
    await follow(t["office.section.orders"]);
    await expect(page.getByText("1 row", { exact: true })).toBeVisible();
    await expect(page.getByRole("row").filter({ hasText: new RegExp(`#${id}(?!\\d)`) })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("link", { name: `#${number}`, exact: true }).click();
    await expect(page.getByRole("region", { name: email })).toBeVisible();

    await account();
    const asked = await openAct(page, number, t["office.user.block"]);
    await asked.getByLabel(t["office.reason"]).fill("he asked for it");
    await confirm(page, t["office.user.block"], say(t["office.user.block.done"], { name: email }));
    await follow(t["office.section.journal"]);
    await expect(page.getByRole("row").filter({ hasText: "he asked for it" })).toBeVisible();
  },
);

test("a table keeps in the address what is asked of it, and its file holds all rows of it", async ({
  page,
  request,
  isMobile,
}) => {
  const { email } = await newBuyer(request, "0");
  await enter(page, await theOperator(request));
  await openSection(page, "users");
  if (isMobile) await page.getByLabel(t["office.sort"]).selectOption("email");
  else await page.getByRole("button", { name: t["office.column.email"] }).click();
  await expect(page).toHaveURL(/sort=email/);
  if (!isMobile) {
    await expect(page.getByRole("columnheader", { name: t["office.column.email"] })).toHaveAttribute(
      "aria-sort",
      "ascending",
    );
  }
  await page.getByRole("combobox", { name: t["office.column.blocked"] }).selectOption("0");
  await page.getByRole("searchbox", { name: t["office.search"] }).fill(email);
  await page.getByRole("button", { name: t["office.search.do"], exact: true }).click();
  await expect(page.getByText("1 row", { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("searchbox", { name: t["office.search"] })).toHaveValue(email);
  await expect(page.getByRole("combobox", { name: t["office.column.blocked"] })).toHaveValue("0");
  await expect(page.getByText("1 row", { exact: true })).toBeVisible();

  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: t["office.download"] }).click();
  const file = await downloading;
  expect(file.suggestedFilename()).toMatch(/^postern-users-\d{4}-\d{2}-\d{2}\.csv$/);
  const lines = (await readFile(await file.path(), "utf8")).trim().split(/\r?\n/);
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain(email);

  await page.goBack();
  await expect(page.getByRole("searchbox", { name: t["office.search"] })).toHaveValue("");
  await expect(page.getByRole("combobox", { name: t["office.column.blocked"] })).toHaveValue("0");
  await page.getByRole("button", { name: t["office.clear"] }).click();
  await expect(page.getByRole("combobox", { name: t["office.column.blocked"] })).toHaveValue("");

  await page.getByRole("button", { name: "7 days", exact: true }).click();
  await expect(page).toHaveURL(/since=\d{4}-\d\d-\d\d/);
  await page.getByRole("button", { name: "Remove the filter: 7 days" }).click();
  await expect(page).not.toHaveURL(/since=/);
});

test(
  "what a table of the back office is asked by ends flush on a phone, and stands in line with its button",
  { tag: ["@full", "@phone"] },
  async ({ page, request }) => {
    await enter(page, await theOperator(request));
    await openSection(page, "users");
    const search = page.getByRole("search");
    await expect(search).toBeVisible();
    const { ends, middles } = await search.evaluate((form) => {
      const boxes = [...(form.parentElement?.children ?? [])].map((one) => one.getBoundingClientRect());
      const lines = Map.groupBy(boxes, ({ top, height }) => Math.round(top + height / 2)).values();
      const inLine = [...form.children].map((one) => one.getBoundingClientRect());
      return {
        ends: [...lines].map((line) => Math.round(Math.max(...line.map(({ right }) => right)))),
        middles: inLine.map(({ top, height }) => Math.round(top + height / 2)),
      };
    });
    expect(ends.length).toBeGreaterThan(2);
    expect(new Set(ends).size, ends.join(" ")).toBe(1);
    expect(new Set(middles).size, middles.join(" ")).toBe(1);
  },
);

test(
  "what stands around a wide page is as wide, and no figure of the overview stands beside a hole",
  { tag: ["@full", "@both"] },
  async ({ page, request, isMobile }) => {
    await enter(page, await theOperator(request));
    await openSection(page, "");
    await expect(page.locator("[data-figure=living]")).toHaveText(/\d/);
    for (const width of isMobile ? [360, 412] : [800, 1280, 1440, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      const edges = await page.evaluate(() => {
        const inner = (selector: string) => {
          const element = document.querySelector(selector);
          if (!element) throw new Error(`no ${selector}`);
          const { left, right } = element.getBoundingClientRect();
          const { paddingLeft, paddingRight } = getComputedStyle(element);
          return [left + Number.parseFloat(paddingLeft), right - Number.parseFloat(paddingRight)].map(
            Math.round,
          );
        };
        const figures = document.querySelector("[data-figures]");
        const boxes = [...(figures?.children ?? [])].map((card) => card.getBoundingClientRect());
        const rows = [...new Set(boxes.map(({ top }) => Math.round(top)))];
        const ends = rows.map((row) =>
          Math.max(
            ...boxes.filter(({ top }) => Math.round(top) === row).map(({ right }) => Math.round(right)),
          ),
        );
        return {
          header: inner("header > div"),
          main: inner("main"),
          footer: inner("footer > div"),
          ends: new Set(ends).size,
        };
      });
      expect({ width, ...edges }).toEqual({
        width,
        header: edges.main,
        main: edges.main,
        footer: edges.main,
        ends: 1,
      });
    }
  },
);

/** One of each kind: figures and a chart, acts, cards, no table, the widest rows. */
const judgedSections = new Set(["overview", "users", "chains", "held", "journal"]);

const wideBatch = {
  id: "7",
  user: "17",
  email: "an.investor.with.a.very.long.name@mailboxes.example.com",
  created: 1_795_258_800,
  state: "review",
  reason: "own_domain",
  flagged: true,
  domains: ["first-mailboxes.example.com", "second-mailboxes.example.com"],
  count: 1_000_000,
  alive: 999_999,
  share: 30,
  amount: "12345.67890123",
};

test(
  "every section is whole and accessible from right to left, and nothing reaches over the edge",
  { tag: "@full" },
  async ({ page, request }) => {
    const language = "ar";
    await enter(page, await theOperator(request));
    await answer(page, "/api/admin/tables/batches", {
      status: "success",
      rows: [wideBatch],
      total: 1,
      pages: 1,
    });
    await openSection(page, "", "", language);
    // Off in this shop; withdrawals.spec.ts has it on.
    for (const section of officeSections.filter((each) => each !== "withdrawals")) {
      const name = texts[language][`office.section.${section}`];
      // The page of one thing is reached from its number alone.
      if (isOfficeObject(section)) await page.goto(paths.officeObject(language, section, "1"));
      else
        await page
          .getByRole("navigation", { name: texts[language]["office.title"] })
          .getByRole("link", { name, exact: true })
          .click();
      const heading = page.getByRole("heading", { level: 1 });
      await (section === "user" ? expect(heading).toBeVisible() : expect(heading).toContainText(name));
      await expect(page.getByRole("status", { name: texts[language]["ui.loading"] })).toHaveCount(0);
      await expect(page.getByRole("button", { name: texts[language]["trouble.again"] })).toHaveCount(0);
      await expectFits(page);
      if (judgedSections.has(section)) await expectAccessible(page);
    }
  },
);

test(
  "the overview leads to what waits and shows the days by keys; each section keeps a title of its own, also in another language",
  { tag: "@full" },
  async ({ page, request }) => {
    await enter(page, await theOperator(request));
    await page.goto("/en/dashboard");
    await page.getByRole("link", { name: t["dashboard.office"] }).click();
    await expect(page.locator("[data-figure=living]")).toHaveText(/\d/);
    await page.getByRole("tab", { name: t["office.period.month"] }).click();
    await page.getByRole("button", { name: t["office.column.revenue"] }).click();
    const steps = page.getByRole("slider", { name: t["office.column.revenue"] });
    await expect(steps).toHaveAttribute("aria-valuenow", "29");
    await steps.focus();
    await page.keyboard.press("ArrowLeft");
    await expect(steps).toHaveAttribute("aria-valuenow", "28");
    await page.goto("/en/admin/batches?filters=state%3Areview");
    await expect(page.getByRole("heading", { level: 1, name: t["office.section.batches"] })).toBeVisible();
    const titled = (language: Walked) =>
      `${texts[language]["office.section.batches"]} · ${texts[language]["office.title"]} · Postern`;
    await expect(page).toHaveTitle(titled("en"));
    await page.getByRole("combobox", { name: t["nav.language"] }).selectOption("ar");
    await expect(
      page.getByRole("heading", { level: 1, name: texts.ar["office.section.batches"] }),
    ).toBeVisible();
    await expect(page).toHaveTitle(titled("ar"));
    await page.getByRole("link", { name: texts.ar["nav.dashboard"], exact: true }).click();
    await expect(page).toHaveTitle(`${texts.ar["meta.dashboard.title"]} · Postern`);
  },
);

test("who is no administrator is denied and not thrown out: without a token, with an ordinary account, and with one that is blocked", async ({
  page,
  request,
}) => {
  const operator = await theOperator(request);
  const ordinary = await newBuyer(request, "0");
  const blocked = await newBuyer(request, "0");
  await block(page, operator, blocked);
  const tables: string[] = [];
  page.on("request", (sent) => {
    if (sent.url().includes("/api/admin/tables/")) tables.push(sent.url());
  });
  const expectDenied = async () => {
    await page.goto("/en/admin/users");
    await expect(page.getByText(t["office.access.denied"], { exact: true })).toBeVisible();
    await expect(page.getByRole("table")).toHaveCount(0);
    await expect(page).toHaveURL(/\/en\/admin\/users$/);
  };
  await expectDenied();
  for (const { token } of [blocked, ordinary]) {
    await enter(page, { token });
    await expectDenied();
    await expect.poll(() => kept(page, "authToken")).toBe(token);
  }
  await expectAccessible(page);
  expect(tables).toEqual([]);
  await page.goto("/en/dashboard");
  await expect(page.getByRole("link", { name: t["statement.title"] })).toBeVisible();
  await expect(page.getByRole("link", { name: t["dashboard.office"] })).toHaveCount(0);
});

async function block(page: Page, operator: Buyer, account: Buyer) {
  const headers = { authorization: `Bearer ${operator.token}` };
  const found = await page.request.get(
    `/api/admin/tables/users?search=${encodeURIComponent(account.email)}`,
    {
      headers,
    },
  );
  const { rows } = (await found.json()) as { rows: { id: string }[] };
  const said = await page.request.post("/api/admin/users/block", {
    headers,
    form: { user: rows[0]?.id ?? "", blocked: "1", reason: "browser tests" },
  });
  expect(await said.json()).toMatchObject({ status: "success" });
}
