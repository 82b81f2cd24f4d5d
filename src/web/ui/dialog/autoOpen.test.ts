import { expect, test, vi } from "vitest";
import { isAutoOpenClaimed, onAutoOpenReleased, claimAutoOpen } from "./autoOpen.ts";

vi.stubGlobal("document", { querySelector: () => null });

test("of two dialogs that open by themselves the second waits until the first has gone", () => {
  const turns: string[] = [];
  const leave = claimAutoOpen();
  expect(claimAutoOpen()).toBeUndefined();
  const forget = onAutoOpenReleased(() => turns.push("second"));
  expect(isAutoOpenClaimed()).toBe(true);
  leave?.();
  leave?.();
  expect([turns, isAutoOpenClaimed()]).toEqual([["second"], false]);
  forget();
  claimAutoOpen()?.();
  expect(turns).toEqual(["second"]);
});

test("nothing opens by itself over an open dialog", () => {
  vi.stubGlobal("document", { querySelector: () => ({}) });
  expect(claimAutoOpen()).toBeUndefined();
  expect(isAutoOpenClaimed()).toBe(false);
});
