import { expect, test } from "vitest";
import { fileName, kindOf } from "./letter.ts";

test("the name of a file cannot read as another one", () => {
  expect(fileName("photo\u202Egpj.exe")).toBe("photogpj.exe");
  expect(fileName("\u2067a\u2069\u200F\n.pdf")).toBe("a.pdf");
  expect(fileName("صورة.png")).toBe("صورة.png");
});

test("a long name keeps its beginning and its end", () => {
  const shown = fileName(`${"export-".repeat(20)}complete.zip`);
  expect(shown).toHaveLength(48);
  expect(shown).toMatch(/^export-export-.*….*complete\.zip$/);
  expect(fileName("👩‍👩‍👧".repeat(60))).toBe(`${"👩‍👩‍👧".repeat(33)}…${"👩‍👩‍👧".repeat(14)}`);
});

test.each([
  ["image/png", "picture"],
  ["IMAGE/JPEG", "picture"],
  ["application/pdf", "document"],
  ["text/calendar", "document"],
  ["application/vnd.openxmlformats-officedocument.wordprocessingml.document", "document"],
  ["application/zip", "archive"],
  ["audio/mpeg", "sound"],
  ["video/mp4", "film"],
  ["application/octet-stream", "other"],
  ["", "other"],
])("a file of type %s is a %s", (type, kind) => {
  expect(kindOf(type)).toBe(kind);
});
