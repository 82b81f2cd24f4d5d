import { X509Certificate, createPrivateKey } from "node:crypto";
import { expect, test } from "vitest";
import { certificateFor } from "./certificate.ts";
import { now } from "./clock.ts";

test("a certificate is for its name, of its key, signed by itself, and valid now for years", () => {
  const { key, cert } = certificateFor("mx.letters.test");
  const read = new X509Certificate(cert);
  expect(read.checkHost("mx.letters.test")).toBe("mx.letters.test");
  expect(read.checkHost("other.test")).toBeUndefined();
  expect(read.checkPrivateKey(createPrivateKey(key))).toBe(true);
  expect(read.verify(read.publicKey)).toBe(true);
  expect(read.ca).toBe(true);
  expect(read.validFromDate < now()).toBe(true);
  expect(read.validToDate.getUTCFullYear() - now().getUTCFullYear()).toBeGreaterThanOrEqual(9);
});

test.each([
  ["2020-02-29T23:59:59.000Z", "2049-12-31T23:59:59.000Z"],
  ["2049-12-31T23:59:59.000Z", "2050-01-01T00:00:00.000Z"],
  ["2050-01-01T00:00:00.000Z", "2107-06-05T04:03:02.000Z"],
])(
  "a certificate is valid from %s until %s, on either side of where the form of dates changes",
  (from, until) => {
    const { cert } = certificateFor("mx.letters.test", { from: new Date(from), until: new Date(until) });
    const read = new X509Certificate(cert);
    expect([read.validFromDate.toISOString(), read.validToDate.toISOString()]).toEqual([from, until]);
  },
);

test("no two certificates have the same key or number", () => {
  const [one, two] = [certificateFor("a.test"), certificateFor("a.test")];
  expect(one.key).not.toBe(two.key);
  expect(new X509Certificate(one.cert).serialNumber).not.toBe(new X509Certificate(two.cert).serialNumber);
});
