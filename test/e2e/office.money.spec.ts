import { texts } from "./storiesPage.ts";
import { enter, sendLetter } from "./buyer.ts";
import { letterTo } from "./orderRows.ts";
import { confirm, expectLogged, expectRefused, openAct, openSection, say } from "./officePages.ts";
import { type OwnShop, test } from "./ownShop.ts";
import { expect, expectAccessible, expectFits } from "./fixtures.ts";
import { answer } from "./visitor.ts";

// Earnings of partners and investors, and what is held.

test.describe.configure({ mode: "default" });
const t = texts.en;
const domain = "dollar.test";
const elsewhere = { "x-forwarded-for": "198.51.100.7" };

test.beforeAll(async ({ shop }) => {
  await shop.say("/api/admin/domains/add", { name: domain, price: "1", kind: "own" });
  await shop.say("/api/admin/stock/add", { domain, count: "50" });
});

type Row = Record<string, unknown>;

interface Person {
  email: string;
  token: string;
  id: string;
}

async function someone(shop: OwnShop, name: string, word?: string): Promise<Person> {
  const email = `${name}@example.com`;
  const token = await shop.register(email, word);
  const { data } = await shop.see("/user/information", {}, token);
  const { id } = data as { id: string };
  await shop.say("/api/admin/users/adjust", {
    user: id,
    amount: "10",
    reason: "browser tests",
    key: `to ${id}`,
  });
  return { email, token, id };
}

async function receive(shop: OwnShop, { token }: Person, more: object = {}): Promise<string> {
  const order = await shop.say("/email/order", { site: "instagram.com", domain, ...more }, token);
  await sendLetter(letterTo(String(order["email"]), "482910"), shop.place);
  await shop.say("/email/getmessage", { id: order["id"], wait: "30" }, token);
  return String(order["email"]);
}

const enterFrom = (shop: OwnShop, { email }: Person) =>
  shop.say("/user/authorize", { email, password: "correct horse", captcha: "off" }, "", elsewhere);

test(
  "held earnings are decided one by one: given to the partner or kept for the shop, and then nothing waits any more",
  { tag: "@full" },
  async ({ page, shop }) => {
    const partner = await someone(shop, "held-partner");
    await enterFrom(shop, partner);
    const [first, second] = [await someone(shop, "held-first"), await someone(shop, "held-second")];
    for (const buyer of [first, second]) {
      await enterFrom(shop, buyer);
      await receive(shop, buyer, { soft_id: partner.id });
    }
    await enter(page, { token: shop.administrator });
    await openSection(page, "");
    const waiting = page.getByRole("link", { name: t["office.waiting.partners"] });
    await expect(waiting).toContainText("2");
    await waiting.click();
    await expect(page.getByRole("heading", { level: 1, name: t["office.section.held"] })).toBeVisible();
    const rowOf = (buyer: Person) => page.getByRole("row").filter({ hasText: buyer.email });
    const pair = (buyer: Person) => `${partner.email} / ${buyer.email}`;
    await expect(rowOf(first)).toContainText("$0.05");
    await expect(rowOf(first)).toContainText(t["office.held.reason.address"]);
    const holes = { partner: partner.email, referrals: "$0.00", soft: "$0.05" };

    const release = t["office.held.release"];
    const dialog = await openAct(page, pair(first), release);
    await expect(
      dialog.getByText(say(t["office.held.release.says"], { ...holes, buyer: first.email })),
    ).toBeVisible();
    await dialog.getByLabel(t["office.reason"]).fill("one office, two people");
    await expectAccessible(page);
    await confirm(page, release, t["office.done.held"]);
    await expect(rowOf(first)).toHaveCount(0);

    const refuse = t["office.held.refuse"];
    const asked = await openAct(page, pair(second), refuse);
    await expect(
      asked.getByText(say(t["office.held.refuse.says"], { ...holes, buyer: second.email })),
    ).toBeVisible();
    await asked.getByRole("button", { name: refuse, exact: true }).click();
    await asked.getByLabel(t["office.reason"]).fill("   ");
    await expectRefused(page, refuse, t["office.refusal.reason"]);
    await expect(rowOf(second)).toHaveCount(1);
    await asked.getByLabel(t["office.reason"]).fill("the same person");
    await shop.say("/api/admin/partners/decide", {
      partner: partner.id,
      buyer: second.id,
      decision: "refuse",
      note: "decided elsewhere",
    });
    await expectRefused(page, refuse, t["office.refusal.decided"]);
    await asked.getByRole("button", { name: t["ui.cancel"] }).click();
    await page.reload();
    await expect(page.getByText(t["office.held.none"])).toBeVisible();
    await openSection(page, "");
    await expect(page.locator("[data-figure=living]")).toHaveText(/\d/);
    await expect(page.getByRole("link", { name: t["office.waiting.partners"] })).toHaveCount(0);

    await expectLogged(page, `user ${partner.id}`, "partners refuse", "decided elsewhere");
    await expect(page.getByRole("row").filter({ hasText: "partners release" })).toContainText(
      "one office, two people",
    );
    const { data } = await shop.see("/user/information", {}, partner.token);
    expect(data).toMatchObject({ soft: { earned: "0.05", held: "0.0", to_withdraw: "0.05" } });
  },
);

test("payouts to a partner are written down by referral and by software, never more than is due, and stand in his statement", async ({
  page,
  shop,
}) => {
  const partner = await someone(shop, "paid-partner");
  await shop.say("/user/addReferralWord", { word: "paid-partner" }, partner.token);
  const buyer = await someone(shop, "paid-buyer", "paid-partner");
  await receive(shop, buyer, { soft_id: partner.id });
  await enter(page, { token: shop.administrator });
  await openSection(page, "partners", `?search=${partner.email}`);
  const row = page.getByRole("row").filter({ hasText: partner.email });
  await expect(row.getByText("$0.10")).toBeVisible();

  for (const [way, paid, left] of [
    ["referrals", "0.02", "$0.03"],
    ["soft", "0.01", "$0.04"],
  ] as const) {
    const act = t[`office.payout.${way}`];
    const dialog = await openAct(page, partner.id, act);
    await expect(
      dialog.getByText(say(t["office.payout.says"], { due: "$0.05", name: partner.email })),
    ).toBeVisible();
    const amount = dialog.getByLabel(t["office.payout.amount"]);
    await expect(amount).toHaveValue("0.05");
    await dialog.getByLabel(t["office.reason"]).fill("  ");
    await expectRefused(page, t["office.payout.do"], t["office.refusal.reason"]);
    await dialog.getByLabel(t["office.reason"]).fill(`by bank, ${way}`);
    for (const [wrong, words] of [
      ["0", t["office.refusal.payout"]],
      ["0.05000001", t["office.refusal.moreThanDue"]],
    ] as const) {
      await amount.fill(wrong);
      await expectRefused(page, t["office.payout.do"], words);
      await expect(dialog.getByRole("status")).toHaveText("");
    }
    await expectFits(page);
    await amount.fill(paid);
    await expect(
      dialog.getByText(say(t["office.payout.after"], { before: "$0.05", after: left })),
    ).toBeVisible();
    await confirm(page, t["office.payout.do"], say(t["office.payout.done"], { name: partner.email, left }));
    await expect(row.getByText(left)).toBeVisible();
  }
  await expect(row.getByText("$0.07")).toBeVisible();
  // The whole rest, so that no soft payout is left.
  await openAct(page, partner.id, t["office.payout.soft"]);
  await page.getByRole("dialog").getByLabel(t["office.reason"]).fill("the rest");
  await confirm(
    page,
    t["office.payout.do"],
    say(t["office.payout.done"], { name: partner.email, left: "$0.00" }),
  );
  const only = say(t["office.act.of"], { act: t["office.payout.referrals"], name: partner.id });
  await expect(page.getByRole("button", { name: only, exact: true })).toBeVisible();

  await expectLogged(page, `user ${partner.id}`, "partners payout", "the rest");
  const { data } = await shop.see("/user/statement", { book: "soft" }, partner.token);
  expect(data).toMatchObject([
    { kind: "payout", amount: "-0.04" },
    { kind: "payout", amount: "-0.01" },
    { kind: "soft", amount: "0.05" },
  ]);
});

test(
  "an investor's share is set and what he earned is paid, never more than is due",
  { tag: "@full" },
  async ({ page, shop }) => {
    const investor = await someone(shop, "paid-investor");
    await shop.say("/api/admin/users/grant", { user: investor.id, role: "investor", granted: "1" });
    await enter(page, { token: shop.administrator });
    await openSection(page, "investors", `?search=${investor.email}`);
    const row = page.getByRole("row").filter({ hasText: investor.email });
    await expect(row).toContainText("30%");
    // Nothing is due or waits: the share is the only act, so it has its own button.
    const set = t["office.share.set"];
    await page
      .getByRole("button", { name: say(t["office.act.of"], { act: set, name: investor.id }), exact: true })
      .click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(t["office.share.percent"]).fill("91");
    await expectRefused(page, set, t["office.refusal.percent"]);
    await expect(row).toContainText("30%");
    await dialog.getByLabel(t["office.share.percent"]).fill("25");
    await confirm(
      page,
      set,
      say(t["office.share.done"], { name: investor.email, before: "30%", after: "25%" }),
    );
    await expect(row).toContainText("25%");

    // Own domains have no login: an administrator puts their mailboxes on sale.
    await shop.say("/api/admin/domains/add", { name: "brought.test", price: "1", kind: "own" });
    const lines = Array.from({ length: 20 }, (_, at) => `brought-${at}@brought.test:secret-${at}`);
    const brought = await fetch(`${shop.url}/investor/upload`, {
      method: "POST",
      headers: { token: investor.token, "content-type": "text/plain" },
      body: lines.join("\n"),
    });
    const { id_batch: batch } = (await brought.json()) as { id_batch: string };
    await expect
      .poll(
        async () => {
          const rows = (await shop.see("/api/admin/tables/batches"))["rows"] as Row[];
          return rows.find(({ id }) => id === String(batch))?.["state"];
        },
        { timeout: 60_000 },
      )
      .toBe("review");
    await shop.say("/api/admin/batches/decide", { batch, decision: "approve", reason: "seen" });
    await receive(shop, await someone(shop, "investor-buyer"), { domain: "brought.test" });
    const release = { batch, site: "instagram.com", decision: "release", reason: "looked" };
    expect(await shop.say("/api/admin/shares/decide", release)).toMatchObject({ count: 1 });

    await page.reload();
    await expect(row.getByText("$0.25").first()).toBeVisible();
    const act = t["office.payout.investor"];
    const payout = await openAct(page, investor.id, act);
    await payout.getByLabel(t["office.payout.amount"]).fill("1");
    await payout.getByLabel(t["office.reason"]).fill("by card");
    await expectRefused(page, t["office.payout.do"], t["office.refusal.moreThanDue"]);
    await payout.getByLabel(t["office.payout.amount"]).fill("0.2");
    await confirm(
      page,
      t["office.payout.do"],
      say(t["office.payout.done"], { name: investor.email, left: "$0.05" }),
    );
    await expect(row).toContainText("$0.20");
    await expect(row).toContainText("$0.05");
    await expectLogged(page, `user ${investor.id}`, "partners payout", "by card");
  },
);

test(
  "a table of more rows than are counted says so, and its last page leads back",
  { tag: "@full" },
  async ({ page, shop }) => {
    await enter(page, { token: shop.administrator });
    await answer(page, "/api/admin/tables/users", {
      status: "success",
      rows: [],
      total: 10_000,
      more: true,
      pages: 400,
    });
    await openSection(page, "users", "?page=500");
    await expect(page.getByText(say(t["office.rows.more"], { max: "10,000" }))).toBeVisible();
    const pager = page.getByRole("navigation", { name: t["ui.pager"] });
    await expect(pager.getByRole("button", { name: t["ui.pager.next"] })).toBeDisabled();
    await pager.getByRole("button", { name: t["ui.pager.previous"] }).click();
    await expect(page).toHaveURL(/page=399/);
  },
);

test("a page after the last one says so, and leads to it", { tag: "@full" }, async ({ page, shop }) => {
  await enter(page, { token: shop.administrator });
  const wayTo = (last: number) =>
    page
      .getByRole("main")
      .getByRole("button", { name: say(t["office.beyond.last"], { page: String(last) }) });
  await openSection(page, "users", "?page=99");
  await expect(page.getByText(t["office.beyond"])).toBeVisible();
  await expect(page.getByText(t["office.empty"])).toHaveCount(0);
  await expectAccessible(page);
  await expectFits(page);
  await wayTo(1).click();
  await expect(page.getByRole("row").filter({ hasText: "@" }).first()).toBeVisible();
  await expect(page).not.toHaveURL(/page=/);
  await openSection(page, "users", "?search=nobody-of-this-name&page=2");
  await expect(page.getByText(t["office.empty"])).toBeVisible();

  await answer(page, "/api/admin/partners/held", { status: "success", data: [], pages: 3 });
  await openSection(page, "held", "?page=4");
  await wayTo(3).click();
  await expect(page).toHaveURL(/page=3/);
});
