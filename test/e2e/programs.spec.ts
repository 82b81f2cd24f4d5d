import { text as textIn } from "node:stream/consumers";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { APIRequestContext, Page } from "@playwright/test";
import { Webhook } from "standardwebhooks";
import account from "../../i18n/account/en.json" with { type: "json" };
import app from "../../i18n/app/en.json" with { type: "json" };
import texts from "../../i18n/en.json" with { type: "json" };
import { enter, newBuyer } from "./buyer.ts";
import { expect, expectAccessible, expectFits, test } from "./fixtures.ts";

async function said(
  request: APIRequestContext,
  path: string,
  token: string,
): Promise<Record<string, unknown>> {
  const response = await request.get(path, { headers: { authorization: `Bearer ${token}` } });
  return (await response.json()) as Record<string, unknown>;
}

const secretOf = (page: Page) => page.getByRole("dialog").locator("code").innerText();

test("a limited token is made, keeps to its limits, and opens nothing once it is revoked", async ({
  page,
  request,
}) => {
  await enter(page, await newBuyer(request));
  await page.goto("/en/dashboard/api");
  await expect(page.getByText(account["token.empty"])).toBeVisible();
  await expectAccessible(page);

  await page.getByRole("button", { name: account["token.new"] }).click();
  const form = page.getByRole("dialog", { name: account["token.new"] });
  await expect(form.getByLabel(account["token.name"], { exact: true })).toBeFocused();
  await form.getByRole("button", { name: account["token.make"] }).click();
  await expect(form.getByText(account["token.name.empty"])).toBeVisible();
  await form.getByLabel(account["token.name"], { exact: true }).fill("checker");
  await form.getByLabel(account["token.sites"], { exact: true }).fill("instagram.com, x.com");
  await form.getByLabel(account["token.priceMax"]).fill("0,01");
  await form.getByLabel(account["token.expires"]).selectOption("7");
  await expectAccessible(page);
  await form.getByRole("button", { name: account["token.make"] }).click();
  await expect(page.getByRole("dialog", { name: account["token.made"] })).toBeVisible();
  const token = await secretOf(page);
  // Escape keeps the secret, which is shown only once.
  await page.keyboard.press("Escape");
  const asked = page.getByRole("dialog", { name: account["programs.secret.lost.title"] });
  await expect(asked.getByRole("button", { name: account["programs.secret.lost.back"] })).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  expect(await secretOf(page)).toBe(token);
  await page.getByRole("button", { name: account["programs.secret.done"] }).click();

  const row = page.getByRole("row", { name: /checker/ });
  await expect(row).toContainText("instagram.com, x.com");
  await expect(row).toContainText("$0.01");
  expect(await said(request, "/email/order?site=google.com&domain=letters.test", token)).toMatchObject({
    value: "token limit",
  });
  expect(await said(request, "/email/order?site=x.com&domain=letters.test", token)).toMatchObject({
    status: "success",
  });
  await page.reload();
  await expect(row).toContainText("$0.0035");
  await expect(page.getByText(token)).toBeHidden();

  await row.getByRole("button", { name: "Revoke checker" }).click();
  const sure = page.getByRole("dialog", { name: account["token.revoke.title"] });
  await expect(sure.getByRole("button", { name: texts["ui.cancel"] })).toBeFocused();
  await sure.getByRole("button", { name: account["token.revoke"] }).click();
  await expect(page.getByText(account["token.empty"])).toBeVisible();
  expect(await said(request, "/user/balance", token)).toMatchObject({ value: "token" });
});

test("a webhook is added, gets a signed test, and shows what was sent; a private address is refused", async ({
  page,
  request,
}) => {
  const { url, messages, answering, close } = await receiver();
  try {
    await enter(page, await newBuyer(request, "0"));
    await page.goto("/en/dashboard/api");
    await page.getByRole("button", { name: account["webhook.add"] }).click();
    const form = page.getByRole("dialog", { name: account["webhook.add"] });
    await form.getByRole("button", { name: account["webhook.add"] }).click();
    await expect(form.getByText(account["webhook.url.empty"])).toBeVisible();
    await form.getByLabel(account["webhook.url"], { exact: true }).fill("https://10.0.0.1/letters");
    await form.getByRole("button", { name: account["webhook.add"] }).click();
    await expect(form.getByText(app["refusal.url"])).toBeVisible();
    await form.getByLabel(account["webhook.url"], { exact: true }).fill(url);
    await form.getByRole("checkbox", { name: /^Balance/ }).uncheck();
    await expectAccessible(page);
    await form.getByRole("button", { name: account["webhook.add"] }).click();
    await expect(page.getByRole("dialog", { name: account["webhook.secret"] })).toBeVisible();
    const secret = await secretOf(page);
    await page.getByRole("button", { name: account["programs.secret.done"] }).click();

    await page.getByRole("button", { name: account["webhook.test"] }).click();
    await expect(page.getByText("The test arrived (HTTP 204)")).toBeVisible();
    const [message] = messages;
    expect(new Webhook(secret).verify(message?.body ?? "", message?.headers ?? {})).toMatchObject({
      type: "test",
    });

    await page.getByRole("button", { name: account["webhook.log"] }).click();
    const log = page.getByRole("dialog", { name: account["webhook.log"] });
    await expect(log.getByText(account["webhook.delivery.delivered"])).toBeVisible();
    await log.getByText(account["webhook.exchange"]).click();
    await expect(log.getByRole("group", { name: account["webhook.exchange.body"] })).toContainText(
      '"type": "test"',
    );
    await expect(log.getByRole("group", { name: account["webhook.exchange.headers"] })).toContainText(
      `webhook-id: ${message?.headers["webhook-id"]}`,
    );
    await expectAccessible(page);
    await log.getByRole("button", { name: account["webhook.redeliver"] }).click();
    await expect.poll(() => messages.length).toBe(2);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("button", { name: account["webhook.log"] })).toBeFocused();

    const row = page.getByRole("list", { name: account["webhook.title"] });
    await expect(row.getByText(account["webhook.on"], { exact: true })).toBeVisible();
    answering(500);
    await page.getByRole("button", { name: account["webhook.test"] }).click();
    await expect(page.getByText(account["webhook.testFailed"])).toBeVisible();
    await expect(row.getByText(account["webhook.failing"], { exact: true })).toBeVisible();
    await expect(row.getByText(account["webhook.on"], { exact: true })).toHaveCount(0);
    answering(204);
    await page.getByRole("button", { name: account["webhook.test"] }).click();
    await expect(row.getByText(account["webhook.on"], { exact: true })).toBeVisible();

    await page.getByRole("button", { name: account["webhook.switchOff"] }).click();
    await expect(page.getByText(account["webhook.off"], { exact: true })).toBeVisible();
    await page.getByRole("button", { name: account["webhook.switchOn"] }).click();
    await expect(page.getByText(account["webhook.on"], { exact: true })).toBeVisible();

    await page.getByRole("button", { name: account["webhook.remove"] }).click();
    await page
      .getByRole("dialog", { name: account["webhook.remove.title"] })
      .getByRole("button", { name: account["webhook.remove"], exact: true })
      .click();
    await expect(page.getByText(account["webhook.empty"])).toBeVisible();
  } finally {
    close();
  }
});

test("the statement tells every movement by site and address, leads to its order, narrows, and comes as a file", async ({
  page,
  request,
}) => {
  const buyer = await newBuyer(request);
  const { id, email } = await said(
    request,
    "/email/order?site=instagram.com&domain=letters.test",
    buyer.token,
  );
  await said(request, `/email/cancel?id=${String(id)}`, buyer.token);
  await enter(page, buyer);
  await page.goto("/en/dashboard");
  await page
    .getByRole("navigation", { name: texts["nav.dashboard"] })
    .getByText(app["statement.title"])
    .click();
  await expect(page).toHaveURL(/\/en\/dashboard\/statement$/);

  const lines = page.getByRole("main").getByRole("listitem");
  await expect(lines).toHaveCount(3);
  await expect(lines.nth(0)).toContainText(/Refund.*\+\$0\.00350.*\$1\.00000/s);
  await expect(lines.nth(1)).toContainText(/Order.*−\$0\.00350.*\$0\.99650/s);
  await expect(lines.nth(2)).toContainText("browser tests");
  await expect(page.getByRole("tablist")).toHaveCount(0);
  await expectAccessible(page);

  await lines
    .nth(1)
    .getByRole("link", { name: `instagram.com · ${String(email)}` })
    .click();
  await expect(page).toHaveURL(`/en/dashboard/order?id=${String(id)}`);
  const told = page.getByRole("region", { name: app["timeline.title"] });
  await expect(told.getByText(app["timeline.refunded"])).toBeVisible();
  const order = page.getByRole("region", { name: String(email) });
  await expect(order.getByText("instagram.com")).toBeVisible();
  await expectAccessible(page);
  await page.goBack();

  const chip = (name: string) => page.getByRole("main").getByRole("button", { name, exact: true });
  await chip(app["period.today"]).click();
  const sums = page.getByRole("main").locator("dl:visible");
  await expect(sums).toContainText(
    /Opening.*\$0\.00000.*In.*\$1\.00350.*Out.*\$0\.00350.*Closing.*\$1\.00000/s,
  );
  await chip(account["statement.kind.refund"]).click();
  await expect(lines).toHaveCount(1);
  await expect(page).toHaveURL(/since=\d{4}-\d\d-\d\d&kinds=refund$/);
  await page.reload();
  await expect(lines).toHaveCount(1);
  await chip(account["statement.kind.refund"]).click();
  await chip(app["period.today"]).click();
  await expect(lines).toHaveCount(3);

  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: account["statement.download"] }).click();
  const file = await (await download).path();
  const text = await readFile(file, "utf8");
  expect(text.trim().split("\r\n")).toHaveLength(4);
  expect(text).toContain(`hold,-0.0035,0.9965,${String(id)},`);
});

test("a statement is printed whole and light, with whose it is, its balances and no buttons", async ({
  page,
  request,
}) => {
  const buyer = await newBuyer(request);
  for (let order = 0; order < 30; order++) {
    const { id } = await said(request, "/email/order?site=instagram.com&domain=letters.test", buyer.token);
    await said(request, `/email/cancel?id=${String(id)}`, buyer.token);
  }
  await page.addInitScript(() => {
    localStorage.setItem("theme", "dark");
    window.print = () => document.documentElement.setAttribute("data-printed", "");
  });
  await enter(page, buyer);
  await page.goto("/en/dashboard/statement");
  const lines = page.getByRole("main").getByRole("listitem");
  await expect(lines).toHaveCount(50);
  await page.getByRole("button", { name: account["statement.print"] }).click();
  await expect(page.locator("html[data-printed]")).toBeVisible();
  await expect(lines).toHaveCount(61);

  await page.emulateMedia({ media: "print" });
  const paper = page.getByRole("main");
  await expect(paper).toContainText(account["statement.all"]);
  await expect(paper.locator("dl:visible")).toContainText(/Opening.*\$0\.00000.*Closing.*\$1\.00000/s);
  await expect(page.getByRole("banner")).toBeHidden();
  await expect(page.getByRole("navigation").filter({ visible: true })).toHaveCount(0);
  await expect(paper.getByRole("button", { name: account["statement.print"] })).toBeHidden();
  await expect(page.locator("html")).toHaveCSS("color-scheme", "light");
});

test(
  "in Arabic and in the dark the pages of an account fit and are accessible",
  { tag: "@full" },
  async ({ page, request }) => {
    const buyer = await newBuyer(request);
    await said(request, "/email/order?site=instagram.com&domain=letters.test", buyer.token);
    const form = { name: "night bot", sites: "instagram.com,x.com,google.com,zoom.us", price_max: "0.0125" };
    await request.post("/user/tokens/add", { form, headers: { authorization: `Bearer ${buyer.token}` } });
    await enter(page, buyer);
    await page.emulateMedia({ colorScheme: "dark" });
    for (const [path, there] of [
      ["api", "night bot"],
      ["statement", "browser tests"],
    ] as const) {
      await page.goto(`/ar/dashboard/${path}`);
      await expect(page.getByText(there)).toBeVisible();
      await expectFits(page);
      await expectAccessible(page);
    }
  },
);

interface Message {
  headers: Record<string, string>;
  body: string;
}

async function receiver() {
  const messages: Message[] = [];
  let status = 204;
  const server = createServer((request, response) => {
    void textIn(request).then((body) => {
      messages.push({ headers: request.headers as Record<string, string>, body });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  const answering = (next: number) => void (status = next);
  return { url: `http://127.0.0.1:${port}/letters`, messages, answering, close };
}
