import { afterAll, afterEach, expect } from "vitest";

import { dropAll } from "./database.ts";
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

// Registered before any of the file's own, so they run after all of them.
afterAll(expectNoneRefused);
afterAll(dropAll);
