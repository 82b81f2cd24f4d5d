import type { Page } from "@playwright/test";
import { outliveProofs } from "../kit/proofs.ts";
import { enter } from "./buyer.ts";
import { expect, expectAccessible, expectFits } from "./fixtures.ts";
import { openSection, say } from "./officePages.ts";
import { inDatabase } from "./operator.ts";
import { type OwnShop, test } from "./ownShop.ts";
import { texts } from "./storiesPage.ts";
import { password, type Walked } from "./visitor.ts";

let members = 0;

/** As if the administrator had signed in long ago. */
const tenMinutesLater = (shop: OwnShop) =>
  inDatabase(shop.place, (db) =>
    outliveProofs(
      { db, get: async <Said>(path: string) => (await shop.see(path)) as Said },
      shop.administrator,
    ),
  );

/** Opens the dialog of the balance of a new account, filled in. */
async function openAdjust(page: Page, shop: OwnShop, language: Walked = "en") {
  const t = texts[language];
  const email = `moved${++members}@example.com`;
  const token = await shop.register(email);
  await enter(page, { token: shop.administrator }, shop.url);
  await openSection(page, "users", `?search=${email}`, language);
  await page.getByRole("row").filter({ hasText: email }).getByRole("button").click();
  await page.getByRole("menuitem", { name: t["office.user.adjust"], exact: true }).click();
  const dialog = page.getByRole("dialog", { name: t["office.user.adjust"] });
  await dialog.getByLabel(t["office.user.change"]).fill("2.5");
  await dialog.getByLabel(t["office.reason"]).fill("a gift");
  const act = dialog.getByRole("button", { name: t["office.user.adjust"], exact: true });
  const balance = async () => (await shop.see("/user/balance", {}, token))["balance"];
  return { dialog, act, balance, email };
}

const proofDialog = (page: Page, language: Walked = "en") =>
  page.getByRole("dialog", { name: texts[language]["proof.proof.title"] });

test("an act that needs a proof asks for the password once, says when it is wrong, and goes on; the next act does not ask", async ({
  page,
  shop,
}) => {
  const t = texts.en;
  const first = await openAdjust(page, shop);
  await tenMinutesLater(shop);
  await first.act.click();
  const asked = proofDialog(page);
  await expect(asked.getByLabel(t["auth.password"], { exact: true })).toBeFocused();
  expect(await first.balance()).toBe("0.0");
  await asked.getByRole("button", { name: t["proof.do"] }).click();
  await expect(asked.getByText(t["auth.error.passwordEmpty"])).toBeVisible();
  await page.keyboard.type("wrong horse");
  await page.keyboard.press("Enter");
  await expect(asked.getByText(t["auth.error.invalidPassword"])).toBeVisible();
  await expectAccessible(page);
  await asked.getByLabel(t["auth.password"], { exact: true }).fill(password);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  const done = say(t["office.user.adjusted"], { name: first.email, balance: "$2.50" });
  await expect(page.getByText(done)).toBeVisible();
  expect(await first.balance()).toBe("2.5");

  const second = await openAdjust(page, shop);
  await second.act.click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  expect(await second.balance()).toBe("2.5");
});

test("who does not prove it has done nothing: the dialog of the act stays, with what was typed, and says so", async ({
  page,
  shop,
}) => {
  const t = texts.en;
  const { dialog, act, balance } = await openAdjust(page, shop);
  await tenMinutesLater(shop);
  await act.click();
  await expect(proofDialog(page).getByLabel(t["auth.password"], { exact: true })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(proofDialog(page)).toHaveCount(0);
  await expect(dialog.getByRole("alert")).toHaveText(t["refusal.proof"]);
  await expect(dialog.getByLabel(t["office.user.change"])).toHaveValue("2.5");
  await expect(act).toBeFocused();
  expect(await balance()).toBe("0.0");
});

test("the question stands right in Arabic, on a phone too", { tag: "@both" }, async ({ page, shop }) => {
  const t = texts.ar;
  const { act, balance } = await openAdjust(page, shop, "ar");
  await tenMinutesLater(shop);
  await act.click();
  const asked = proofDialog(page, "ar");
  await expect(asked.getByText(t["proof.text"])).toBeVisible();
  await expectFits(page);
  await expectAccessible(page);
  await asked.getByLabel(t["auth.password"], { exact: true }).fill(password);
  await asked.getByRole("button", { name: t["proof.do"] }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  expect(await balance()).toBe("2.5");
});

test("a page with the token of programs is told to sign in, in the office and for the account's own acts", async ({
  page,
  shop,
}) => {
  const t = texts.en;
  const { data } = await shop.see("/user/information");
  await enter(page, { token: (data as { token: string }).token }, shop.url);
  await openSection(page, "users");
  await expect(page.getByText(t["refusal.session"])).toBeVisible();
  await page.getByRole("button", { name: t["auth.login.do"] }).click();
  await expect(page.getByRole("dialog", { name: t["auth.login"] })).toBeVisible();
  await page.goto(`${shop.url}/en/dashboard/api`);
  await page.getByRole("switch", { name: t["token.open"] }).click();
  const asked = page.getByRole("dialog", { name: t["proof.session.title"] });
  await expect(asked.getByText(t["proof.session.text"])).toBeVisible();
  await expectAccessible(page);
  await asked.getByRole("button", { name: t["auth.login.do"] }).click();
  await expect(page.getByRole("dialog", { name: t["auth.login"] })).toBeVisible();
});

test("a role sees what it may do: support no money, an editor the stories alone", async ({ page, shop }) => {
  const t = texts.en;
  const [support, editor] = [
    await shop.register("support@example.com"),
    await shop.register("editor@example.com"),
  ];
  for (const [role, token] of [
    ["support", support],
    ["editor", editor],
  ] as const) {
    const { data } = await shop.see("/user/information", {}, token);
    await shop.say("/api/admin/users/grant", { user: (data as { id: string }).id, role, granted: "1" });
  }
  await enter(page, { token: support }, shop.url);
  await openSection(page, "users", "?search=support@example.com");
  const row = page.getByRole("row").filter({ hasText: "support@example.com" });
  await expect(row).toContainText(t["office.choice.support"]);
  await row.getByRole("button").click();
  const acts = page.getByRole("menu");
  await expect(acts.getByRole("menuitem", { name: t["office.section.journal"] })).toBeVisible();
  await expect(acts.getByRole("menuitem", { name: t["office.user.adjust"] })).toHaveCount(0);
  await expect(acts.getByRole("menuitem", { name: t["office.user.block"] })).toHaveCount(0);

  await enter(page, { token: editor }, shop.url);
  await page.goto(`${shop.url}/en/admin`);
  await expect(page.getByText(t["office.editor"])).toBeVisible();
  await expectAccessible(page);
  await expect(page.getByRole("link", { name: t["office.section.payments"] })).toHaveCount(0);
  await page.goto(`${shop.url}/en/dashboard`);
  await page.getByRole("link", { name: t["dashboard.office"] }).click();
  await expect(page).toHaveURL(/\/admin\/stories/);
});
