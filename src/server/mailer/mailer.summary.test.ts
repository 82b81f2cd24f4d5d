import { expect, test } from "vitest";
import { languageCodes } from "../../i18n/languages.ts";
import { compose } from "./mailer.compose.ts";
import { type DaySums, type Summary, tellSummary } from "./mailer.summary.ts";

const now: DaySums = {
  orders: 1240,
  letters: 900,
  registrations: 3,
  revenue: "4.34",
  top_ups: "0",
  refunded: "1",
  ended: 1000,
  received: 805,
  seconds: 14,
};
const before: DaySums = {
  ...now,
  orders: 1000,
  letters: 900,
  registrations: 0,
  received: 825,
  seconds: 20,
  top_ups: "50",
};
const summary: Summary = {
  day: "2026-11-28",
  now,
  before,
  waiting: { payments: 2, questions: 0 },
  down: ["chain tron"],
  failing: [],
};

test("each figure stands beside the day before, with a sign and a word", () => {
  const { facts, lists } = tellSummary(summary, "en");
  expect(facts.map(({ name, value, change }) => `${name}: ${value} (${change})`)).toEqual([
    "Orders: 1,240 (+24%, up · before: 1,000)",
    "Revenue: $4.34 (Unchanged · before: $4.34)",
    "Orders with a letter: 80.5% (−2 points, down · before: 82.5%)",
    "Time to a letter (median): 14 sec (−6 sec, faster · before: 20 sec)",
    "Top-ups: $0.00 (−100%, down · before: $50.00)",
    // From nothing there is no part.
    "Registrations: 3 (before: 0)",
    "Letters: 900 (Unchanged · before: 900)",
    "Refunds: $1.00 (Unchanged · before: $1.00)",
  ]);
  expect(lists).toEqual([
    { title: "Needs a decision", lines: ["Payments under review: 2"] },
    { title: "Not running", lines: ["chain tron"] },
  ]);
});

test("a quiet shop says that nothing needs a decision, and a dash for what nobody can tell", () => {
  const quiet = { ...now, ended: 0, received: 0, seconds: null };
  const { facts, lists } = tellSummary(
    { ...summary, now: quiet, before: quiet, waiting: { payments: 0 }, down: [] },
    "en",
  );
  expect(facts[3]).toMatchObject({ value: "—", change: "before: —" });
  expect(lists).toEqual([{ title: "Needs a decision", lines: ["Nothing needs a decision."] }]);
});

test.each(languageCodes)(
  "the mail in %s has all of it, in text and HTML, and the way to the overview",
  (language) => {
    const mail = compose(
      { to: "olga@office.test", kind: "daily-summary", language, values: { summary } },
      "https://shop.test",
    );
    const { facts, lists } = tellSummary(summary, language);
    for (const text of [
      ...facts.flatMap(({ name, value }) => [name, value]),
      ...lists.flatMap(({ lines }) => lines),
    ])
      for (const part of [mail.text, mail.html]) expect(part).toContain(text);
    for (const part of [mail.text, mail.html]) {
      expect(part).toContain(`https://shop.test/${language}/admin`);
      expect(part).not.toMatch(/\{\w+\}|undefined/);
    }
    expect(mail.subject).toContain("28.11.2026");
  },
);
