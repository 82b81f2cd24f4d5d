import { expect, test } from "vitest";
import { endpoints } from "../../contract/api.ts";
import { curlOf } from "./curl.ts";
import { examples } from "./examples.ts";

const base = "https://shop.example";

test("an order is a GET with the token in a header", () => {
  expect(curlOf(endpoints.orderEmail, examples.orderEmail.ask, base)).toBe(
    'curl -H "Authorization: Bearer $TOKEN" \\\n  "https://shop.example/email/order?site=instagram.com&domain=letters.test,mailroom.test"',
  );
});

test("a stream is read as it comes, from the last event on", () => {
  expect(curlOf(endpoints.events, examples.events.ask, base)).toBe(
    'curl -N \\\n  -H "Authorization: Bearer $TOKEN" \\\n  "https://shop.example/user/events?last_event_id=90000090210"',
  );
});

test("a password is never shown in an address", () => {
  expect(curlOf(endpoints.changePassword, examples.changePassword.ask, base)).toContain(
    "-d 'password=secret2'",
  );
  expect(curlOf(endpoints.changePassword, examples.changePassword.ask, base)).not.toContain("?");
});

test.each(Object.entries(examples))(
  "the example of %s is an answer that the contract allows",
  (name, example) => {
    expect(endpoints[name as keyof typeof examples].reply.safeParse(example.reply).error).toBeUndefined();
  },
);
