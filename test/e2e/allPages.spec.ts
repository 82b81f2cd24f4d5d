import type { APIRequestContext, Page } from "@playwright/test";
import { enter, newStranger } from "./buyer.ts";
import { received } from "./letters.ts";
import { docsPages, paths } from "../../src/web/paths.ts";
import { extents, see as look } from "./pageChecks.ts";
import { operate } from "./operator.ts";
import { payment as told, transfer } from "./payments.ts";
import { place } from "./shopAddress.ts";
import { expect, test } from "./fixtures.ts";
import { answer, texts } from "./visitor.ts";

// Every page and dialog, in every language, on phones, tablets and desktops, light and dark.

const t = texts.en;
type Plain = { [Key in keyof typeof t]: (typeof t)[Key] extends string ? Key : never }[keyof typeof t];

/** A buyer with a letter, a waiting and a canceled order, a payment and a token; and an investor. */
async function seed(request: APIRequestContext) {
  const buyer = await received(request, { html: "<p>Your code is <b>482910</b></p>" });
  const ask = async (path: string, form: Record<string, string>) =>
    (await (await request.post(path, { form: { token: buyer.token, ...form } })).json()) as { id: string };
  await ask("/email/order", { site: "x.com", domain: "letters.test" });
  const { id } = await ask("/email/order", { site: "zoom.us", domain: "letters.test" });
  await ask("/email/cancel", { id });
  await ask("/user/tokens/add", { name: "1", sites: "instagram.com,x.com", price_max: "0.0125" });
  const payment = await ask("/payments/create", { wallet: "ltc", amount: "5" });
  await operate(place, "users", "grant", buyer.owner, "investor");
  return { token: buyer.token, payment: payment.id };
}

const earnings = [1, 0].map((ago) => ({
  date: new Date(Date.now() - ago * 24 * 60 * 60 * 1000).toISOString().slice(0, 10),
  earned: "0.00175",
  count: 10,
}));

const batches = Object.entries({
  sampling: null,
  review: "own_domain",
  refused: "personal",
  active: null,
}).map(([state, reason], at) => ({
  id_batch: String(100 - at),
  created_at: 1_763_780_000,
  count: 5_000_000,
  alive: 4_990_000,
  amount: "1234.56789",
  percent: 0.275,
  domain_names: ["letters.test", "a-rather-long-name-of-a-mail-domain.example"],
  state,
  reason,
  checked: 0.45,
  rejected: { malformed: 7, unknown_domain: 0, duplicate_in_file: 1, duplicate: 12 },
  restricted: ["facebook.com", "x.com"],
}));

const states = [
  [
    "pay.status.underpaid",
    {
      state: "underpaid",
      currency: "ton",
      received: "0.04",
      missing: "0.02251",
      transfers: [transfer, { ...transfer, status: "gone" }],
    },
  ],
  [
    "pay.status.review",
    { state: "review", transfers: [{ ...transfer, currency: "eth", status: "confirmed" }] },
  ],
  ["pay.status.expiredPartial", { payment_status: -1, state: "expired_partial" }],
] as const;

/** Visits everything; `see` checks each state. */
function walk(page: Page, see: (state: string) => Promise<void>) {
  // The page behind an open dialog may have the same name.
  const press = async (key: Plain) => {
    const dialog = page.getByRole("dialog");
    const within = (await dialog.count()) > 0 ? dialog.last() : page;
    await within.getByRole("button", { name: t[key], exact: true }).first().click();
  };
  const close = async () => {
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  };
  const rows = page.locator("#activations li[data-state]");
  return {
    async public() {
      await page.goto("/en");
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await see("home");
      await press("nav.login");
      await expect(page.getByRole("dialog", { name: t["auth.login"] })).toBeVisible();
      await see("sign-in");
      await page.getByRole("tab", { name: t["auth.method.token"] }).click();
      await press("auth.login.do");
      await see("sign-in by a token, with mistakes");
      await press("auth.register");
      await see("registration");
      await press("auth.login");
      await page.getByRole("tab", { name: t["auth.method.password"] }).click();
      await press("auth.login.forgot");
      await see("reset");
      await page.goto("/en/docs");
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await see("documentation");
      await page.goto("/en/nowhere");
      await expect(page.getByRole("heading", { name: t["missing.title"] })).toBeVisible();
      await see("not found");
    },
    async inactive() {
      await page.goto("/en/dashboard");
      await expect(page.getByRole("dialog", { name: t["auth.activate"] })).toBeVisible();
      await see("activation");
      await close();
      await see("dashboard, not activated");
    },
    async dashboard() {
      await page.goto("/en/dashboard?from=instagram&to=post");
      await expect(rows).toHaveCount(2);
      await expect(page.getByRole("radio", { name: /post\.test/ })).toBeChecked();
      await page.locator("summary", { hasText: t["order.options"] }).click();
      await see("dashboard");
      await rows.getByRole("button", { name: "instagram.com" }).click();
      await expect(page.getByRole("dialog", { name: t["letter.title"] }).locator("iframe")).toBeVisible();
      await see("letter");
      await press("timeline.title");
      await expect(
        page.getByRole("dialog", { name: t["timeline.title"] }).getByRole("listitem").first(),
      ).toBeVisible();
      await see("what happened");
      await close();
      const received = rows.filter({ has: page.getByRole("button", { name: "instagram.com" }) });
      const acts = received.getByRole("button", { name: /^Actions/ });
      // A narrow list has them behind one button.
      if (await acts.isVisible()) await acts.click();
      await received.getByRole("button", { name: t["reorder.with"] }).click();
      await expect(page.getByRole("dialog", { name: t["reorder.title"] })).toBeVisible();
      await see("reorder");
      await close();
      await press("topup.open");
      await expect(page.getByRole("dialog", { name: t["topup.title"] })).toBeVisible();
      await see("top-up");
      await close();
      await page.getByRole("tab", { name: t["tabs.history"] }).click();
      await expect(rows).toHaveCount(3);
      await see("history");
    },
    async account(paymentId: string) {
      await page.goto("/en/dashboard/statement");
      await expect(page.getByRole("main").getByRole("listitem").first()).toBeVisible();
      await see("statement");
      await page.goto("/en/dashboard/api");
      await expect(page.getByText(t["token.limits"]).first()).toBeVisible();
      await see("for programs");
      await answer(page, "/stats/soft", { status: "success", data: earnings });
      await page.getByRole("link", { name: t["dashboard.partner"] }).click();
      await page.getByRole("button", { name: t["partner.link.create"] }).click();
      await page.getByLabel(t["partner.word"]).fill("%");
      await page.getByRole("slider").focus();
      await see("partner");
      await answer(page, "/investor/packsinfo", {
        status: "success",
        ...Object.fromEntries(batches.entries()),
        next_offset: 10,
        total: 99,
      });
      await answer(page, "/investor/upload", {
        status: "error",
        value: "too few mailboxes",
        accepted: 0,
        rejected: batches[0]?.rejected,
      });
      await page.getByRole("link", { name: t["dashboard.investor"] }).click();
      const services = page.getByLabel(t["investor.services"], { exact: true });
      await services.fill("facebook.com,x.com,x");
      await services.press("Enter");
      const file = (name: string) => ({ name, mimeType: "text/plain", buffer: Buffer.from("x") });
      await page.getByLabel(t["investor.drop"]).setInputFiles(file("1.csv"));
      await expect(page.getByText(t["investor.state.refused"], { exact: true })).toBeVisible();
      await see("investor, with mistakes");
      await page.getByLabel(t["investor.drop"]).setInputFiles(file("1.txt"));
      await press("investor.upload");
      await page.getByRole("checkbox").check();
      await see("investor, asked to confirm");
      await press("investor.upload");
      await expect(page.getByText(t["refusal.tooFewMailboxes"])).toBeVisible();
      await see("investor, whose upload was refused");
      await page.goto(`/en/payments/pay?id=${paymentId}`);
      await expect(page.getByText(t["pay.status.pending"]).first()).toBeVisible();
      await see("payment");
      for (const [key, state] of states) {
        await answer(page, "/payments/status", { ...told, ...state });
        await page.goto("/en/payments/pay?id=77");
        await expect(page.getByText(t[key])).toBeVisible();
        await see(`payment, ${state.state}`);
      }
      await answer(page, "/payments/status", { status: "error", value: "no payment" });
      await page.goto("/en/payments/pay?id=1");
      await expect(page.getByText(t["pay.status.none"].replace("{id}", "1"))).toBeVisible();
      await see("payment that is none");
    },
  };
}

for (const { where, tag, looks } of extents) {
  test.describe(() => {
    test.describe.configure({ timeout: 300_000 });

    test(`public pages are whole ${where}`, { tag }, async ({ page, request }) => {
      const walking = walk(page, (state) => look(page, state, looks));
      await walking.public();
      await enter(page, await newStranger(request));
      await walking.inactive();
    });

    test(`the account's pages are whole ${where}`, { tag }, async ({ page, request }) => {
      const { payment, ...buyer } = await seed(request);
      const walking = walk(page, (state) => look(page, state, looks));
      await enter(page, buyer);
      await walking.dashboard();
      await walking.account(payment);
    });
  });
}

for (const part of docsPages)
  test(`the part ${part} of the documentation is whole`, { tag: "@full" }, async ({ page }) => {
    test.setTimeout(300_000);
    await page.goto(paths.docs("en", part));
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    const looks = extents.flatMap((extent) => extent.looks);
    await look(page, part, looks);
  });
