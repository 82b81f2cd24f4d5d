import { expect, test } from "vitest";
import {
  requiredPasswordError,
  refusalError,
  passwordErrorWhileTyping,
  newPasswordError,
  passwordError,
  resendError,
  waitSeconds,
  repeatError,
} from "./fieldErrors.ts";

test.each([
  ["пароль1", "auth.error.passwordLatinOnly"],
  ["pass+word", "auth.error.passwordNoPlus"],
  ["12345", "auth.error.passwordShort"],
  ["", "auth.error.passwordShort"],
  ["secret", undefined],
])("the password %j gets %s", (password, fault) => {
  expect(passwordError(password)).toBe(fault);
});

test("a password to be chosen is none that everybody tries first, nor the address", () => {
  expect(newPasswordError("123456", "ann@example.com")).toBe("auth.error.passwordCommon");
  expect(newPasswordError("annsmith", "annsmith@example.com")).toBe("auth.error.passwordCommon");
  expect(newPasswordError("12345", "")).toBe("auth.error.passwordShort");
  expect(newPasswordError("correct horse", "ann@example.com")).toBeUndefined();
});

test("an empty password is no fault while it is being typed", () => {
  expect(passwordErrorWhileTyping("")).toBeUndefined();
  expect(passwordErrorWhileTyping("abc")).toBe("auth.error.passwordShort");
});

test("the server's wait is understood", () => {
  expect(waitSeconds("try again 42 seconds")).toBe(42);
  expect(waitSeconds("invalid code")).toBeUndefined();
});

test("each mode says a refusal in its own words", () => {
  expect(refusalError("login", "user not found")).toEqual({ key: "auth.error.userNotFound" });
  expect(refusalError("activate", "invalid code")).toEqual({ key: "auth.error.activation" });
  expect(refusalError("reset", "token expired")).toEqual({ key: "auth.error.invalidCode" });
  expect(refusalError("reset", "try again 7 seconds")).toEqual({
    key: "auth.error.wait",
    holes: { count: 7 },
  });
  expect(refusalError("login", "limit", 30)).toEqual({ key: "auth.error.limit", holes: { count: 30 } });
});

test("an unknown refusal is shown with its value", () => {
  expect(refusalError("register", "strange")).toEqual({
    key: "auth.error.register",
    holes: { text: "strange" },
  });
});

test.each([
  ["login", "invalid email", "auth.error.invalidEmail"],
  ["login", "invalid password", "auth.error.invalidPassword"],
  ["login", "account not activated", "auth.error.notActivated"],
  ["login", "user not found", "auth.error.userNotFound"],
  ["login", "connection", "auth.error.connection"],
  ["register", "invalid email", "auth.error.invalidEmail"],
  ["register", "invalid password", "auth.error.passwordLatinOnly"],
  ["register", "account not activated", "auth.error.notActivated"],
  ["register", "email already registered", "auth.error.registered"],
  ["register", "password too short", "auth.error.passwordShort"],
  ["register", "user not found", "auth.error.userNotFound"],
  ["register", "invalid code", "auth.error.invalidCode"],
  ["activate", "invalid code", "auth.error.activation"],
  ["activate", "connection", "auth.error.connection"],
  ["activate", "strange", "auth.error.activationOther"],
  ["reset", "user not found", "auth.error.userNotFound"],
  ["reset", "invalid code", "auth.error.invalidCode"],
  ["reset", "token expired", "auth.error.invalidCode"],
  ["reset", "password too short", "auth.error.passwordShort"],
  ["reset", "password too common", "auth.error.passwordCommon"],
  ["reset", "strange", "auth.error.other"],
] as const)("in the mode %s the refusal %j has the text %s", (mode, value, key) => {
  expect(refusalError(mode, value).key).toBe(key);
});

test("of a code that was not sent, a wait is told as it is and anything else as an error of sending", () => {
  expect(resendError("try again 9 seconds")).toEqual({ key: "auth.error.wait", holes: { count: 9 } });
  expect(resendError("limit", 30)).toEqual({ key: "auth.error.limit", holes: { count: 30 } });
  expect(resendError("server")).toEqual({ key: "auth.error.send" });
});

test("a field that was left empty is asked for, and not called wrong", () => {
  expect(requiredPasswordError("")).toBe("auth.error.passwordEmpty");
  expect(requiredPasswordError("abc")).toBe("auth.error.passwordShort");
  expect(repeatError({ password: "secret", repeat: "" })).toBe("auth.error.repeatEmpty");
  expect(repeatError({ password: "secret", repeat: "secre" })).toBe("auth.error.passwordMatch");
  expect(repeatError({ password: "secret", repeat: "secret" })).toBeUndefined();
});
