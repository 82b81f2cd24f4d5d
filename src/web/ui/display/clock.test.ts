import { beforeEach, expect, test, vi } from "vitest";

const at = Date.parse("2026-11-29T12:00:00Z");

/** A page that was loaded anew, on a machine whose clock is wrong by so many seconds. */
async function page(wrongSeconds: number) {
  vi.resetModules();
  vi.setSystemTime(at + wrongSeconds * 1000);
  return import("./clock.ts");
}

const told = (seconds: number) => new Date(at + seconds * 1000).toUTCString();

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  return () => vi.useRealTimers();
});

test.each([7200, -7200, 45])("a clock that is %i s wrong is set right by the first answer", async (wrong) => {
  const { hearClock, serverNow } = await page(wrong);
  expect(serverNow()).toBe(at + wrong * 1000);
  hearClock(told(0), Date.now());
  expect(Math.abs(serverNow() - at)).toBeLessThan(1000);
});

test("a clock that is right stays as it is", async () => {
  const { hearClock, serverNow } = await page(0);
  hearClock(told(1), Date.now());
  expect(serverNow()).toBe(at);
});

test("an answer that took long, or tells no time, tells nothing; after the first no other counts", async () => {
  const { hearClock, serverNow } = await page(0);
  hearClock(told(-3600), Date.now() - 11_000);
  hearClock(null, Date.now());
  hearClock("soon", Date.now());
  expect(serverNow()).toBe(at);
  hearClock(told(60), Date.now());
  hearClock(told(3600), Date.now());
  expect(Math.abs(serverNow() - at - 60_000)).toBeLessThan(1000);
});
