import { afterAll, afterEach, expect, vi } from "vitest";

import { closeAll } from "./database.ts";
import { fileVariable, guard } from "./guard.ts";

process.env[fileVariable] = expect.getState().testPath ?? "";
const refused: string[] = [];
guard.note = (refusal) => void refused.push(refusal);
guard.name = () => {
  const { currentTestName = "what is outside of tests", testPath = "" } = expect.getState();
  return `"${currentTestName}" (${testPath})`;
};
const expectNoneRefused = () => expect(refused.splice(0), "only this machine may be reached").toEqual([]);
afterEach(expectNoneRefused);

// Registered before any of the file's own, so they run after all of them, the last one first.
afterAll(expectNoneRefused);
afterAll(closeAll);
// The next file has the same globals.
afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});
