import { expect, test } from "vitest";
import { actAsked, isBegun, numberAsked } from "./asked.ts";

test("a number is known by its first digit, written with a sign or without", () => {
  expect(numberAsked("#40000000061")).toEqual({ id: "40000000061", objects: ["order"] });
  expect(numberAsked("№ 30000000001")).toEqual({ id: "30000000001", objects: ["payment"] });
  expect(numberAsked("63525776220")).toEqual({ id: "63525776220", objects: ["letter"] });
  expect(numberAsked(" 1003 ")).toEqual({ id: "1003", objects: ["user", "batch"] });
  for (const text of ["", "#", "nora", "4x", "0061"]) expect(numberAsked(text)).toBeUndefined();
});

test("an act is asked by its first word, and the rest says on whom", () => {
  expect(actAsked("credit someone@example.org")).toEqual({ verb: "credit", who: "someone@example.org" });
  expect(actAsked("cancel #40000000061")).toEqual({ verb: "cancel", who: "40000000061" });
  expect(actAsked("block ")).toEqual({ verb: "block", who: "" });
  expect(actAsked("40000000061")).toBeUndefined();
});

test("a page is found by the beginning of any of its words", () => {
  expect(isBegun("Domains and stock", "sto")).toBe(true);
  expect(isBegun("Domains and stock", "Domains a")).toBe(true);
  expect(isBegun("Domains and stock", "ock")).toBe(false);
  expect(isBegun("Overview", " ")).toBe(false);
});
