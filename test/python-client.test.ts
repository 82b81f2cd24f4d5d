// @module-tag full
// clients/python/postern.py with the system's Python, against a shop.
import { execFile } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { guarded } from "./kit/guard.ts";
import { found } from "./kit/programs.ts";
import { startShop, type TestShop } from "./kit/shop.ts";
import { soon } from "./kit/soon.ts";

const python = found("python3");
const run = promisify(execFile);
const folder = fileURLToPath(new URL("../clients/python", import.meta.url));

let shop: TestShop;
let token: string;
beforeAll(async () => {
  shop = await startShop();
  token = await shop.buyer();
});
afterAll(() => shop.stop());

async function say(lines: string, url = shop.url): Promise<string[]> {
  const env = { ...guarded(), PATH: process.env["PATH"] ?? "", PYTHONDONTWRITEBYTECODE: "1" };
  const program = `from postern import Postern, PosternError\n${lines}`;
  const options = { cwd: folder, env: { ...env, POSTERN_URL: url, POSTERN_TOKEN: token } };
  return (await run(python ?? "", ["-c", program], options)).stdout.trim().split("\n");
}

describe.skipIf(!python)(`the Python client ${python ? "" : "SKIPPED: there is no python3 here"}`, () => {
  test("orders an address, waits for its letter and has its code", async () => {
    const printed = say(
      `shop = Postern()
print([(offer.domain, offer.price) for offer in shop.offers("instagram.com")][0])
order = shop.order("instagram.com", ["letters.test"])
letter = order.wait_for_letter(timeout=60)
order.choose_code(letter.code)
print(letter.code, order.email, letter.code_confidence, letter.code_candidates)`,
    );
    const email = () => shop.db<{ email: string }[]>`select m.local_part || '@' || d.name as email
      from orders o join mailbox m on m.id = o.mailbox_id join mail_domain d on d.id = m.domain_id where o.status = 'pending'`;
    const [ordered] = await vi.waitFor(async () => {
      const rows = await email();
      expect(rows).toHaveLength(1);
      return rows;
    }, soon);
    const to = ordered?.email ?? "";
    await shop.send({
      to,
      from: "no-reply@instagram.com",
      subject: "Your code",
      text: "Your code is 493817",
    });
    const lines = await printed;
    expect(lines[0]).toMatch(/^\('[a-z.]+', [0-9.]+\)$/);
    expect(lines[1]).toBe(`493817 ${to} sure ()`);
  });

  test("cancels, orders once under one id, and says refusals in values", async () => {
    const lines = await say(
      `shop = Postern()
before = shop.balance()
first = shop.order("instagram.com", "letters.test", client_order_id="once")
again = shop.order("instagram.com", "letters.test", client_order_id="once")
print(first.id == again.id, first.letter())
try: first.wait_for_letter(timeout=0)
except PosternError as error: print(error.value)
first.cancel()
print(shop.balance() == before)
try: first.wait_for_letter(timeout=5)
except PosternError as error: print(error.value)
try: shop.order("instagram.com", "nowhere.test")
except PosternError as error: print(error.value, "|", error)`,
    );
    expect(lines).toEqual([
      "True None",
      "wait message",
      "True",
      "activation canceled",
      expect.stringMatching(/^domain \| domain: /),
    ]);
  });

  test("repeats a read whose answer was lost, and says so when the shop does not answer", async () => {
    let calls = 0;
    const server = createServer((request, response) => {
      calls += 1;
      expect(request.url).not.toContain(token);
      if (calls === 1) return void request.socket.destroy();
      response.end(JSON.stringify({ status: "success", balance: "1.5" }));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await say("print(Postern().balance())", url)).toEqual(["1.5"]);
    expect(calls).toBe(2);
    const closed = "http://127.0.0.1:1";
    const lines = await say(
      "try: Postern(retries=0).balance()\nexcept PosternError as error: print(error.value)",
      closed,
    );
    expect(lines).toEqual(["connection"]);
  });
});
