// @module-tag slow
// @module-tag full
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { confirmations, evmWallet, lag, startEvmChain } from "../../../../../test/kit/evmchain.ts";
import { outboxCode } from "../../../../../test/kit/outbox.ts";
import { freePort } from "../../../../../test/kit/port.ts";
import { shopProcess, type } from "../../../../../test/kit/process.ts";

type Answer = Record<string, unknown> & { data?: { balance?: string } };

test("a shop that is killed between sighting and credit credits once, and agrees with its books", async () => {
  const chain = await startEvmChain();
  onTestFinished(() => chain.remove());
  const dataDir = await mkdtemp(join(tmpdir(), "postern-evm-"));
  const place = { port: await freePort(), smtpPort: await freePort(), dataDir };
  const wallet = evmWallet();
  const shop = shopProcess(place, {
    CAPTCHA: "off",
    WALLET_EVM_XPUB: wallet.key,
    WALLET_EVM_FIRST: wallet.first,
    CHAIN_ETH_URLS: chain.url,
    CHAIN_ETH_ID: String(chain.chainId),
    CHAIN_ETH_USDT: chain.dollars.ethereum,
    CHAIN_ETH_CONFIRMATIONS: String(confirmations),
    CHAIN_ETH_POLL_S: "1",
    RATES: "fixed:eth=2000,usdt=1",
  });
  onTestFinished(() => shop.remove());
  await shop.start();

  const call = async (path: string, fields: Record<string, string>, method = "GET"): Promise<Answer> => {
    const body = new URLSearchParams(fields);
    const whole = method === "GET" ? `${shop.url}${path}?${body}` : shop.url + path;
    return (await (await fetch(whole, method === "GET" ? {} : { method, body })).json()) as Answer;
  };
  const email = "ann@example.com";
  const form = { email, password: "correct horse", localization: "en", recaptcha: "off" };
  const token = String((await call("/user/registration", form, "POST"))["token"]);
  await call("/user/activate", { token, code: await outboxCode(dataDir, email) }, "POST");
  const ask = async (currency: string) => {
    const create = () => call("/payments/create", { token, wallet: currency, amount: "100" });
    const { id } = await vi.waitUntil(
      async () => {
        const made = await create();
        return made["status"] === "success" && made;
      },
      { timeout: 60_000, interval: 200 },
    );
    const status = () => call("/payments/status", { token, id: String(id) });
    return { status, address: String((await status())["wallet"]) };
  };
  const balance = async () => Number((await call("/user/information", { token })).data?.balance);
  const until = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 60_000, interval: 100 });

  const [dollars, ether] = [await ask("erc"), await ask("eth")];
  await chain.send(chain.dollars.ethereum, dollars.address, 100_000_000n);
  await chain.pay(ether.address, 5n * 10n ** 16n);
  await chain.mine(1 + lag);
  for (const { status } of [dollars, ether])
    await until(async () => expect(await status()).toMatchObject({ state: "confirming", payment_status: 0 }));
  await shop.kill("program and database");
  await chain.mine(confirmations);
  await shop.start();
  for (const { status } of [dollars, ether])
    await until(async () => expect(await status()).toMatchObject({ payment_status: 1 }));
  expect(await balance()).toBe(200);

  await shop.kill("program");
  await chain.send(chain.dollars.ethereum, dollars.address, 50_000_000n);
  await chain.mine(confirmations + lag);
  await shop.start();
  await until(async () => expect(await balance()).toBe(250));
  const audit = await type(place, "src/server/shop.ts", "audit", "--json");
  expect(JSON.parse(audit)).toMatchObject({ holds: true });
}, 240_000);
