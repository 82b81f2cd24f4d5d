import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { talkTo } from "../../test/kit/talk.ts";
import { balance, sendNewCode } from "../contract/users.ts";
import { createHttp } from "./http.ts";
import { answer } from "./kit/answer.ts";
import { readConfig } from "./kit/config.ts";
import { createLog } from "./kit/log.ts";

const patienceSeconds = 0.3;
let app: FastifyInstance;
beforeAll(async () => {
  app = await createHttp({
    config: readConfig({ DEMO: "true" }),
    log: createLog("silent"),
    routes: [
      answer(balance, async () => ({ balance: "1.0" })),
      answer(sendNewCode, async () => {
        throw new Error("ours");
      }),
    ],
    edge: {
      callerOf: async () => ({ userId: 1n, active: true, admin: false, investor: false, token: "x" }),
      admit: async () => undefined,
    },
    patienceSeconds,
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(() => app.close());

const field = '--b\r\nContent-Disposition: form-data; name="token"\r\n\r\nx\r\n';

async function post(type: string, payload: string) {
  const response = await app.inject({
    method: "POST",
    url: sendNewCode.path,
    headers: { "content-type": type },
    payload,
  });
  return [response.statusCode, response.json<{ value: string }>().value];
}

test("a form that is broken is the client's error, and a fault of ours stays ours", async () => {
  expect(await post("multipart/form-data", field)).toEqual([200, "request"]);
  expect(await post("multipart/form-data; boundary=b", field)).toEqual([200, "request"]);
  expect(await post("multipart/form-data; boundary=b", `${field}--b--\r\n`)).toEqual([500, "server"]);
});

test("an address that cannot be read is answered in the envelope, for any origin", async () => {
  const response = await app.inject({ url: `${balance.path}/%zz` });
  expect(response.statusCode).toBe(404);
  expect(response.headers).toMatchObject({
    "content-type": "application/json",
    "access-control-allow-origin": "*",
  });
  expect(response.json()).toMatchObject({ status: "error", value: "not found" });
});

test.each([
  ["half of a form", `POST ${sendNewCode.path}`, "content-length: 100", "token="],
  ["a form in pieces", `POST ${sendNewCode.path}`, "transfer-encoding: chunked", "6\r\ntoken=\r\n"],
  ["a body that nobody reads", `GET ${balance.path}`, "content-length: 100", "token="],
  ["a body for no call at all", "POST /nowhere", "content-length: 100", "token="],
])("%s that never ends is hung up on", async (_what, head, length, body) => {
  const talk = talkTo((app.server.address() as AddressInfo).port);
  const type = "content-type: application/x-www-form-urlencoded";
  talk.send(`${head} HTTP/1.1\r\nhost: shop.test\r\n${type}\r\n${length}\r\n\r\n${body}`);
  await talk.bye();
});
