import { expect, test, vi } from "vitest";
import { isStageTaken, onStageLeft, takeStage } from "./stage.ts";

vi.stubGlobal("document", { querySelector: () => null });

test("of two dialogs that open by themselves the second waits until the first has gone", () => {
  const turns: string[] = [];
  const leave = takeStage();
  expect(takeStage()).toBeUndefined();
  const forget = onStageLeft(() => turns.push("second"));
  expect(isStageTaken()).toBe(true);
  leave?.();
  leave?.();
  expect([turns, isStageTaken()]).toEqual([["second"], false]);
  forget();
  takeStage()?.();
  expect(turns).toEqual(["second"]);
});

test("over a dialog that somebody has opened nothing opens by itself", () => {
  vi.stubGlobal("document", { querySelector: () => ({}) });
  expect(takeStage()).toBeUndefined();
  expect(isStageTaken()).toBe(false);
});
