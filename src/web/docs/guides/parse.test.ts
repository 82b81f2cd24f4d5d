import { expect, test } from "vitest";
import { parsePage } from "./parse.ts";

const head = "# Events\n\nWhat happens.\n\n## Stream {#stream}\n\n";

test("a page is read into its title, what is on it, and sections with their steps", () => {
  const text = `${head}It stays\nopen: \`wait\`.\n\n### Open it\n\n::changes[New calls:]\n\n- 2026-11-28: one\n- \`no emails\`: \`two\`: three\n\n| A | B |\n| --- | --- |\n| \`a\` | b |\n`;
  expect(parsePage("events.md", text)).toEqual({
    title: "Events",
    about: "What happens.",
    sections: [
      {
        id: "stream",
        title: "Stream",
        blocks: ["It stays open: `wait`."],
        steps: [
          {
            title: "Open it",
            blocks: [
              {
                kind: "changes",
                label: "New calls:",
                items: [
                  { name: "2026-11-28", text: "one" },
                  { name: "no emails", text: "`two`: three" },
                ],
              },
              { kind: "table", head: ["A", "B"], rows: [["`a`", "b"]] },
            ],
          },
        ],
      },
    ],
  });
});

test.each([
  ["no title", "What happens."],
  ["no anchor", "# Events\n\nWhat happens.\n\n## Stream"],
  ["words before a section", "# Events\n\nWhat happens.\n\nMore."],
  ["an unknown directive", `${head}::nothing`],
  ["a link", `${head}Read [this](https://shop.example).`],
  ["a list of no directive", `${head}- one`],
  ["a line without a name", `${head}::errors\n\n- one`],
  ["a block of code", `${head}\`\`\`\none\n\`\`\``],
  ["HTML", `${head}<b>one</b>`],
])("%s is not read: the pages could not show it", (_, text) => {
  expect(() => parsePage("events.md", text)).toThrow(/^events\.md: /);
});
