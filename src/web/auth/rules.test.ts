import { expect, test } from "vitest";
import { faultOf, liveFault, passwordFault, waitSeconds } from "./rules.ts";

test.each([
  ["пароль1", "auth.error.passwordLatinOnly"],
  ["pass+word", "auth.error.passwordNoPlus"],
  ["12345", "auth.error.passwordShort"],
  ["", "auth.error.passwordShort"],
  ["secret", undefined],
])("the password %j gets %s", (password, fault) => {
  expect(passwordFault(password)).toBe(fault);
});

test("an empty password is no fault while it is being typed", () => {
  expect(liveFault("")).toBeUndefined();
  expect(liveFault("abc")).toBe("auth.error.passwordShort");
});

test("the server's wait is understood", () => {
  expect(waitSeconds("try again 42 seconds")).toBe(42);
  expect(waitSeconds("invalid code")).toBeUndefined();
});

test("each mode says a refusal in its own words", () => {
  expect(faultOf("login", "user not found")).toEqual({ key: "auth.error.userNotFound" });
  expect(faultOf("activate", "invalid code")).toEqual({ key: "auth.error.activation" });
  expect(faultOf("reset", "token expired")).toEqual({ key: "auth.error.invalidCode" });
  expect(faultOf("reset", "try again 7 seconds")).toEqual({ key: "auth.error.wait", holes: { count: 7 } });
  expect(faultOf("login", "limit", 30)).toEqual({ key: "auth.error.limit", holes: { count: 30 } });
});

test("an unknown refusal is shown with its value", () => {
  expect(faultOf("register", "strange")).toEqual({ key: "auth.error.register", holes: { text: "strange" } });
});
