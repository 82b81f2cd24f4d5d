import { expect, test } from "vitest";
import english from "../../i18n/app/en.json" with { type: "json" };
import { readFailure, sayFailure, type WebhookFailure, webhookFailures } from "./webhook-failures.ts";

const holes = { status: "503", seconds: "10", failure: "The answer is not HTTP." };

test.each(Object.keys(webhookFailures) as WebhookFailure[])("the sentence of %s is read back", (failure) => {
  const said = sayFailure(failure, holes);
  const read = readFailure(said);
  expect(read?.failure).toBe(failure);
  expect(sayFailure(failure, read?.holes)).toBe(said);
});

test("the pages say in English what the API says", () => {
  const texts = Object.entries(webhookFailures).map(([failure, said]) => [
    `webhook.failure.${failure}`,
    said,
  ]);
  expect(english).toMatchObject(Object.fromEntries(texts));
});

test("a sentence that nobody knows is not read as another", () => {
  expect(readFailure("The moon was full.")).toBeUndefined();
});
