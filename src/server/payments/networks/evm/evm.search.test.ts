// @module-tag full
// What a reading missed is found by the balance of the address, whatever the node refused or hid meanwhile.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Mirror, openMirror, Refusal } from "../../../../../test/kit/mirror.ts";
import { askEvm, openEvmTill } from "../../../../../test/kit/evm.ts";
import { coins, type EvmChain, type Kind, kinds, startEvmChain } from "../../../../../test/kit/evmchain.ts";
import { broken, see } from "../../../../../test/kit/till.ts";
import { usd } from "../../../platform/money.ts";
import { graceSeconds } from "../../payments.terms.ts";
import { NodeTrouble } from "../nodes/nodes.ts";

let chain: EvmChain;
beforeAll(async () => {
  chain = await startEvmChain();
});
afterAll(() => chain.remove());

let mirror: Mirror;
beforeEach(async () => {
  mirror = await openMirror(chain);
  return () => mirror.close();
});

const ttlSeconds = 60;
const end = ttlSeconds + graceSeconds + 100;
const never = new AbortController().signal;

describe.each(kinds)("on $name", (kind: Kind) => {
  const { hundred } = kind;
  const token = () => chain.dollars[kind.name];
  const till = () => openEvmTill(chain, kind, { ttlSeconds, urls: [mirror.url] });

  test.each([
    ["a rate limit", -32_005, "rate limited"],
    ["a header that one machine lacks", -32_000, "header not found"],
  ])(
    "half and half by a contract is credited in full although %s refused a balance",
    async (_why, code, says) => {
      const { payments, balance, settle, pass, later } = await till();
      const { id, address } = await askEvm(payments, kind.coin);
      const pay = () =>
        chain.call(chain.payer, "Payer", "pay", [[address], coins(50n, kind)], coins(50n, kind));
      await pay();
      await settle();
      await settle();
      expect(await see(payments, id)).toMatchObject({ state: "underpaid" });
      let refused = 0;
      mirror.change = ({ method, params: [call] }) => {
        const isBalance = method === "eth_call" && (call as { to?: string }).to === undefined;
        return isBalance && refused++ === 0 ? new Refusal(code, says) : undefined;
      };
      await pay();
      await pass(3).catch(() => undefined);
      expect(refused).toBeGreaterThan(0);
      mirror.change = undefined;
      later(end);
      await settle();
      await settle();
      later(60);
      await settle();
      expect(await see(payments, id)).toMatchObject({ state: "credited", credited: usd("100") });
      expect(await balance()).toBe(usd("100"));
      expect(await broken(payments)).toEqual([]);
    },
  );

  test("a half of the token that came while the node showed no events for ninety blocks is credited", async () => {
    const { payments, balance, settle, pass, later } = await till();
    const { id, address } = await askEvm(payments, kind.token);
    await chain.send(token(), address, hundred / 2n);
    await settle();
    mirror.change = ({ method }) => (method === "eth_getLogs" ? [] : undefined);
    await chain.send(token(), address, hundred / 2n);
    for (let blocks = 0; blocks < 90; blocks += 10) await pass(10);
    mirror.change = undefined;
    await pass(10);
    expect(await see(payments, id)).toMatchObject({ state: "underpaid" });
    later(end);
    await settle();
    await settle();
    expect(await see(payments, id)).toMatchObject({ state: "credited", credited: usd("100") });
    expect(await balance()).toBe(usd("100"));
    expect(await broken(payments)).toEqual([]);
  });

  test("what came by a contract and the node has forgotten is under review with its sum", async () => {
    const { payments, balance, settle, later } = await till();
    const { id, address } = await askEvm(payments, kind.coin);
    await settle();
    mirror.change = ({ method, params: [, moment] }) =>
      method === "eth_call" && typeof moment === "object"
        ? new Refusal(-32_000, "missing trie node")
        : undefined;
    await chain.call(chain.payer, "Payer", "pay", [[address], coins(50n, kind)], coins(50n, kind));
    await settle().catch(() => undefined);
    later(end);
    await settle();
    later(300);
    await settle();
    expect(await see(payments, id)).toMatchObject({ state: "review" });
    expect((await payments.history(id)).at(-1)).toMatchObject({ detail: { why: "unseen", of: kind.coin } });
    expect(await balance()).toBe(0n);
  });

  test("what six hundred addresses hold of the coin and of the token is four calls", async () => {
    const { network } = await till();
    const prefix = kind.name === "bsc" ? "b" : "e";
    const place = (n: number) => `0x${prefix.repeat(20)}${n.toString(16).padStart(20, "0")}`;
    const places = Array.from({ length: 600 }, (_, n) => place(n));
    await chain.send(token(), place(0), hundred);
    await chain.send(token(), place(299), 7n);
    await chain.send(token(), place(599), 2n ** 70n);
    await chain.pay(place(300), 5n);
    await chain.mine();
    const before = mirror.calls.length;
    const tokens = await network.balances?.(kind.token, places, never);
    const own = await network.balances?.(kind.coin, places, never);
    const expected = new Map([
      [0, hundred],
      [299, 7n],
      [599, 2n ** 70n],
    ]);
    expect(tokens).toEqual(places.map((_, n) => expected.get(n) ?? 0n));
    expect(own).toEqual(places.map((_, n) => (n === 300 ? 5n : 0n)));
    const calls = mirror.calls.slice(before).filter(({ method }) => method === "eth_call");
    expect(calls).toHaveLength(4);
  });

  test("ten thousand addresses are compared with a hundred calls", async () => {
    const { db, payments } = await till();
    const { id, address } = await askEvm(payments, kind.token);
    await db`insert into payment (user_id, currency, chain, usd, due, rate, rate_source, family, address_index, address, canonical,
               created_at, expires_at, state)
             select 7, currency, chain, usd, due, rate, rate_source, family, n, '0x' || lpad(to_hex(n), 40, '0'),
               '0x' || lpad(to_hex(n), 40, '0'), created_at, expires_at, 'expired'
             from payment, generate_series(1001, 10999) n`;
    await chain.send(token(), address, hundred);
    await chain.mine(4);
    const before = mirror.calls.length;
    expect(await payments.reconcile()).toMatchObject([
      { addresses: 10_000n, asked: 20_000n, explained: 20_000n, unexplained: 0n },
    ]);
    const asked = mirror.calls.slice(before).filter(({ method }) => method === "eth_call");
    // Three for each five hundred, and two of the search for the transfer.
    expect(asked).toHaveLength(62);
    // The newest block twice for each five hundred, and the rest of the search.
    expect(mirror.calls.length - before).toBeLessThan(140);
    expect(await see(payments, id)).toMatchObject({ received: "100" });
  });

  test("an address without the token's contract is trouble and no balance of nothing", async () => {
    const wrong = { ...chain, dollars: { ...chain.dollars, [kind.name]: `0x${"1".repeat(40)}` as const } };
    const { network } = await openEvmTill(wrong, kind, { isNew: true });
    await expect(network.balances?.(kind.token, [`0x${"2".repeat(40)}`], never)).rejects.toThrow(NodeTrouble);
  });
});
