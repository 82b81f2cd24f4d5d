import { expect, test } from "vitest";
import { endpoints } from "../../../contract/api.ts";
import { type DocumentedName, examples } from "../../../contract/examples.ts";
import { languages } from "./languages.ts";
import { requestOf } from "./request.ts";

// test/journeys/samples.test.ts runs them.

const base = "https://shop.example";

test("an order is a GET with the token in a header", () => {
  expect(languages.curl.write(requestOf(endpoints.orderEmail, examples.orderEmail.ask, base))).toBe(
    'curl -H "Authorization: Bearer $TOKEN" \\\n  "https://shop.example/email/order?site=instagram.com&domain=letters.test,mailroom.test"',
  );
});

test("a stream is read as it comes, from the last event on", () => {
  expect(languages.curl.write(requestOf(endpoints.events, examples.events.ask, base))).toBe(
    'curl -N \\\n  -H "Authorization: Bearer $TOKEN" \\\n  "https://shop.example/user/events?last_event_id=90000090210"',
  );
});

test("a file is the body, and what is asked stands in headers", () => {
  expect(languages.curl.write(requestOf(endpoints.uploadBatch, { sites: "facebook.com" }, base))).toBe(
    `curl -X POST \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: text/plain' \\
  -H 'Sites: facebook.com' \\
  -T batch.txt \\
  "https://shop.example/investor/upload"`,
  );
});

test.each(Object.entries(languages))("in %s a secret never stands in an address", (_, { write }) => {
  const { ask } = examples.changePassword;
  const text = write(requestOf(endpoints.changePassword, ask, base));
  expect(text).toContain("lantern-meadow");
  expect(text).not.toMatch(/changepassword\?/);
});

test.each(Object.entries(languages))("in %s a token is written only when one is given", (_, { write }) => {
  for (const name of Object.keys(examples) as DocumentedName[]) {
    const { ask }: { ask: Record<string, string> } = examples[name];
    const placeholder = write(requestOf(endpoints[name], ask, base));
    const own = write(requestOf(endpoints[name], ask, base, "TokenOfMine"));
    expect(placeholder).not.toContain("TokenOfMine");
    expect(own.includes("TokenOfMine")).toBe(endpoints[name].access !== "anyone");
    expect(own).not.toMatch(/\$TOKEN|env\.TOKEN|env\["TOKEN|environ|[Gg]etenv/);
    expect(own).not.toMatch(/[?&]token=/);
  }
});

test.each(Object.entries(examples))(
  "the example of %s is an answer that the contract allows",
  (name, example) => {
    expect(endpoints[name as keyof typeof examples].reply.safeParse(example.reply).error).toBeUndefined();
  },
);
