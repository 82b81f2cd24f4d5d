import { expect, test } from "vitest";
import { endpoints } from "../contract/api.ts";
import type { Endpoint } from "../contract/endpoint.ts";
import { registrationTimeoutSeconds } from "../contract/limits.ts";
import { calls } from "./calls.ts";

test.each(Object.entries(endpoints))("%s goes where the contract says", (name, declared: Endpoint) => {
  const call = calls[name as keyof typeof calls];
  expect({ path: call.path, access: call.access }).toEqual({ path: declared.path, access: declared.access });
  const hasBody = declared.method !== "GET" || declared.alsoPost === true;
  expect(call.send !== undefined).toBe(hasBody);
  expect(call.send === "file").toBe(declared.file !== undefined);
  expect(call.method === "PUT").toBe(declared.method === "PUT");
});

test.each(Object.entries(endpoints))("%s is repeated only when that is safe", (name, declared: Endpoint) => {
  const { repeat } = calls[name as keyof typeof calls];
  const hasBody = declared.method !== "GET" || declared.alsoPost === true;
  expect(repeat === "read").toBe(!hasBody || declared.reads === true);
  expect(repeat === "key").toBe("client_order_id" in declared.ask);
});

test("a registration is waited for as long as the contract says", () => {
  expect(calls.registration.timeoutSeconds).toBe(registrationTimeoutSeconds);
});
