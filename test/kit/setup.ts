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

// Runs after all hooks of the file, in reverse order.
afterAll(expectNoneRefused);
afterAll(closeAll);
// The next file shares the globals.
afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});
