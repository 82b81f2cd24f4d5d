// @module-tag slow
import { expect, onTestFinished, test } from "vitest";
import { freePort } from "../kit/port.ts";
import { startShop } from "../kit/shop.ts";

test("reception and jobs tell their health at a door of their own, and nothing else there", async () => {
  const port = await freePort();
  const shop = await startShop({ ROLES: "smtp,jobs", HEALTH_PORT: String(port) });
  onTestFinished(() => shop.stop());
  const at = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
  expect((await at("/healthz")).status).toBe(200);
  expect((await at("/readyz")).status).toBe(200);
  expect(await (await at("/metrics")).text()).toContain('postern_stock{domain="letters.test"} 1000');
  expect((await at("/user/balance")).status).toBe(404);
  expect((await at("/")).status).toBe(404);
  await expect(fetch(shop.url)).rejects.toThrow("fetch failed");
});

test(
  "with pages health is told beside them, and a door of its own stays shut",
  { tags: ["full"] },
  async () => {
    const port = await freePort();
    const shop = await startShop({ ROLES: "web", HEALTH_PORT: String(port) });
    onTestFinished(() => shop.stop());
    expect((await fetch(`${shop.url}/healthz`)).status).toBe(200);
    await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow("fetch failed");
  },
);
