import { expect, test } from "vitest";
import { isCommonPassword, passwordStrength } from "./passwords.ts";

test.each([
  "123456",
  "password",
  "      ",
  "Password1!",
  "P@ssw0rd",
  "qwerty123",
  "1q2w3e4r",
  "654321",
  "111111",
  "abcabc",
  "iloveyou",
  "letmein99",
  "abc123",
  "gfhjkm",
  "Admin2024",
  "147258369",
  "ann.smith",
  "ann.smith@example.com",
  "Ann.Smith7",
])("%j is tried first by everybody who guesses", (password) => {
  expect(isCommonPassword(password, "ann.smith@example.com")).toBe(true);
  expect(passwordStrength(password, "ann.smith@example.com")).toBe("weak");
});

test.each(["correct horse", "new horse", "k7#mQz", "tulip-harbor-91", "zwetschgenmus", "Sommerregen im Mai"])(
  "%j is nobody's first guess",
  (password) => expect(isCommonPassword(password, "ann@example.com")).toBe(false),
);

test("longer and more varied is stronger", () => {
  expect(
    ["zwkqpv", "tulip-harbor-91", "tulip harbor ninety one"].map((word) => passwordStrength(word)),
  ).toEqual(["weak", "strong", "strong"]);
  expect(passwordStrength("harbortulip")).toBe("fair");
});
