import { expect, test } from "vitest";
import { digitsOf, eraseDigit, typeDigits } from "./codeDigits.ts";

test("only digits of a pasted text count, whatever stands between them", () => {
  expect(digitsOf(" 12-34 56abc7", 6)).toBe("123456");
  expect(digitsOf("٤٨٢٩١٠", 6)).toBe("482910");
  expect(digitsOf("४८२९१०", 6)).toBe("482910");
});

test("a typed digit fills its box and moves to the next", () => {
  expect(typeDigits("", 0, "7", 6)).toEqual({ code: "7", next: 1 });
  expect(typeDigits("12345", 5, "6", 6)).toEqual({ code: "123456", next: 5 });
});

test("a digit typed over another replaces it", () => {
  expect(typeDigits("123", 1, "9", 6)).toEqual({ code: "193", next: 2 });
});

test("a letter changes nothing", () => {
  expect(typeDigits("12", 2, "x", 6)).toEqual({ code: "12", next: 2 });
});

test("a digit typed into a box beyond the gap goes to the first empty box", () => {
  expect(typeDigits("1", 4, "5", 6)).toEqual({ code: "15", next: 2 });
});

test("pasting six digits into any box fills all", () => {
  expect(typeDigits("99", 2, "482910", 6)).toEqual({ code: "482910", next: 5 });
});

test("backspace empties the box, or goes back to the one before", () => {
  expect(eraseDigit("123", 2)).toEqual({ code: "12", next: 2 });
  expect(eraseDigit("12", 2)).toEqual({ code: "1", next: 1 });
  expect(eraseDigit("", 0)).toEqual({ code: "", next: 0 });
});
