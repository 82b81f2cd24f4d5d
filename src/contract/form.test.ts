import { describe, expect, test } from "vitest";
import { endpoints } from "./api.ts";
import { type Endpoint, type Field, type Form, withoutBlanks } from "./endpoint.ts";

interface Tried {
  readonly right: string[];
  readonly wrong: string[];
}

function triedOf(form: Form): Tried {
  switch (form.kind) {
    case "text":
    case "password":
    case "captcha":
    case "url":
    case "regex":
      return { right: ["a".repeat(form.max)], wrong: ["a".repeat(form.max + 1), "a\u{1F511}".slice(0, 2)] };
    case "email": {
      const emailOf = (length: number) => `${"a".repeat(length - 12)}@example.com`;
      return { right: [emailOf(form.max)], wrong: [emailOf(form.max + 1), "nobody"] };
    }
    case "whole":
    case "time":
      return { right: [form.min, form.max].map(String), wrong: [String(form.max + 1), "-1", "1.5"] };
    case "number": {
      const finest = `${form.max - 1}.${"1".repeat(form.decimals)}`;
      return {
        right: [String(form.min), String(form.max), finest],
        wrong: [`${form.max}.1`, `${finest}1`, "x"],
      };
    }
    case "dollars": {
      const finest = `${form.max - 1}.${"1".repeat(form.decimals)}`;
      return { right: [String(form.min ?? 0.01), String(form.max), finest], wrong: ["0", `${finest}1`] };
    }
    case "digits":
      return { right: ["1".repeat(form.count)], wrong: ["1".repeat(form.count + 1)] };
    case "choice":
      return { right: [...form.of], wrong: ["nothing-of-it"] };
    case "choices":
      return { right: [...form.of, form.of.join(",")], wrong: ["nothing-of-it"] };
    case "id":
      return { right: ["1", "9".repeat(18)], wrong: ["9".repeat(19), "x"] };
    case "flag":
      return { right: ["0", "1"], wrong: ["2"] };
    case "translations": {
      const one = { lang: "en", title: "", lines: [] };
      const date = "2026-02-29";
      const wrong = [[], [{ ...one, lang: "ru" }], [one, one], [{ ...one, date }], [{ ...one, lines: "" }]];
      return { right: [JSON.stringify([one])], wrong: ["x", ...wrong.map((each) => JSON.stringify(each))] };
    }
    case "slides": {
      const one = { title: "Slide 1", text: "", bg_color: "white" };
      const wrong = [[], [{ ...one, title: " " }], [{ ...one, bg_color: "pink" }]];
      return { right: [JSON.stringify([one])], wrong: ["x", ...wrong.map((each) => JSON.stringify(each))] };
    }
    case "cursor":
      return { right: ["31.124650000"], wrong: ["x"] };
  }
}

const parameters = Object.values(endpoints).flatMap((endpoint: Endpoint) =>
  Object.entries(endpoint.ask).map(([name, field]): [string, Field] => [`${endpoint.path} ${name}`, field]),
);

describe("the form of a parameter says what its schema takes", () => {
  test.each(parameters)("%s", (name, { form, schema }) => {
    const { right, wrong } = triedOf(form);
    for (const value of right) expect(schema.safeParse(value).success, value).toBe(true);
    // An unknown Soft ID is ignored (spec O §2, partner mode).
    const refused = name.endsWith(" soft_id") ? [] : wrong;
    for (const value of refused) expect(schema.safeParse(value).success, value).toBe(false);
  });
});

describe("blanks around a value that can have none at its edges are no difference", () => {
  test.each(parameters)("%s", (_name, field) => {
    const { form, schema } = field;
    const isKept = schema.safeParse(" a").data === " a";
    if (form.kind === "password" || form.kind === "regex" || isKept) return;
    for (const value of triedOf(form).right)
      for (const blanks of ["\r\n", " \t", "\u00a0", "\u200b", "\ufeff"])
        expect(schema.safeParse(withoutBlanks(field, `${blanks}${value}${blanks}`))).toEqual(
          schema.safeParse(value),
        );
  });
});
