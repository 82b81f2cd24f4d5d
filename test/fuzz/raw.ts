// Requests that no client library makes, written to a socket.
import fc from "fast-check";
import type { Answer } from "../kit/shop.ts";
import { talkTo } from "../kit/talk.ts";

/** Ways in which two servers could see another end of a request: none is guessed at. */
export const unclear: readonly (readonly [headers: string, rest: string])[] = [
  ["content-length: 0\r\ncontent-length: 44", ""],
  ["content-length: 4\r\ntransfer-encoding: chunked", "0\r\n\r\n"],
  ["transfer-encoding: chunked\r\ncontent-length: 4", "0\r\n\r\n"],
  ["transfer-encoding: xchunked", ""],
  ["transfer-encoding: chunked, identity", "0\r\n\r\n"],
  ["transfer-encoding: chunked\r\ntransfer-encoding: identity", "0\r\n\r\n"],
  ["content-length : 44", ""],
  ["content-length: +0", ""],
  ["content-length: -1", ""],
  ["content-length: 0x2c", ""],
  ["content-length: 0, 44", ""],
  ["content-length: 99999999999999999999", ""],
  ["content-length:\r\n 44", ""],
  ["x: y\rcontent-length: 44", ""],
  ["x: y\0", ""],
  ["x\0: y", ""],
  [": y", ""],
  ["no colon", ""],
  ["host: other.test", ""],
  ["Host: shop.test", ""],
  ["transfer-encoding: chunked", "0x0\r\n\r\n"],
  ["transfer-encoding: chunked", "-1\r\n\r\n"],
  ["transfer-encoding: chunked", "ffffffffffffffffff\r\n\r\n"],
  ["transfer-encoding: chunked", "0 \r\nx: y\0\r\n\r\n"],
];

/** Headers that change nothing; many of them are too many. */
const plain = fc.array(
  fc.oneof(
    fc.constantFrom(
      "connection: keep-alive",
      "accept: */*",
      "x-forwarded-host: other.test",
      "x: \u00e9",
      "upgrade: h2c",
      "te: trailers",
    ),
    fc.nat(3_000).map((length) => `x-long: ${"x".repeat(length)}`),
  ),
  { maxLength: 6 },
);

export interface RawCase {
  readonly head: readonly string[];
  readonly before: number;
  /** Where the bytes are cut into packets. */
  readonly cuts: readonly number[];
}

export const rawCase: fc.Arbitrary<RawCase> = fc.record({
  head: plain,
  before: fc.nat(2),
  cuts: fc.array(fc.nat(400), { maxLength: 3 }),
});

export interface Hidden {
  readonly port: number;
  /** A request that must not be heard when it comes behind an unclear one. */
  readonly request: string;
}

/** Sends whole requests, an unclear one and a hidden one on one connection; returns what it answers until it ends. */
export async function sendRaw(
  { port, request }: Hidden,
  [headers, rest]: readonly [string, string],
  { head, before, cuts }: RawCase,
): Promise<Answer[]> {
  const talk = talkTo(port);
  const first = "GET /user/balance HTTP/1.1\r\nhost: shop.test\r\n\r\n".repeat(before);
  const bad = ["POST /user/balance HTTP/1.1", "host: shop.test", ...head, headers, "", rest].join("\r\n");
  const bytes = Buffer.from(`${first}${bad}${request}`, "latin1");
  let from = 0;
  for (const cut of cuts.toSorted((a, b) => a - b)) {
    talk.send(bytes.subarray(from, cut));
    from = Math.max(from, cut);
  }
  talk.send(bytes.subarray(from));
  const heard = await talk.bye();
  return [...heard.matchAll(/HTTP\/1\.1 (\d{3}) .*?\r\n\r\n(\{.*?\})(?=HTTP|$)/gs)].map(
    ([, , body = ""]) => JSON.parse(body) as Answer,
  );
}
