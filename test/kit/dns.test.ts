import { Resolver } from "node:dns/promises";
import { expect, onTestFinished, test } from "vitest";
import { openNameServer } from "./dns.ts";

test("what a test says is what is answered, also when it is long; the rest does not exist, fails or is not heard", async () => {
  const long = "x".repeat(5_000);
  const server = await openNameServer({
    "a.test": {
      A: ["192.0.2.1"],
      AAAA: ["2001:db8:0:0:0:0:0:1"],
      TXT: ["one", long],
      MX: [[10, "mx.a.test"]],
    },
    "broken.test": "broken",
    "1.2.0.192.in-addr.arpa": { PTR: ["a.test"] },
  });
  onTestFinished(() => server.stop());
  const resolver = new Resolver({ timeout: 10_000, tries: 1 });
  resolver.setServers([server.address]);
  expect(await resolver.resolve4("a.test")).toEqual(["192.0.2.1"]);
  expect(await resolver.resolve6("a.test")).toEqual(["2001:db8::1"]);
  const texts = await resolver.resolveTxt("a.test");
  expect(texts.map((parts) => parts.join(""))).toEqual(["one", long]);
  expect(await resolver.resolveMx("a.test")).toMatchObject([{ priority: 10, exchange: "mx.a.test" }]);
  expect(await resolver.resolve("1.2.0.192.in-addr.arpa", "PTR")).toEqual(["a.test"]);
  await expect(resolver.resolveTxt("none.test")).rejects.toMatchObject({ code: "ENOTFOUND" });
  await expect(resolver.resolveTxt("1.2.0.192.in-addr.arpa")).rejects.toMatchObject({ code: "ENODATA" });
  await expect(resolver.resolveTxt("broken.test")).rejects.toMatchObject({ code: "ESERVFAIL" });
  server.isSilent = true;
  const hasty = new Resolver({ timeout: 100, tries: 1 });
  hasty.setServers([server.address]);
  await expect(hasty.resolve4("a.test")).rejects.toMatchObject({ code: "ETIMEOUT" });
  expect(server.asked).toContain("MX a.test");
});
