import { request } from "node:http";
import { promisify } from "node:util";
import type { LookupAddress } from "node:dns";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NotPublic, type Guard, isPublic, openGuard } from "./webhooks.guard.ts";

const beside = (...named: string[]) => ({ beside: named, ports: [[1, 65_535] as const] });

const strict = openGuard({ beside: [], ports: [] }, async () => {
  throw new Error("no name is resolved in this test");
});

const reach = (guard: Guard, host: string, all = true): Promise<LookupAddress[]> =>
  promisify(guard.lookup)(host, { all }) as unknown as Promise<LookupAddress[]>;

describe("an address of a private or special network is not public", () => {
  test.each([
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.1",
    "100.64.0.1",
    "100.127.255.255",
    "127.0.0.1",
    "127.255.255.254",
    "168.63.129.16",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.1",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.19.255.255",
    "198.51.100.7",
    "203.0.113.9",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::7f00:1",
    "::ffff:127.0.0.1",
    "::ffff:8.8.8.8",
    "::ffff:0:8.8.8.8",
    "64:ff9b::7f00:1",
    "64:ff9b::808:808",
    "64:ff9b:1::1",
    "100::1",
    "2001::1",
    "2001:2::1",
    "2001:10::1",
    "2001:20::1",
    "2001:db8::1",
    "2002:7f00:1::1",
    "2002:808:808::1",
    "3fff::1",
    "4000::1",
    "5f00::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
  ])("%s", (address) => {
    expect(isPublic(address)).toBe(false);
  });
});

test.each([
  "8.8.8.8",
  "1.1.1.1",
  "172.15.0.1",
  "172.32.0.1",
  "100.63.0.1",
  "2606:4700::1111",
  "2a00:1450::5",
])("%s is public", (address) => {
  expect(isPublic(address)).toBe(true);
});

test("no IPv4 address of a private network is public, however it is packed into IPv6", () => {
  const octet = fc.integer({ min: 0, max: 255 });
  const hidden = fc.oneof(
    fc.tuple(fc.constantFrom(10, 127, 0), octet, octet, octet),
    fc.tuple(fc.constant(192), fc.constant(168), octet, octet),
    fc.tuple(fc.constant(169), fc.constant(254), octet, octet),
  );
  fc.assert(
    fc.property(hidden, ([a, b, c, d]) => {
      const [high, low] = [(a * 256 + b).toString(16), (c * 256 + d).toString(16)];
      const packed = ["::", "::ffff:", "::ffff:0:", "64:ff9b::"].map((prefix) => `${prefix}${high}:${low}`);
      const forms = [`${a}.${b}.${c}.${d}`, ...packed, `2002:${high}:${low}::1`];
      return forms.every((form) => !isPublic(form) && strict.accepts(hostIn(form)) === undefined);
    }),
  );
});

const hostIn = (address: string) => `https://${address.includes(":") ? `[${address}]` : address}/`;

describe("what is no https address of a public host is refused when it is entered", () => {
  test.each([
    "",
    "program.example.com",
    "//program.example.com/",
    "http://program.example.com/",
    "ftp://program.example.com/",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "https://",
    "https://user@program.example.com/",
    "https://user:password@program.example.com/",
    "https://localhost/",
    "https://LOCALHOST:8443/",
    "https://intranet/",
    "https://127.0.0.1/",
    "https://127.1/",
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0177.0.0.1/",
    "https://127.0.0.1./",
    "https://①②⑦.⓪.⓪.①/",
    "https://%31%32%37.0.0.1/",
    "https://[::1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:7f00:1]/",
    "https://[0:0:0:0:0:ffff:7f00:0001]/",
    "https://[64:ff9b::127.0.0.1]/",
    "https://[fe80::1%25eth0]/",
    "https://169.254.169.254/latest/meta-data/",
    "https://10.0.0.1:9200/",
    "https://program.example.com:8443/",
    "https://8.8.8.8:22/",
    "https://program.example.com:0/",
  ])("%s", (url) => {
    expect(strict.accepts(url)).toBeUndefined();
  });
});

test.each([
  ["https://program.example.com/letters?key=1#part", "https://program.example.com/letters?key=1"],
  [" https://Program.EXAMPLE.com:443/a b ", "https://program.example.com/a%20b"],
  ["https://program.example.com:80/", "https://program.example.com:80/"],
  ["https://почта.example.com/", "https://xn--80a1acny.example.com/"],
  ["https://8.8.8.8/", "https://8.8.8.8/"],
  ["https://[2606:4700::1111]/", "https://[2606:4700::1111]/"],
])("%s is taken as %s", (url, taken) => {
  expect(strict.accepts(url)?.href).toBe(taken);
});

describe("a name leads only to its public addresses, at the moment of connecting", () => {
  test("a name of a private address is refused", async () => {
    const guard = openGuard({ beside: [], ports: [] }, async () => [
      "127.0.0.1",
      "10.0.0.1",
      "::1",
      "::ffff:8.8.8.8",
    ]);
    await expect(reach(guard, "program.example.com")).rejects.toThrow(NotPublic);
    await expect(reach(guard, "program.example.com", false)).rejects.toThrow(NotPublic);
  });

  test("of mixed addresses only the public ones are left", async () => {
    const guard = openGuard({ beside: [], ports: [] }, async () => [
      "10.0.0.1",
      "8.8.8.8",
      "fd00::1",
      "2606:4700::1111",
    ]);
    expect(await reach(guard, "program.example.com")).toEqual([
      { address: "8.8.8.8", family: 4 },
      { address: "2606:4700::1111", family: 6 },
    ]);
  });

  test("a name that changes between two looks is checked at each", async () => {
    const answers = [["8.8.8.8"], ["127.0.0.1"]];
    const guard = openGuard({ beside: [], ports: [] }, async () => answers.shift() ?? []);
    expect(await reach(guard, "rebinding.example.com")).toEqual([{ address: "8.8.8.8", family: 4 }]);
    await expect(reach(guard, "rebinding.example.com")).rejects.toThrow(NotPublic);
  });

  test("a name without an address leads nowhere", async () => {
    await expect(
      reach(
        openGuard({ beside: [], ports: [] }, async () => []),
        "nobody.example.com",
      ),
    ).rejects.toThrow(NotPublic);
  });

  test("this machine's own name is no way in: the system's list of hosts is not asked", async () => {
    await expect(reach(openGuard({ beside: [], ports: [] }), "localhost")).rejects.toThrow(/localhost/);
  });

  test("a request is given what the guard gives, and nothing else", async () => {
    const guard = openGuard({ beside: [], ports: [] }, async () => ["127.0.0.1"]);
    const failed = await new Promise((done) =>
      request("http://program.example.com:1/", { lookup: guard.lookup }).once("error", done).end(),
    );
    expect(failed).toBeInstanceOf(NotPublic);
  });
});

describe("what the operator names may be sent to beside", () => {
  test("networks, also by http", async () => {
    const guard = openGuard(beside("10.1.0.0/16", "fd00::/8"), async () => [
      "10.1.2.3",
      "10.2.3.4",
      "fd12::1",
    ]);
    expect(guard.accepts("http://10.1.2.3:8080/")?.href).toBe("http://10.1.2.3:8080/");
    expect(guard.accepts("http://[fd12::1]/")?.href).toBe("http://[fd12::1]/");
    expect(guard.accepts("http://10.2.3.4/")).toBeUndefined();
    expect(guard.accepts("https://127.0.0.1/")).toBeUndefined();
    expect(await reach(guard, "program.example.com")).toEqual([
      { address: "10.1.2.3", family: 4 },
      { address: "fd12::1", family: 6 },
    ]);
  });

  test("one address", () => {
    const guard = openGuard(beside("127.0.0.1"));
    expect(guard.accepts("http://127.0.0.1:1/")).toBeDefined();
    expect(guard.accepts("http://127.0.0.2:1/")).toBeUndefined();
  });

  test("a host by its name, as this machine knows it", async () => {
    const guard = openGuard(beside("LocalHost"));
    expect(guard.accepts("http://localhost:1/")).toBeDefined();
    expect((await reach(guard, "localhost")).map(({ address }) => address)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^(127\.0\.0\.1|::1)$/)]),
    );
  });

  test("ports, alone and from one to another; else a host that is named is called at 443 and 80", () => {
    const guard = openGuard({ beside: ["10.1.2.3"], ports: [] });
    expect(["", ":80", ":443"].map((port) => guard.accepts(`http://10.1.2.3${port}/`))).not.toContain(
      undefined,
    );
    expect(guard.accepts("http://10.1.2.3:8080/")).toBeUndefined();
    const wide = openGuard({
      beside: [],
      ports: [
        [8443, 8443],
        [9000, 9010],
      ],
    });
    const taken = [443, 8443, 9000, 9010].map((port) => wide.accepts(`https://program.example.com:${port}/`));
    expect(taken).not.toContain(undefined);
    for (const port of [8442, 8999, 9011])
      expect(wide.accepts(`https://program.example.com:${port}/`)).toBeUndefined();
  });

  test("a public host is still called by https only", () => {
    expect(openGuard(beside("127.0.0.1")).accepts("http://program.example.com/")).toBeUndefined();
  });
});
