import { expect, onTestFinished, test } from "vitest";
import { endpoints } from "../src/contract/api.ts";
import { methodsWithHead } from "../src/contract/endpoint.ts";
import { lookAtShop } from "./kit/everything.ts";
import { startShop } from "./kit/shop.ts";

test("a call by a wrong method is told the right one, and nothing is done", async () => {
  const shop = await startShop();
  onTestFinished(() => shop.stop());
  const token = await shop.member();
  const everything = await lookAtShop(shop.db);
  const before = await everything();
  const taken = Map.groupBy(Object.values(endpoints), ({ path }) => path);
  const asked = `token=${token}&site=instagram.com&domain=all&id=1`;
  for (const [path, same] of taken) {
    const allowed = new Set(same.flatMap(methodsWithHead));
    const url = `${shop.url}${path.replace(/\{\w+\}/g, "1")}?${asked}`;
    for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]) {
      if (allowed.has(method) || (method === "GET" && path.startsWith("/api/admin/"))) continue;
      const response = await fetch(url, { method });
      const allow = [...allowed, "OPTIONS"].join(", ");
      expect([method, path, response.status, response.headers.get("allow")]).toEqual([
        method,
        path,
        405,
        allow,
      ]);
      if (method === "HEAD") continue;
      expect(await response.json()).toMatchObject({ status: "error", value: "method", allow });
    }
  }
  expect(await everything()).toEqual(before);
});
