import { expect, onTestFinished, test, vi } from "vitest";
import { logOnce } from "./log-once.ts";

test("a fault is said once while it lasts: another one, one after success and one after ten minutes are said again", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const said: string[] = [];
  const { failed, passed } = logOnce((fault) => said.push((fault as Error).message));
  const fail = (message: string) => failed(new Error(message));
  fail("away");
  fail("away");
  fail("closed");
  expect(said).toEqual(["away", "closed"]);
  passed();
  fail("closed");
  expect(said).toEqual(["away", "closed", "closed"]);
  vi.advanceTimersByTime(599_999);
  fail("closed");
  expect(said).toHaveLength(3);
  vi.advanceTimersByTime(1);
  fail("closed");
  expect(said).toHaveLength(4);
});
