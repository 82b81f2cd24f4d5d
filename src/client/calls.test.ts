import { expect, test } from "vitest";
import { registrationTimeoutSeconds } from "../contract/limits.ts";
import { calls } from "./calls.ts";

test("each call goes where the contract says, and is repeated only when that is safe", () => {
  expect(calls.balance).toEqual({ path: "/user/balance", access: "user", repeat: "read" });
  expect(calls.getMessage).toMatchObject({ path: "/email/getmessage", send: "form", repeat: "read" });
  expect(calls.orderEmail).toMatchObject({ access: "active", send: "form", repeat: "key" });
  expect(calls.cancelEmail).toMatchObject({ send: "form", repeat: "once" });
  expect(calls.uploadBatch).toMatchObject({ send: "file", repeat: "key" });
  expect(calls.changeNews).toMatchObject({ send: "json", method: "PUT" });
  expect(calls.addToken.repeat).toBeUndefined();
});

test("a registration is waited for as long as the contract says", () => {
  expect(calls.registration.timeoutSeconds).toBe(registrationTimeoutSeconds);
});
