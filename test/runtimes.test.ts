// @module-tag full
// The packed client on other runtimes than Node.js, where the machine has them.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { installClient, type PackedClient } from "./kit/packed.ts";
import { found } from "./kit/programs.ts";
import { startShop, type TestShop } from "./kit/shop.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 });

const program = `import process from "node:process";
import { Postern, PosternError } from "postern-client";

const { POSTERN_URL: url, POSTERN_TOKEN: token } = process.env;
const postern = new Postern({ url, token });
const wanted = { site: "sandbox-ok", domain: "letters.test" };
const order = await postern.order(wanted);
console.log((await order.waitForLetter({ timeoutSeconds: 60 })).code);

const waiting = await postern.order({ ...wanted, site: "sandbox-never" });
const refused = await waiting.waitForLetter({ timeoutSeconds: 0 }).catch((error) => error);
console.log(refused instanceof PosternError, refused.value);
const stop = new AbortController();
const aborted = waiting.waitForLetter({ signal: stop.signal }).catch((error) => error);
stop.abort(new Error("mine"));
console.log((await aborted).message);
await waiting.cancel();
console.log((await waiting.waitForLetter().catch((error) => error)).value);

let next;
for await (const event of postern.events({ after: "0" })) {
  next ??= postern.order(wanted);
  if (event.name !== "letter") continue;
  console.log(event.data.code);
  break;
}
const quiet = new Postern({ url: "http://127.0.0.1:1", token, retries: 0 });
console.log((await quiet.balance().catch((error) => error)).value);
`;

const runtimes = [
  { name: "deno", words: ["run", "--allow-net", "--allow-env"] },
  { name: "bun", words: ["run"] },
].map((runtime) => ({ ...runtime, path: found(runtime.name) }));

let client: PackedClient;
let shop: TestShop;
beforeAll(async () => {
  if (runtimes.every(({ path }) => path === undefined)) return;
  client = await installClient();
  writeFileSync(join(client.program, "program.js"), program);
  shop = await startShop();
});
afterAll(async () => {
  await shop?.stop();
  client?.remove();
});

for (const { name, words, path } of runtimes)
  describe.skipIf(!path)(`the client on ${name} ${path ? "" : `SKIPPED: there is no ${name} here`}`, () => {
    test("orders, waits, is refused, aborts, cancels and follows the stream", async () => {
      const environment = { POSTERN_URL: shop.url, POSTERN_TOKEN: await shop.buyer() };
      const said = await client.run(environment, path ?? "", ...words, "program.js");
      expect(said.trim().split("\n")).toEqual([
        "482915",
        "true wait message",
        "mine",
        "activation canceled",
        "482915",
        "connection",
      ]);
    });
  });
