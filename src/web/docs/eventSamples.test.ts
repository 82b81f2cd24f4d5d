import { Webhook } from "standardwebhooks";
import { afterEach, expect, test, vi } from "vitest";
import type { EventName } from "../../contract/event-names.ts";
import { eventBodies } from "../../contract/events.ts";
import { StatementLine } from "../../contract/statement.ts";
import { examples } from "../../contract/examples.ts";
import { eventSamples, fileSample, webhookSample } from "./eventSamples.ts";

afterEach(() => void vi.useRealTimers());

test.each(Object.entries(eventBodies))(
  "the sample of %s is an event that the contract allows",
  (name, body) => {
    expect(body.safeParse(eventSamples[name as EventName]).error).toBeUndefined();
  },
);

test("the message of the documentation is signed with the secret of the documentation", () => {
  const [head = "", body = ""] = webhookSample.split("\n\n");
  const headers = Object.fromEntries(
    head
      .split("\n")
      .slice(1)
      .map((line) => line.split(": ")),
  ) as Record<string, string>;
  vi.setSystemTime(Number(headers["webhook-timestamp"]) * 1000);
  const { secret } = examples.addWebhook.reply;
  expect(new Webhook(secret).verify(body, headers)).toMatchObject({
    type: "letter",
    data: eventSamples.letter,
  });
});

test("the file of the documentation tells the same as the lines of the documentation", () => {
  const [, first = ""] = fileSample.split("\n");
  const [id, at, kind, amount, balance, activation_id, , site, email] = first.trim().split(",");
  const line = { id, at: Date.parse(at ?? "") / 1000, kind, amount, balance, activation_id, site, email };
  expect(StatementLine.parse(line)).toEqual(examples.statement.reply.data[0]);
});
