// `npm run bench -- codes <folder>…`: how many codes and links are found in the mails of public projects, by project and language.
import { codeOf } from "../src/server/codes/codes.ts";
import { findLink } from "../src/server/codes/codes.link.ts";
import { parseLetter } from "../src/server/mime/mime.ts";
import { rawOf } from "../test/codes/sample.ts";
import { lettersOf } from "./codes.projects.kit.ts";
import type { Written } from "./codes.written.kit.ts";

interface Count {
  letters: number;
  wanted: number;
  found: number;
  without: number;
  false: number;
}

interface Fault {
  readonly letter: Written;
  readonly what: string;
}

const none = (): Count => ({ letters: 0, wanted: 0, found: 0, without: 0, false: 0 });

/** Prints what was found, what was missed and what was taken for a code or link that is none. */
export async function measure(): Promise<void> {
  const folders = process.argv.slice(3);
  if (folders.length === 0)
    throw new Error("Name the folders of repositories: npm run bench -- codes <folder>…");
  const letters = folders.flatMap(lettersOf);
  const counts = { code: new Map<string, Count>(), link: new Map<string, Count>() };
  const faults: Fault[] = [];
  const confidences = new Map<string, number>();
  let micros = 0;
  for (const letter of letters) {
    const { subject, text, html } = letter;
    const parsed = parseLetter(
      await rawOf({
        name: letter.name,
        from: "no-reply@app.example",
        subject,
        ...(text === undefined ? {} : { text }),
        ...(html === undefined ? {} : { html }),
      }),
    );
    const start = performance.now();
    const read = codeOf(parsed);
    const found = { code: read.value, link: findLink(parsed.links, parsed.subject) };
    micros += (performance.now() - start) * 1000;
    const sure = `${read.confidence ?? "none"}, ${found.code === letter.code ? "right" : "wrong"}`;
    confidences.set(sure, (confidences.get(sure) ?? 0) + 1);
    for (const what of ["code", "link"] as const) {
      const keys = ["all", letter.project, `${letter.project} ${letter.language}`];
      for (const key of keys) add(counts[what], key, letter[what], found[what]);
      if (found[what] !== letter[what])
        faults.push({
          letter,
          what: `${what} ${found[what] ?? "not found"}, wanted ${letter[what] ?? "none"}`,
        });
    }
  }
  for (const what of ["code", "link"] as const) table(what, counts[what]);
  console.log(`\ncode_confidence: ${[...confidences].map(([name, count]) => `${name} ${count}`).join("; ")}`);
  for (const { letter, what } of faults.slice(0, Number(process.env["FAULTS"] ?? 40)))
    console.log(
      `${letter.project} ${letter.language} ${letter.name}: ${what}\n  ${letter.subject}\n  ${(letter.text ?? letter.html ?? "").replaceAll(/\s+/g, " ").slice(0, 200)}`,
    );
  console.log(`${letters.length} letters, ${(micros / letters.length).toFixed(0)} µs a letter`);
}

function add(
  counts: Map<string, Count>,
  key: string,
  wanted: string | undefined,
  found: string | undefined,
): void {
  const count = counts.get(key) ?? none();
  counts.set(key, count);
  count.letters += 1;
  if (wanted === undefined) count.without += 1;
  else count.wanted += 1;
  if (wanted !== undefined && found === wanted) count.found += 1;
  if (found !== undefined && found !== wanted) count.false += 1;
}

function table(what: string, counts: ReadonlyMap<string, Count>): void {
  console.log(
    `\n| ${what} | letters | with | found | without | false | recall | precision |\n| --- | --: | --: | --: | --: | --: | --: | --: |`,
  );
  const rows = [...counts].filter(
    ([key, count]) =>
      !/ [\w-]+$/.test(key) || key === "Ory Kratos" || count.found < count.wanted || count.false > 0,
  );
  for (const [key, { letters, wanted, found, without, false: wrong }] of rows)
    console.log(
      `| ${key} | ${letters} | ${wanted} | ${found} | ${without} | ${wrong} | ${percent(found, wanted)} | ${percent(found, found + wrong)} |`,
    );
}

const percent = (part: number, whole: number) =>
  whole === 0 ? "–" : `${((100 * part) / whole).toFixed(1)} %`;
