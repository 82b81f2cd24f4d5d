import fc from "fast-check";
import { expect, test } from "vitest";
import {
  isLocal,
  isLoopback,
  isLoopbackHost,
  networkOf,
  networksOf,
  plainAddress,
} from "./network-address.ts";

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

test.each([
  "127.0.0.1",
  "::ffff:127.0.0.1",
  "10.1.2.3",
  "172.17.0.1",
  "192.168.1.1",
  "100.64.0.9",
  "169.254.1.1",
  "fe80::1",
  "fd00::1",
  "::1",
  "",
  "nobody",
])("who is behind %j cannot be told", (address) => {
  expect(isLocal(address)).toBe(true);
});

test.each(["198.51.100.7", "::ffff:203.0.113.9", "8.8.8.8", "2001:db8::1", "2a00:1450::1"])(
  "who is behind %s can be told from others",
  (address) => {
    expect(isLocal(address)).toBe(false);
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

test.each([
  ["198.51.100.7", "198.51.100.7"],
  ["::ffff:198.51.100.7", "198.51.100.7"],
  ["2001:DB8:0:1:2:3:4:5", "2001:db8:0:1"],
  ["2001:db8::1", "2001:db8:0:0"],
  ["2001:0db8:0000:0001::", "2001:db8:0:1"],
  ["::1:2:3:4:5", "0:0:0:1"],
  ["64:ff9b::198.51.100.7", "64:ff9b:0:0"],
  ["fe80::1%eth0", "fe80:0:0:0"],
])("%s counts as %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test("addresses of one /64 count as one, however they are written, and those of two as two", () => {
  const group = fc.integer({ min: 0, max: 0xffff });
  const four = fc.tuple(group, group, group, group);
  // Begins with 1, so that no address maps an IPv4 one.
  const written = (net: number[], host: number[]) =>
    [0x1000 + (net[0]! & 0xfff), ...net.slice(1), ...host].map((part) => part.toString(16)).join(":");
  const short = (address: string) => new URL(`http://[${address}]`).hostname.slice(1, -1);
  fc.assert(
    fc.property(four, four, four, (net, one, two) => {
      expect(networkOf(short(written(net, one)))).toBe(networkOf(written(net, two)));
      const other = [net[0]!, net[1]!, net[2]!, net[3]! ^ 1];
      expect(networkOf(short(written(other, one)))).not.toBe(networkOf(written(net, one)));
    }),
  );
});

test("an address of IPv6 is counted in its /64, /56 and /48, each wider one with a higher limit", () => {
  expect(networksOf("2001:db8:1:23ff::7")).toEqual([
    { network: "2001:db8:1:23ff", times: 1 },
    { network: "2001:db8:1:2300/56", times: 4 },
    { network: "2001:db8:1/48", times: 16 },
  ]);
  expect(networksOf("::ffff:198.51.100.7")).toEqual([{ network: "198.51.100.7", times: 1 }]);
});
