import { expect, test } from "vitest";
import { readLogin } from "./login.ts";

test.each([
  "ann@mail.test:pass word",
  " ann@mail.test:pass word ",
  "\tann@mail.test : pass word\t",
  "\ufeffann@mail.test:\u00a0pass word\r",
  "Ann@Mail.Test:pass word",
])("blanks around a login and its password are none of theirs: %j", (line) => {
  expect(readLogin(line)).toEqual({ part: "ann", domain: "mail.test", password: "pass word" });
});

test.each([
  "ann@mail.test: ",
  "ann @mail.test:x",
  "ann@mail.test",
  ":x",
  "ann@mail.test:\ufffd",
  "an\ufffdn@mail.test:x",
])("%j is no login with a password", (line) => {
  expect(readLogin(line)).toBe("malformed");
});
