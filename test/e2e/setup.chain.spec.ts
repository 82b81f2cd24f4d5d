import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text as textIn } from "node:stream/consumers";
import type { Locator, Page } from "@playwright/test";
import { SMTPServer } from "smtp-server";
import { HDKey, hdKeyToAccount } from "viem/accounts";
import english from "../../i18n/office/en.json" with { type: "json" };
import { ownCertificate } from "../../src/server/reception/reception.ts";
import { type Anvil, startAnvil } from "../kit/anvil.ts";
import { type NameServer, openNameServer } from "../kit/dns.ts";
import { outboxCode } from "../kit/outbox.ts";
import { freePort } from "../kit/port.ts";
import { type ShopProcess, shopProcess } from "../kit/process.ts";
import { openTelegramServer, type TelegramServer } from "../kit/telegram.ts";
import { enter, sendLetter } from "./buyer.ts";
import { openStep, stepOf, tokenOf } from "./setupSteps.ts";
import { say } from "./officePages.ts";
import { operate } from "./operator.ts";
import { expect, expectAccessible, expectFits, test } from "./fixtures.ts";

// One shop from nothing to its first sale, with the settings that the page shows.
const t = english;
const shopPlace = {
  port: await freePort(),
  smtpPort: await freePort(),
  dataDir: join(tmpdir(), `postern-first-${randomUUID()}`),
};
test.use({ baseURL: `http://127.0.0.1:${shopPlace.port}` });

const [first, second] = ["operator@example.com", "second@example.com"];
const domain = "letters.test";
const wallet = HDKey.fromMasterSeed(randomBytes(32));
const account = wallet.derive("m/44'/60'/0'");

let dns: NameServer;
let chain: Anvil;
let telegram: TelegramServer;
let relay: SMTPServer;
let certificate: { folder: string; settings: Record<string, string> };
let shop: ShopProcess | undefined;
const mails: string[] = [];

test.beforeAll(async () => {
  test.setTimeout(180_000);
  dns = await openNameServer();
  chain = await startAnvil();
  telegram = await openTelegramServer();
  relay = new SMTPServer({
    disabledCommands: ["AUTH", "STARTTLS"],
    onData: (stream, _session, done) => {
      void textIn(stream).then((mail) => {
        mails.push(mail);
        done();
      });
    },
  });
  await new Promise<void>((up) => relay.listen(0, "127.0.0.1", up));
  const folder = await mkdtemp(join(tmpdir(), "postern-first-tls-"));
  const pem = await ownCertificate(folder, `mx.${domain}`);
  const [cert, key] = [join(folder, "mx.crt"), join(folder, "mx.key")];
  await writeFile(cert, pem.cert);
  await writeFile(key, pem.key);
  certificate = { folder, settings: { SMTP_TLS_CERT: cert, SMTP_TLS_KEY: key } };
});
test.afterAll(async () => {
  await shop?.remove();
  await Promise.all([dns.stop(), chain.remove(), telegram.close()]);
  await new Promise<void>((down) => relay.close(down));
  await rm(certificate.folder, { recursive: true });
});

async function start(page: Page, settings: Record<string, string>): Promise<void> {
  await page.goto("about:blank");
  await shop?.stop();
  shop = shopProcess(shopPlace, { DEMO: "false", DNS_SERVERS: dns.address, LOG_LEVEL: "fatal", ...settings });
  await shop.start();
}

async function openSetup(page: Page): Promise<void> {
  await page.goto("/en/admin/setup");
  await expect(page.getByText(t["setup.lead"])).toBeVisible();
}

const badge = (step: Locator, state: "done" | "todo" | "warning" | "optional") =>
  expect(step.locator("summary")).toContainText(t[`setup.state.${state}`]);

const progress = (page: Page, done: number) =>
  expect(
    page.getByRole("progressbar", { name: say(t["setup.progress"], { done: String(done), all: "6" }) }),
  ).toBeVisible();

async function linesOf(step: Locator): Promise<Record<string, string>> {
  const lines = await step.locator("code").allInnerTexts();
  const settings = lines.filter((line) => /^[A-Z_]+=/.test(line));
  return Object.fromEntries(
    settings.map((line) => [line.split("=")[0] ?? "", line.replace(/^[A-Z_]+=/, "")]),
  );
}

async function expectLines(step: Locator, ...names: string[]): Promise<Record<string, string>> {
  await expect.poll(async () => Object.keys(await linesOf(step))).toEqual(names);
  return linesOf(step);
}

async function look(step: Locator, name: string): Promise<Locator> {
  const check = step.getByRole("region", { name: say(t["setup.dns"], { domain: name }) });
  await check.getByRole("button", { name: t["setup.dns.check"] }).click();
  return check;
}

test(
  "an empty production shop is led from nothing to its first sale, through each mistake on the way",
  { tag: "@full" },
  async ({ page, request }) => {
    test.setTimeout(420_000);
    const settings: Record<string, string> = {
      ADMIN_EMAILS: `${first},${second}`,
      SMTP_NAME: "localhost",
      ROLES: "web,jobs",
    };
    await start(page, settings);
    const written = (email: string) => () => outboxCode(shopPlace.dataDir, email);
    await enter(page, { token: await tokenOf(request, first, written(first)) });
    await page.goto("/en/admin");
    await expect(page.getByText(t["setup.hint"])).toBeVisible();
    await page.getByRole("link", { name: t["setup.hint.open"] }).click();
    await expect(page).toHaveURL(/\/en\/admin\/setup$/);
    await progress(page, 0);

    const admin = stepOf(page, t["setup.step.admin"]);
    await expect(admin.getByText(t["setup.admin.awaited"])).toBeVisible();
    await badge(admin, "warning");
    expect(await expectLines(admin, "ADMIN_EMAILS")).toEqual({ ADMIN_EMAILS: `${first},${second}` });
    await tokenOf(request, second, written(second));
    await page.getByRole("button", { name: t["setup.again"] }).click();
    await expect(admin.getByText(t["setup.admin.awaited"])).toBeHidden();
    await badge(admin, "done");
    await progress(page, 1);

    // By keyboard.
    const mail = stepOf(page, t["setup.step.mail"]);
    await admin
      .getByRole("button", { name: say(t["setup.next"], { step: t["setup.step.mail"] }) })
      .press("Enter");
    await expect(mail.locator("summary")).toBeFocused();
    await expect(admin).not.toHaveAttribute("open");
    await badge(mail, "todo");
    await expect(mail.getByText(t["setup.mail.none"])).toBeVisible();
    await expectLines(mail, "MAIL_URL", "MAIL_FROM", "DKIM_KEY", "DKIM_SELECTOR");

    const sold = await openStep(page, t["setup.step.domain"]);
    const form = sold.getByRole("form", { name: t["setup.domain.add"] });
    const [name, price] = [
      form.getByLabel(t["setup.domain.name"]),
      form.getByLabel(t["setup.domain.price"], { exact: true }),
    ];
    const add = form.getByRole("button", { name: t["setup.domain.add"] });
    const wrong = [
      ["", "0.01", name, t["office.refusal.mailDomain"]],
      ["no domain", "0.01", name, t["office.refusal.mailDomain"]],
      [domain, "", price, t["office.refusal.price"]],
      [domain, "free", price, t["office.refusal.price"]],
      [domain, "0", price, t["office.refusal.price"]],
      [domain, "-1", price, t["office.refusal.price"]],
    ] as const;
    for (const [given, dollars, field, sentence] of wrong) {
      await name.fill(given);
      await price.fill(dollars);
      await add.click();
      await expect(field).toHaveAccessibleDescription(sentence);
      await expect(field).toHaveAttribute("aria-invalid", "true");
    }
    await expect(sold.getByRole("region")).toHaveCount(0);
    await name.fill(`  ${domain.toUpperCase()} `);
    await price.fill("0,0035");
    await add.click();
    await expect(sold.getByRole("region", { name: say(t["setup.dns"], { domain }) })).toBeVisible();
    await expect(name).toHaveValue("");
    await badge(sold, "warning");
    await name.fill(domain);
    await price.fill("0.01");
    await add.click();
    await expect(name).toHaveAccessibleDescription(t["office.refusal.domainExists"]);
    await expect(sold.getByText(t["setup.domain.nameless"])).toBeVisible();
    Object.assign(settings, await expectLines(sold, "SMTP_NAME"));
    expect(settings["SMTP_NAME"]).toBe(`mx.${domain}`);

    const stock = await openStep(page, t["setup.step.stock"]);
    await badge(stock, "todo");
    const count = stock.getByLabel(t["setup.stock.count"], { exact: true });
    const order = stock.getByRole("button", { name: t["setup.stock.add"] });
    for (const given of ["", "0", "-5", "1.5", "many", "1000000"]) {
      await count.fill(given);
      await order.click();
      await expect(count).toHaveAccessibleDescription(t["office.refusal.count"]);
    }
    await count.fill("25");
    await order.click();
    await expect(stock.getByRole("listitem").filter({ hasText: domain })).toContainText("25");
    await expect(stock.getByRole("listitem").filter({ hasText: domain })).toContainText("$0.0035");
    await badge(stock, "done");

    const letter = await openStep(page, t["setup.step.letter"]);
    const listener = `127.0.0.1:${shopPlace.smtpPort}`;
    await letter.getByRole("button", { name: t["setup.letter.send"] }).click();
    await expect(letter.getByText(say(t["setup.letter.closed"], { listener }))).toBeVisible();
    await badge(letter, "warning");

    const wallets = await openStep(page, t["setup.step.wallets"]);
    await badge(wallets, "todo");
    const keyField = wallets.getByLabel(t["setup.wallet.key"], { exact: true });
    const firstField = wallets.getByLabel(t["setup.wallet.first"], { exact: true });
    const show = wallets.getByRole("button", { name: t["setup.wallet.check"] });
    const trial = async (key: string, address: string) => {
      await keyField.fill(key);
      await firstField.fill(address);
      await show.click();
    };
    await trial("", "");
    await expect(keyField).toHaveAccessibleDescription(new RegExp(t["setup.refusal.publicKey"]));
    await trial(account.privateExtendedKey, "");
    await expect(keyField).toHaveAccessibleDescription(new RegExp(t["setup.refusal.privateKey"]));
    await trial(account.publicExtendedKey, "0x12");
    await expect(firstField).toHaveAccessibleDescription(new RegExp(t["setup.refusal.firstAddress"]));
    await trial(account.publicExtendedKey, hdKeyToAccount(wallet, { addressIndex: 1 }).address);
    await expect(wallets.getByText(t["setup.wallet.mismatch"])).toBeVisible();
    expect(await linesOf(wallets)).toEqual({});
    await trial(account.publicExtendedKey, hdKeyToAccount(wallet).address);
    await expect(wallets.getByText(t["setup.wallet.match"])).toBeVisible();
    Object.assign(settings, await expectLines(wallets, "WALLET_EVM_XPUB", "WALLET_EVM_FIRST"));
    expect(settings["WALLET_EVM_FIRST"]).toBe(hdKeyToAccount(wallet).address);

    const bot = await openStep(page, t["setup.step.bot"]);
    await badge(bot, "optional");
    await expectLines(bot, "TELEGRAM_BOT_TOKEN");
    await progress(page, 2);
    await expectFits(page);
    await expectAccessible(page);

    // The page's settings, with a mistake in relay and bot, and without a node.
    const { port } = relay.server.address() as AddressInfo;
    Object.assign(settings, {
      ROLES: "web,smtp,jobs,bot",
      MAIL_URL: `smtp://localhost:${port}`,
      MAIL_FROM: "Shop <no-reply@shop.test>",
      TELEGRAM_API_ROOT: telegram.url,
      TELEGRAM_BOT_TOKEN: "1:wrong",
    });
    await start(page, settings);
    await openSetup(page);
    await progress(page, 2);
    await badge(mail, "warning");
    dns.names.set("shop.test", { TXT: ["v=spf1 -all"] });
    const own = await look(mail, "shop.test");
    await expect(own.getByText(t["setup.trouble.forbids"])).toBeVisible();
    await badge(mail, "warning");
    dns.names.set("shop.test", { TXT: ["v=spf1 a:localhost -all"] });
    await look(mail, "shop.test");
    await expect(own.getByText(t["setup.dns.right"])).toBeVisible();
    await badge(mail, "done");

    await openStep(page, t["setup.step.domain"]);
    await expect(sold.getByText(t["setup.domain.nameless"])).toBeHidden();
    dns.names.set(domain, { MX: [[10, "mx.other.test"]], TXT: ["v=spf1 +all"] });
    dns.names.set(`mx.${domain}`, { A: ["10.0.0.25"] });
    const records = await look(sold, domain);
    for (const trouble of ["other_host", "open", "private"] as const)
      await expect(records.getByText(t[`setup.trouble.${trouble}`])).toBeVisible();
    await expect(records.getByText(t["setup.dns.notYet"])).toBeVisible();
    await badge(sold, "warning");
    dns.names.set(domain, { MX: [[10, `mx.${domain}`]], TXT: ["v=spf1 -all"] });
    dns.names.set(`mx.${domain}`, { A: ["192.0.2.25"] });
    await look(sold, domain);
    await expect(records.getByText(t["setup.dns.right"])).toBeVisible();
    await badge(sold, "done");

    await openStep(page, t["setup.step.letter"]);
    const arrived = letter.getByRole("status").filter({ hasText: `postmaster@${domain}` });
    await letter.getByRole("button", { name: t["setup.letter.send"] }).click();
    await expect(arrived).toBeVisible();
    await expect(letter.getByText(t["setup.letter.open"])).toBeVisible();
    await expectLines(letter, ...Object.keys(certificate.settings));
    await badge(letter, "warning");
    await openStep(page, t["setup.step.wallets"]);
    await expect(wallets.getByText(t["setup.wallet.noNode"])).toBeVisible();
    await expectLines(wallets, "CHAIN_ETH_URLS", "CHAIN_BSC_URLS");
    await badge(wallets, "warning");
    await openStep(page, t["setup.step.bot"]);
    await expect(bot.getByText(t["setup.bot.silent"])).toBeVisible();
    await badge(bot, "warning");
    await progress(page, 4);

    Object.assign(settings, certificate.settings, telegram.settings, {
      CHAIN_ETH_URLS: chain.url,
      CHAIN_ETH_ID: String(chain.chainId),
      // No real rate sources.
      RATES_URLS: `kraken=http://127.0.0.1:${port},coinbase=http://127.0.0.1:${port}`,
    });
    await start(page, settings);
    await openSetup(page);
    await badge(wallets, "done");
    await openStep(page, t["setup.step.wallets"]);
    await expect(wallets.getByText(t["setup.wallet.onSale"], { exact: true })).toBeVisible();
    await openStep(page, t["setup.step.bot"]);
    await expect(bot.getByText(say(t["setup.bot.answered"], { name: "@postern_test_bot" }))).toBeVisible();
    await badge(bot, "done");
    await badge(letter, "done");

    // The finished set-up is no longer linked and the page stays.
    await expect(page.getByText(t["setup.done"], { exact: true })).toBeVisible();
    await expect(page.getByRole("progressbar")).toHaveCount(0);
    await openSetup(page);
    await expect(page.getByText(t["setup.done.text"])).toBeVisible();
    await expect(page.locator("details[open] summary").filter({ hasText: /^\d\./ })).toHaveCount(0);
    await openStep(page, t["setup.step.wallets"]);
    await expect(page.getByRole("button", { name: say(t["setup.next"], { step: "" }) })).toHaveCount(0);
    await expectFits(page);
    await expectAccessible(page);
    await page.goto("/en/admin");
    await expect(page.locator("[data-figure=living]")).toHaveText(/\d/);
    await expect(page.getByText(t["setup.hint"])).toBeHidden();
    await page.getByRole("link", { name: t["office.section.setup"] }).first().click();
    await expect(page.getByText(t["setup.done"], { exact: true })).toBeVisible();

    const stranger = "stranger@example.com";
    const token = await tokenOf(request, stranger, async () => {
      const code = () => mails.find((mail) => mail.includes(stranger))?.match(/^\s*(\d{6})\s*$/m)?.[1];
      await expect.poll(code).toBeDefined();
      return code() ?? "";
    });
    const ask = async (path: string, asked: Record<string, string>) => {
      const headers = { authorization: `Bearer ${token}` };
      return (await (await request.get(path, { headers, params: asked })).json()) as Record<string, unknown>;
    };
    expect(await ask("/email/quantity", { site: "shop.example" })).toMatchObject({
      data: { [domain]: { count: 25, price: 0.0035 } },
    });
    await operate(shopPlace, "users", "credit", stranger, "1", "--reason", "browser tests");
    const { id, email } = await ask("/email/order", { site: "shop.example", domain });
    await sendLetter(
      { from: "hello@shop.example", to: String(email), subject: "Welcome", text: "Your code is 482910" },
      shopPlace,
    );
    expect(await ask("/email/getmessage", { id: String(id), wait: "30" })).toMatchObject({ code: "482910" });
    expect(await ask("/user/balance", {})).toMatchObject({ balance: "0.9965" });

    dns.names.delete(domain);
    await openSetup(page);
    await openStep(page, t["setup.step.domain"]);
    await look(sold, domain);
    await badge(sold, "warning");
    await progress(page, 5);
    await page.goto("/en/admin");
    await expect(page.getByText(t["setup.hint"])).toBeVisible();
  },
);
