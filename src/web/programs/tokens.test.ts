import { expect, test } from "vitest";
import { endpoints } from "../../contract/api.ts";
import { askOf, emptyDraft, typedDollars } from "./tokens.ts";

test("what is left empty limits nothing", () => {
  expect(askOf({ ...emptyDraft, name: " checker " }, 1000)).toEqual({
    name: "checker",
    sites: "",
    price_max: "",
    budget_day: "",
    expires_at: undefined,
  });
});

test("sites may be parted by commas, spaces and lines; the life is counted from now", () => {
  const ask = askOf({ ...emptyDraft, name: "a", sites: "x.com, google.com\nzoom.us;", days: 7 }, 1000.4);
  expect(ask.sites).toBe("x.com,google.com,zoom.us");
  expect(ask.expires_at).toBe(1000 + 7 * 24 * 60 * 60);
});

test.each([
  ["0,01", "0.01"],
  ["$5", "5"],
  ["1.2.3", "1.23"],
  [".5", "0.5"],
  ["5.", "5."],
])("%j is typed as %j", (typed, dollars) => {
  expect(typedDollars(typed)).toBe(dollars);
});

test("every amount that can be typed to its end is one that the contract takes", () => {
  const { price_max } = endpoints.addToken.ask;
  for (const typed of ["0.01", "5", ".5", "12.34567891"])
    expect(price_max.schema.safeParse(typedDollars(typed)).success, typed).toBe(true);
});
