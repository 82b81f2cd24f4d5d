import { expect, test } from "vitest";
import { readFailure, sayFailure, type WebhookFailure, webhookFailures } from "./webhook-failures.ts";

const holes = { status: "503", seconds: "10", failure: "The answer is not HTTP." };

test.each(Object.keys(webhookFailures) as WebhookFailure[])("the sentence of %s is read back", (failure) => {
  const said = sayFailure(failure, holes);
  const read = readFailure(said);
  expect(read?.failure).toBe(failure);
  expect(sayFailure(failure, read?.holes)).toBe(said);
});

test("a sentence that nobody knows is not read as another", () => {
  expect(readFailure("The moon was full.")).toBeUndefined();
});
