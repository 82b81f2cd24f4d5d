import { enter, newBuyer, newStranger } from "./buyer.ts";
import { expect, kept, test } from "./fixtures.ts";
import { answer, texts } from "./visitor.ts";

const en = texts.en;

// What surrounds the pages: the header, the bar on phones, the head of the dashboard.

test("with a token the home page's choice goes straight to the dashboard, any site as instagram", async ({
  page,
  request,
}) => {
  await enter(page, await newBuyer(request, "0"));
  await page.goto("/en");
  const from = page.getByLabel(en["home.service"], { exact: true });
  const to = page.getByLabel(en["home.domain"]);
  const services = ["any", "google", "instagram", "discord", "zoom", "x", "reddit", "facebook"];
  expect(
    await from.locator("option").evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value)),
  ).toEqual(services);
  await expect(from).toHaveValue("any");
  const nameOf = (at: number) => to.locator("option").nth(at).getAttribute("value");
  await expect(to).toHaveValue((await nameOf(0)) ?? "");
  await from.selectOption("reddit");
  const domain = (await nameOf(1)) ?? "";
  await to.selectOption(domain);
  await page.getByRole("button", { name: en["home.get"] }).click();
  await expect(page).toHaveURL(/\/en\/dashboard$/);
  await expect(page.getByLabel(en["order.site"], { exact: true })).toHaveValue("reddit");
  await expect(page.getByRole("radio", { name: domain })).toBeChecked();
  await expect.poll(() => kept(page, "pendingEmailRequest")).toBeNull();

  await page.goto("/en");
  await expect(from).toHaveValue("reddit");
  await expect(to).toHaveValue(domain);
  await page.getByRole("button", { name: en["home.service.another"] }).click();
  await page.getByRole("button", { name: en["home.get"] }).click();
  await expect(page.getByText(en["home.service.empty"])).toBeVisible();
  await expect(page.getByLabel(en["home.service.own"])).toBeFocused();
  await page.keyboard.type("https://www.shop.example/join");
  await page.keyboard.press("Enter");
  const site = page.getByLabel(en["order.site"], { exact: true });
  await expect(site).toHaveValue("shop.example");
  await page.goto("/en");
  await expect(page.getByLabel(en["home.service.own"])).toHaveValue("shop.example");
  await page.getByRole("button", { name: en["home.service.another"] }).click();
  await from.selectOption("any");
  await page.getByRole("button", { name: en["home.get"] }).click();
  await expect(site).toHaveValue("instagram");
});

test("the header and the bar of phones lead to the same pages, and to help", async ({ page, request }) => {
  await enter(page, await newBuyer(request, "0"));
  for (const [width, name] of [
    [1280, en["nav.main"]],
    [360, en["nav.bottom"]],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto("/en");
    const links = page.getByRole("navigation", { name });
    await expect(links.getByRole("link", { name: en["nav.home"] })).toHaveAttribute("href", "/en");
    await links.getByRole("link", { name: en["nav.docs"] }).click();
    await expect(page).toHaveURL(/\/en\/docs$/);
    await links.getByRole("link", { name: en["nav.dashboard"] }).click();
    await expect(page).toHaveURL(/\/en\/dashboard$/);
    const help = page.getByRole("link", { name: en["nav.help"] }).filter({ visible: true }).first();
    await expect(help).toHaveAttribute("target", "_blank");
  }
  await page.getByRole("link", { name: `Postern – ${en["nav.home"]}` }).click();
  await expect(page).toHaveURL(/\/en$/);
  await expect(page.getByRole("link", { name: en["home.api.docs"] })).toHaveAttribute("href", "/en/docs");
});

test("the head of the dashboard says who is there and whether the account is active", async ({
  page,
  request,
}) => {
  const stranger = await newStranger(request);
  await enter(page, stranger);
  await page.goto("/en/dashboard");
  const profile = page.getByRole("region", { name: en["profile.title"] });
  const { name, id } = await page.evaluate(async (token) => {
    const said = await fetch("/user/information", { headers: { authorization: `Bearer ${token}` } });
    return ((await said.json()) as { data: { name: string; id: string } }).data;
  }, stranger.token);
  await expect(profile.getByRole("heading", { level: 1 })).toContainText(en["profile.welcome"]);
  await expect(profile).toContainText(name);
  await expect(profile).toContainText(id);
  await expect(profile.getByText(en["profile.inactive"])).toBeVisible();
  await expect(profile.locator("code")).not.toContainText(stranger.token);
  await expect(profile.locator("code")).toContainText("••••");
  await expect(page.getByText(en["order.locked"], { exact: true })).toBeVisible();
});

test("a session that the server ends while one works goes home and forgets who was there", async ({
  page,
  request,
}) => {
  await enter(page, await newBuyer(request, "0"));
  await page.goto("/en/dashboard");
  await expect(page.getByText(en["activations.empty"])).toBeVisible();
  await answer(page, "/user/activations", { status: "error", value: "token" });
  await page
    .getByRole("button", { name: en["activations.refresh"], exact: true })
    .evaluate((button: HTMLElement) => button.click());
  await expect(page).toHaveURL(/\/en$/);
  await expect.poll(() => kept(page, "authToken")).toBeNull();
});

test("the documentation has the seven calls in their order, with examples to copy, parameters and errors", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/en/docs");
  const links = page.getByRole("navigation", { name: en["docs.contents"] }).getByRole("link");
  const calls = ["balance", "quantity", "order", "getmessage", "reorder", "cancel", "aggregators"];
  const hrefs = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
  expect(hrefs.filter((href) => calls.includes(href.slice(1)))).toEqual(calls.map((call) => `#${call}`));
  for (const call of calls) await expect(page.locator(`#${call}`)).toContainText(`/${call}`);

  const parameters = { order: ["site", "domain", "subject", "regex"], getmessage: ["id", "preview"] };
  for (const [call, names] of Object.entries(parameters))
    for (const name of names)
      await expect(page.locator(`#${call}`).getByText(name, { exact: true }).first()).toBeVisible();
  await expect(page.locator("#getmessage")).toContainText("preview=1");
  const errors = {
    order: ["token", "site", "domain", "no emails", "no balance"],
    getmessage: ["wait message", "activation canceled", "no activation"],
    reorder: ["email banned"],
    cancel: ["activation already canceled"],
  };
  for (const [call, values] of Object.entries(errors))
    for (const value of values)
      await expect(page.locator(`#${call}`).getByText(value, { exact: true }).first()).toBeVisible();

  await page.locator("#balance").getByRole("button", { name: en["docs.copy.answer"] }).first().click();
  expect(JSON.parse(await page.evaluate(() => navigator.clipboard.readText()))).toHaveProperty("balance");
});
