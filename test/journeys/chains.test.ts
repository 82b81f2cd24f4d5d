// @module-tag slow
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { emptyChainWallet as wallet, openEmptyChain } from "../kit/emptyChain.ts";
import { guarded } from "../kit/guard.ts";
import { freePort } from "../kit/port.ts";
import { startShop, type TestShop } from "../kit/shop.ts";

const program = fileURLToPath(new URL("../../src/server/shop.ts", import.meta.url));

function command(shop: TestShop, settings: Record<string, string>, ...words: string[]): Promise<string> {
  const env = {
    PATH: process.env["PATH"] ?? "",
    ...guarded(),
    DATABASE_URL: shop.databaseUrl,
    SECRET_KEY: "ef494d78e3f38f737d28cc5f0ffe2a4af3044c29f3a096309e48b2dcdbe23602",
    DEMO: "true",
    ...settings,
  };
  return new Promise((done, failed) => {
    execFile(process.execPath, [program, ...words], { env }, (fault, out) =>
      fault ? failed(new Error(fault.message)) : done(out),
    );
  });
}

test(
  "the operator sees how each chain is doing, in every way; a chain that is down does not end the sale",
  { tags: ["full"] },
  async () => {
    const { host: node } = await openEmptyChain(2_900_000);
    const dead = `127.0.0.1:${await freePort()}`;
    const settings = {
      ...wallet,
      CHAIN_LTC_URLS: `http://shop:sesame@${dead}/secret,http://${node}`,
      CHAIN_LTC_POLL_S: "1",
      RATES: "fixed:ltc=80",
    };
    const shop = await startShop({ ...settings, LOG_LEVEL: "silent" });
    onTestFinished(() => shop.stop());
    const admin = await shop.member("admin@example.com");
    const chains = async () => {
      const { data } = await shop.get("/api/admin/chains", { token: admin });
      return (data as { chain: string }[]).find(({ chain }) => chain === "litecoin");
    };
    await expect.poll(chains).toMatchObject({
      on_sale: true,
      height: 2_900_000,
      blocks_behind: 0,
      lag_seconds: expect.any(Number),
      looked_at: expect.any(Number),
      nodes: [
        { name: dead, in_use: false, trouble: expect.stringContaining("does not answer") },
        { name: node, in_use: true, height: 2_900_000 },
      ],
      undecided: [],
      credited: "0.0",
      takings: [],
    });
    const metrics = await (await fetch(`${shop.url}/metrics`)).text();
    expect(metrics).toMatch(/^postern_chain_height\{chain="litecoin"\} 2900000$/m);
    expect(metrics).toMatch(/^postern_chain_lag_seconds\{chain="litecoin"\} \d+$/m);
    expect(metrics).toMatch(/^postern_chain_failing\{chain="litecoin"\} 0$/m);
    const token = await shop.member();
    expect(await shop.get("/api/admin/chains", { token })).toMatchObject({ value: "no access" });
    const made = await shop.get("/payments/create", { token, wallet: "ltc", amount: "5" });
    expect(made).toMatchObject({ status: "success" });
    expect(await (await fetch(`${shop.url}/metrics`)).text()).toMatch(
      /^postern_payments\{chain="litecoin",state="awaiting"\} 1$/m,
    );
    const listed = await command(shop, settings, "chains", "list");
    expect(listed).toMatch(new RegExp(`^litecoin +yes +2,900,000 +\\d+ s +0 .* ${node} +1 `, "m"));
    expect(listed).toMatch(/^ethereum +no /m);
    const told = [
      listed,
      await command(shop, settings, "chains", "list", "--json"),
      JSON.stringify(await chains()),
    ];
    for (const text of told) expect(text).not.toMatch(/sesame|secret/);
    expect(JSON.parse(told[1] ?? "")).toContainEqual(
      expect.objectContaining({ chain: "litecoin", undecided: { awaiting: 1 } }),
    );
    expect(await command(shop, settings, "payments", "reconcile")).toMatch(/^litecoin +1 +1 +1 +0 *$/m);
    expect(await (await fetch(`${shop.url}/metrics`)).text()).toMatch(
      /^postern_chain_unexplained\{chain="litecoin"\} 0$/m,
    );
    expect(await command(shop, settings, "audit")).toMatch(/reconciled .* litecoin 20\d\d-/);
    expect(await command(shop, settings, "payments", "list", "--look")).toBe("There is nothing to review.\n");
  },
);

test("while no node of a chain answers the shop is ready and says what is wrong", async () => {
  const dead = `127.0.0.1:${await freePort()}`;
  const settings = {
    ...wallet,
    CHAIN_LTC_URLS: `http://${dead}`,
    CHAIN_LTC_POLL_S: "1",
    RATES: "fixed:ltc=80",
  };
  const shop = await startShop({ ...settings, LOG_LEVEL: "silent" });
  onTestFinished(() => shop.stop());
  const metrics = async () => (await fetch(`${shop.url}/metrics`)).text();
  await expect.poll(metrics).toMatch(/^postern_chain_failures_total\{chain="litecoin"\} [1-9]\d*$/m);
  expect(await metrics()).toMatch(/^postern_chain_failing\{chain="litecoin"\} 1$/m);
  expect((await fetch(`${shop.url}/readyz`)).status).toBe(200);
  const listed = await command(shop, settings, "chains", "list");
  expect(listed).toMatch(
    /^litecoin cannot be read since .* no node answers \(127\.0\.0\.1:\d+: it does not answer/m,
  );
});
