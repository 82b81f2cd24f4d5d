import { afterEach, expect, test, vi } from "vitest";
import { saveLanguage } from "./language.tsx";

afterEach(() => vi.unstubAllGlobals());

test.each([
  ["http:", "language=ar; path=/; max-age=31536000; SameSite=Lax"],
  ["https:", "__Host-language=ar; path=/; max-age=31536000; SameSite=Lax; Secure"],
])("over %s the cookie of the language is one that the browser takes", (protocol, cookie) => {
  const document = { cookie: "" };
  vi.stubGlobal("location", { protocol });
  vi.stubGlobal("document", document);
  saveLanguage("ar");
  expect(document.cookie).toBe(cookie);
});
