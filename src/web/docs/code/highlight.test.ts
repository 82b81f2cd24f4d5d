import { expect, test } from "vitest";
import { calls } from "../calls.ts";
import { signatureChecks } from "../guides/signatureSamples.ts";
import { languages } from "../snippets/languages.ts";
import { requestOf } from "../snippets/request.ts";
import { startSamples } from "../start/startSamples.ts";
import { type CodeLanguage, tokensOf } from "./highlight.ts";

const base = "https://shop.example";

test("colours change no sample: joined again it is the same code", () => {
  const samples: [string, string][] = [
    ...Object.entries(signatureChecks).map(([id, { text }]): [string, string] => [id, text]),
    ...Object.entries(startSamples).map(([id, { write }]): [string, string] => [
      id,
      write({ base, domain: "letters.test" }),
    ]),
    ...Object.entries(languages).flatMap(([id, { write }]) =>
      calls.map((call): [string, string] => [id, write(requestOf(call, call.example.ask, base))]),
    ),
  ];
  for (const [id, text] of samples) {
    const tokens = tokensOf(id as CodeLanguage, text);
    expect(tokens.map((token) => token.text).join("")).toBe(text);
    expect(tokens.some(({ kind }) => kind !== undefined)).toBe(true);
  }
});

test.each<[CodeLanguage, string, string[]]>([
  ["curl", 'curl -N "$URL" # now', ["name curl", "name -N", 'string "$URL"', "comment # now"]],
  ["typescript", "const a = 'b'; // c", ["keyword const", "string 'b'", "comment // c"]],
  ["python", 'print("#1")', ["name print", 'string "#1"']],
  ["php", "echo $a['b'];", ["keyword echo", "name $a", "string 'b'"]],
  ["json", '{ "a": "b", "c": 1 }', ['name "a"', 'string "b"', 'name "c"', "number 1"]],
])("in %s the words of %s are told apart", (language, text, kinds) => {
  const told = tokensOf(language, text).flatMap((token) =>
    token.kind ? [`${token.kind} ${token.text}`] : [],
  );
  expect(told).toEqual(kinds);
});
