import { expect, test } from "vitest";
import { createLog, maskAddress } from "./log.ts";

test("secrets in an address are masked, the rest stays readable", () => {
  expect(maskAddress("/email/order?token=abc&site=x.com&code=123456#top")).toBe(
    "/email/order?token=…&site=x.com&code=…#top",
  );
  expect(maskAddress("/user/changepassword?email=a%40b.test&password=p%2Fq")).toBe(
    "/user/changepassword?email=a%40b.test&password=…",
  );
});

test("a secret is masked however its name is spelt, as long as the server would read it", () => {
  expect(maskAddress("/user/balance?%74oken=abc&toke%6E=def&TOKEN=ghi&token=%")).toBe(
    "/user/balance?%74oken=…&toke%6E=…&TOKEN=…&token=…",
  );
  expect(maskAddress("/pages?%zz=1&a=token&b")).toBe("/pages?%zz=1&a=token&b");
});

test("a field with the name of a secret is never written", () => {
  const lines: string[] = [];
  const log = createLog("info", { write: (line) => void lines.push(line) });
  log.info(
    { token: "T0KEN", body: { password: "hunter2" }, req: { headers: { authorization: "Bearer T0KEN" } } },
    "seen",
  );
  expect(lines.join("")).toContain("seen");
  expect(lines.join("")).not.toMatch(/T0KEN|hunter2/);
});

test("the code of a fault can be read", () => {
  const lines: string[] = [];
  const log = createLog("info", { write: (line) => void lines.push(line) });
  log.error({ err: Object.assign(new Error("refused"), { code: "ECONNREFUSED" }) }, "away");
  expect(lines.join("")).toContain("ECONNREFUSED");
});
