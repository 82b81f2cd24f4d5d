import { randomBytes, randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HDKey, hdKeyToAccount } from "viem/accounts";
import { balance, exactPrice } from "../../src/web/format.ts";
import { type Anvil, startAnvil } from "../kit/anvil.ts";
import { freePort } from "../kit/port.ts";
import { type ShopProcess, shopProcess } from "../kit/process.ts";
import { enter, newBuyer } from "./buyer.ts";
import { expect, expectAccessible, test } from "./fixtures.ts";
import { texts, walked } from "./visitor.ts";

test.describe.configure({ mode: "default" });
const shopPlace = {
  port: await freePort(),
  smtpPort: await freePort(),
  dataDir: join(tmpdir(), `postern-topup-${randomUUID()}`),
};
test.use({ baseURL: `http://127.0.0.1:${shopPlace.port}` });

let chain: Anvil;
let shop: ShopProcess;

test.beforeAll(async () => {
  test.setTimeout(180_000);
  chain = await startAnvil();
  const dollars = await chain.deploy("Dollars", 6);
  const wallet = HDKey.fromMasterSeed(randomBytes(32));
  shop = shopProcess(shopPlace, {
    WALLET_EVM_XPUB: wallet.derive("m/44'/60'/0'").publicExtendedKey,
    WALLET_EVM_FIRST: hdKeyToAccount(wallet).address,
    CHAIN_ETH_URLS: chain.url,
    CHAIN_ETH_ID: String(chain.chainId),
    CHAIN_ETH_USDT: dollars,
    CHAIN_ETH_CONFIRMATIONS: "6",
    CHAIN_ETH_POLL_S: "1",
    RATES: "fixed:eth=3000",
  });
  await shop.start();
});
test.afterAll(async () => {
  await shop.remove();
  await chain.remove();
});

for (const language of walked) {
  test(
    `coins that are sent on a chain are seen, counted, and on the balance, without a reload (${language})`,
    { tag: language === "en" ? [] : "@full" },
    async ({ page, context, request }) => {
      test.setTimeout(240_000);
      const t = texts[language];
      await enter(page, await newBuyer(request, "0", shopPlace));
      await page.goto(`/${language}/dashboard`);
      await expect(page.getByText(balance(language, "0")).first()).toBeVisible();
      await page.getByRole("button", { name: t["topup.open"] }).first().click();
      const dialog = page.getByRole("dialog", { name: t["topup.title"] });
      await expect(dialog.getByRole("radio", { name: "Litecoin" })).toBeDisabled();
      await dialog.getByLabel(t["topup.amount"]).fill("30");
      await dialog.getByRole("radio", { name: "Ethereum ETH", exact: true }).check();
      // By the gas price of the node: 2 gwei or so for 21,000 of gas.
      await expect(dialog.getByRole("radio", { checked: true }).last()).toHaveAccessibleName(/\$[\s\S]* · /);
      const opening = context.waitForEvent("page");
      await dialog.getByRole("button", { name: t["topup.do"] }).click();
      const tab = await opening;
      const status = (text: string) => tab.getByRole("status").filter({ hasText: text });
      await expect(status(t["pay.status.pending"])).toBeVisible();
      await expect(tab.getByText("0.010000 ETH")).toBeVisible();
      for (const each of [page, tab]) await each.evaluate(() => Object.assign(window, { isOld: true }));

      // Pays the request of the link.
      const link = await tab.getByRole("link", { name: t["pay.open"] }).getAttribute("href");
      const [, to = "", on, value = ""] = /^ethereum:(0x\w{40})@(\d+)\?value=(\d+)$/.exec(link ?? "") ?? [];
      await expect(tab.getByText(to)).toBeVisible();
      expect([Number(on), value]).toEqual([chain.chainId, "10000000000000000"]);
      await chain.pay(to, BigInt(value));
      const depth = (now: number) =>
        t["pay.transfer.depth"].replace("{now}", String(now)).replace("{wanted}", "6");
      // The newest two blocks are read later, as one node may lag.
      await chain.mine(3);
      await expect(status(t["pay.status.confirming"])).toBeVisible({ timeout: 60_000 });
      await expect(tab.getByRole("progressbar", { name: depth(3) })).toBeVisible();
      await expect(tab.getByText(t["pay.amount"], { exact: true })).toBeHidden();
      await expectAccessible(tab);
      await chain.mine(2);
      await expect(tab.getByRole("progressbar", { name: depth(5) })).toBeVisible({ timeout: 60_000 });
      await chain.mine(1);
      await expect(status(t["pay.status.confirmed"])).toBeVisible({ timeout: 60_000 });
      await expect(tab.getByText(exactPrice(language, "30"), { exact: true })).toBeVisible();
      await expect(page.getByText(balance(language, "30")).first()).toBeVisible({ timeout: 60_000 });
      for (const each of [page, tab])
        expect(await each.evaluate(() => (window as { isOld?: boolean }).isOld)).toBe(true);
    },
  );
}
