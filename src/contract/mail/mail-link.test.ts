import fc from "fast-check";
import { expect, test } from "vitest";
import { fragmentOf, readFragment } from "./mail-link.ts";

const code = "AbCdEfGhIjKlMnOpQrStUvW";

test("a link is read as it was written, whatever the address, and has no run of digits", () => {
  expect(readFragment(fragmentOf({ mode: "activate", code }))).toEqual({ mode: "activate", code });
  fc.assert(
    fc.property(fc.oneof(fc.emailAddress(), fc.constant("4938170@123456.example")), (email) => {
      for (const mode of ["reset", "disown"] as const) {
        const fragment = fragmentOf({ mode, code, email });
        expect(readFragment(fragment)).toEqual({ mode, code, email });
        expect(fragment).not.toMatch(/\d{4}/);
      }
    }),
  );
});

test.each([
  "",
  "#main",
  `#activate/${code}x`,
  `#activate/${code}/ann@example.com`,
  `#reset/${code}`,
  `#disown/${code}`,
  `#reset/${code}/%zz`,
])("%j is no link of a mail", (fragment) => {
  expect(readFragment(fragment)).toBeUndefined();
});
