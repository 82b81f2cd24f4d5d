import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HDKey, hdKeyToAccount } from "viem/accounts";
import arabic from "../../i18n/office/ar.json" with { type: "json" };
import english from "../../i18n/office/en.json" with { type: "json" };
import { type NameServer, openNameServer } from "../kit/dns.ts";
import { outboxCode } from "../kit/outbox.ts";
import { freePort } from "../kit/port.ts";
import { type ShopProcess, shopProcess } from "../kit/process.ts";
import { enter } from "./buyer.ts";
import { openStep, tokenOf } from "./setupSteps.ts";
import { expect, expectAccessible, expectFits, test } from "./fixtures.ts";

const texts = { en: english, ar: arabic };
const shopPlace = {
  port: await freePort(),
  smtpPort: await freePort(),
  dataDir: join(tmpdir(), `postern-setup-${randomUUID()}`),
};
test.use({ baseURL: `http://127.0.0.1:${shopPlace.port}` });

const adminEmail = "operator@example.com";
const wallet = HDKey.fromMasterSeed(new Uint8Array(32).fill(9));
const key = wallet.derive("m/44'/60'/0'").publicExtendedKey;

let dns: NameServer;
let shop: ShopProcess;

test.beforeAll(async () => {
  test.setTimeout(180_000);
  dns = await openNameServer();
  shop = shopProcess(shopPlace, {
    DEMO: "false",
    ADMIN_EMAILS: adminEmail,
    DNS_SERVERS: dns.address,
    SMTP_NAME: "mx.shop.test",
    LOG_LEVEL: "error",
  });
  await shop.start();
});
test.afterAll(async () => {
  await shop.remove();
  await dns.stop();
});

const mailed = (email: string) => () => outboxCode(shopPlace.dataDir, email);

test("a first visitor of an empty shop is no administrator, and is told so; an administrator is led through what it lacks, from right to left", async ({
  page,
  request,
}) => {
  test.setTimeout(180_000);
  const language = "ar";
  const t = texts[language];
  const domain = "first-letters.test";
  await test.step("a first visitor", async () => {
    await enter(page, {
      token: await tokenOf(request, "visitor@example.com", mailed("visitor@example.com")),
    });
    await page.goto("/en/admin/setup");
    await expect(page.getByText(texts.en["office.access.denied"])).toBeVisible();
    await expect(page.getByText(texts.en["setup.lead"])).toBeHidden();
  });

  await enter(page, { token: await tokenOf(request, adminEmail, mailed(adminEmail)) });
  await page.goto(`/${language}/admin/setup`);
  await expect(page.getByText(t["setup.lead"])).toBeVisible();

  const step = await openStep(page, t["setup.step.domain"]);
  const form = step.getByRole("form", { name: t["setup.domain.add"] });
  await form.getByLabel(t["setup.domain.name"]).fill(domain);
  await form.getByLabel(t["setup.domain.price"]).fill("0.0035");
  await form.getByRole("button", { name: t["setup.domain.add"] }).click();
  const check = step.getByRole("region", { name: t["setup.dns"].replace("{domain}", domain) });
  const look = check.getByRole("button", { name: t["setup.dns.check"] });
  await look.click();
  await expect(check.getByText("10 mx.shop.test.")).toBeVisible();
  await expect(check.getByText(t["setup.record.missing"], { exact: true })).toHaveCount(3);
  await expect(check.getByText(t["setup.dns.notYet"])).toBeVisible();
  await expectFits(page);
  await expectAccessible(page);
  dns.names.set(domain, { MX: [[10, "mx.shop.test"]], TXT: ["v=spf1 -all"] });
  dns.names.set("mx.shop.test", { A: ["192.0.2.25"] });
  await look.click();
  await expect(check.getByText(t["setup.dns.right"])).toBeVisible();

  const stock = await openStep(page, t["setup.step.stock"]);
  await stock.getByLabel(t["setup.domain.name"]).selectOption(domain);
  await stock.getByLabel(t["setup.stock.count"], { exact: true }).fill("25");
  await stock.getByRole("button", { name: t["setup.stock.add"] }).click();
  await expect(stock.getByRole("listitem").filter({ hasText: domain })).toContainText("25");

  const letter = await openStep(page, t["setup.step.letter"]);
  await letter.getByLabel(t["setup.domain.name"]).selectOption(domain);
  await letter.getByRole("button", { name: t["setup.letter.send"] }).click();
  await expect(letter.getByRole("status").filter({ hasText: `postmaster@${domain}` })).toBeVisible();

  const wallets = await openStep(page, t["setup.step.wallets"]);
  const keyField = wallets.getByLabel(t["setup.wallet.key"], { exact: true });
  const show = wallets.getByRole("button", { name: t["setup.wallet.check"] });
  await keyField.fill(wallet.derive("m/44'/60'/0'").privateExtendedKey);
  await show.click();
  await expect(wallets.getByText(t["setup.refusal.privateKey"])).toBeVisible();
  await keyField.fill(key);
  await wallets.getByLabel(t["setup.wallet.first"], { exact: true }).fill(hdKeyToAccount(wallet).address);
  await show.click();
  await expect(wallets.getByText(t["setup.wallet.match"])).toBeVisible();
  await expect(wallets.getByText(`WALLET_EVM_XPUB=${key}`)).toBeVisible();
  for (const each of [t["setup.step.admin"], t["setup.step.mail"], t["setup.step.bot"]])
    await openStep(page, each);
  await expect(page.getByText(`ADMIN_EMAILS=${adminEmail}`)).toBeVisible();
  await expectFits(page);
  await expectAccessible(page);
});
