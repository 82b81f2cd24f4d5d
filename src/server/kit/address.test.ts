import { expect, test } from "vitest";
import { isLoopback, isLoopbackHost, plainAddress } from "./address.ts";

test.each(["127.0.0.1", "127.8.9.10", "::1", "::ffff:127.0.0.1", "::FFFF:127.0.0.1"])(
  "%s is this machine",
  (address) => {
    expect(isLoopback(address)).toBe(true);
  },
);

test.each(["", "127.evil.example", "127.", "::ffff:198.51.100.7", "198.51.100.7", "::2", "localhost"])(
  "%j is no address of this machine",
  (address) => {
    expect(isLoopback(address)).toBe(false);
  },
);

test("a host may also be written by name, but only by the one that is safe", () => {
  expect(["localhost", "127.0.0.1", "::1"].every(isLoopbackHost)).toBe(true);
  expect(["127.evil.example", "localhost.evil.example", "0.0.0.0"].some(isLoopbackHost)).toBe(false);
});

test("an IPv4 client of an IPv6 socket is written as itself, others stay as they are", () => {
  expect(plainAddress("::ffff:198.51.100.7")).toBe("198.51.100.7");
  expect(plainAddress("::ffff:0:1")).toBe("::ffff:0:1");
});
