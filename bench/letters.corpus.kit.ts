// Public test messages of mail parsers with the expectations of their tests, read from checkouts of their repositories.
import { EventEmitter } from "node:events";
import { readdir, readFile, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import type { Whole } from "./letters.whole.kit.ts";
import { renderHtml, renderPlain } from "../src/server/mime/mime.render.ts";

export interface Sample {
  name: string;
  raw: Buffer;
  wishes: Wish[];
  /** Broken on purpose: no standard says what is right. */
  isBroken: boolean;
}

/** An expectation of a corpus: an equal text, or one that contains it. */
export interface Wish {
  of: "subject" | "text" | "plain" | "html";
  wanted: string;
  isPart: boolean;
}

/** All messages under a folder, with their expectations. */
export async function samplesIn(folder: string, open: (raw: Buffer) => Whole): Promise<Sample[]> {
  const samples: Sample[] = [];
  const paths = (await readdir(folder, { recursive: true })).filter((path) => /\.(eml|raw)$/.test(path));
  for (const path of paths.toSorted()) {
    if (!(await stat(join(folder, path))).isFile()) continue;
    const raw = asSent(await readFile(join(folder, path)));
    const wishes = await treeWishes(join(folder, path));
    samples.push({ name: path, raw, wishes, isBroken: path.includes("malformed/") });
  }
  await addGoWishes(folder, samples);
  return [...samples, ...(await samplesOfTests(folder, open))];
}

/** Every line ends in CRLF, as mailers send it (RFC 5321 §2.3.8). */
const asSent = (raw: Buffer) =>
  Buffer.from(`${raw.toString("latin1").replace(/\r\n|\r|\n/g, "\r\n")}`, "latin1");

interface Tree {
  html_body: number[];
  parts: { headers: { name: unknown; value: unknown }[]; body: Record<string, unknown> }[];
}

/** mail-parser (Rust) has the whole tree of each message beside it, also of its CRLF form. */
async function treeWishes(path: string): Promise<Wish[]> {
  const text = await readFile(path.replace(/\.eml$/, ".crlf.json"), "utf8").catch(() => undefined);
  if (text === undefined || !path.endsWith(".eml")) return [];
  const tree = JSON.parse(text) as Tree;
  const subject = tree.parts[0]?.headers.findLast(({ name }) => name === "subject")?.value;
  const subjectText = (subject as { Text?: string } | undefined)?.Text ?? "";
  const shown = tree.html_body.map((index) => {
    const { Html: html, Text: plain } = tree.parts[index]?.body ?? {};
    if (typeof html === "string") return renderHtml(html).text;
    return typeof plain === "string" ? renderPlain(plain).text : "";
  });
  const subjectWish: Wish = { of: "subject", wanted: subjectText, isPart: false };
  // Without a named part it says nothing about the text.
  return shown.length === 0
    ? [subjectWish]
    : [subjectWish, { of: "text", wanted: shown.join("\n"), isPart: false }];
}

/** enmime (Go) has its expectations in envelope_test.go. */
async function addGoWishes(folder: string, samples: Sample[]): Promise<void> {
  const source = await readFile(join(folder, "envelope_test.go"), "utf8").catch(() => "");
  let sample: Sample | undefined;
  let wanted: string | undefined;
  for (const line of source.split("\n")) {
    const file = /OpenTestData\("([^"]+)", "([^"]+)"\)/.exec(line);
    if (line.startsWith("func Test")) sample = undefined;
    if (file) sample = samples.find(({ name }) => name === join("testdata", file[1]!, file[2]!));
    const wish = /want :?= ("(?:[^"\\]|\\.)*")$/.exec(line.trim())?.[1];
    if (wish !== undefined) wanted = JSON.parse(wish) as string;
    const check =
      /if (!?strings\.Contains\()?e\.(Text|HTML)(, want\)| != want)/.exec(line) ??
      /got :?= e\.GetHeader\("(Subject)"\)/.exec(line);
    if (!check || !sample || wanted === undefined || wanted === "") continue;
    const of = check[2] === "HTML" ? "html" : check[2] === "Text" ? "plain" : "subject";
    // It joins texts by its own rule and puts stars around bold HTML.
    const pieces = of === "plain" ? wanted.replace(/\*(\w+)\*/g, "$1").split("\n--\n") : [wanted];
    const isPart = check[1]?.includes("Contains") === true || pieces.length > 1;
    sample.wishes.push(...pieces.map((piece): Wish => ({ of, wanted: piece, isPart })));
  }
}

type Check = (...values: unknown[]) => void;
type Test = Record<"equal" | "ok" | "deepEqual" | "expect" | "done" | "ifError" | "notOk", Check>;

/** mailparser (JavaScript) builds most messages in its tests: they run with our parser, and their comparisons of subject and text are noted. */
async function samplesOfTests(folder: string, open: (raw: Buffer) => Whole): Promise<Sample[]> {
  const samples: TestSample[] = [];
  const path = join(folder, "test", "mail-parser-test.js");
  const source = await readFile(path, "utf8").catch(() => undefined);
  if (source === undefined) return samples;
  for (const [name, test] of testsOf(source, path, samples, open)) {
    const before = samples.length;
    await new Promise<void>((resolve) => {
      // Tests that need more than the stand-in never finish.
      const timer = setTimeout(resolve, 300);
      const done = () => (clearTimeout(timer), resolve());
      const nothing = () => undefined;
      const equal: Check = (actual, wanted) => {
        const read = samples.findLast(({ last }) => last !== undefined);
        if (read?.last && typeof actual === "string" && typeof wanted === "string")
          read.wishes.push(wishOf(read.last, wanted));
        if (read) read.last = undefined;
      };
      const checks = { equal, done, ok: nothing, notOk: nothing, deepEqual: nothing, expect: nothing };
      try {
        test({ ...checks, ifError: nothing });
      } catch {
        done();
      }
    });
    for (const sample of samples.slice(before)) sample.name = `test/mail-parser-test.js: ${name}`;
  }
  return samples.filter(({ raw }) => raw.length > 0);
}

const wishOf = (of: Wish["of"], wanted: string): Wish =>
  of === "html"
    ? { of: "text", wanted: renderHtml(wanted).text, isPart: false }
    : { of, wanted, isPart: false };

interface TestSample extends Sample {
  last?: Wish["of"] | undefined;
}

function testsOf(
  source: string,
  path: string,
  samples: TestSample[],
  open: (raw: Buffer) => Whole,
): [string, (test: Test) => void][] {
  const real = createRequire(path);
  const own = createRequire(import.meta.url);
  const Parser = parserFor(samples, open);
  const wanted = (name: string): unknown => {
    if (name === "..") return { MailParser: Parser };
    return name.startsWith(".") || name.startsWith("/") ? real(name) : own(name);
  };
  const exported: Record<string, unknown> = {};
  // eslint-disable-next-line no-implied-eval, no-new-func -- what a corpus' tests are, is said above.
  const run = new Function("require", "exports", "module", "__dirname", source);
  run(wanted, exported, { exports: exported }, dirname(path));
  const flat = (group: Record<string, unknown>): [string, (test: Test) => void][] =>
    Object.entries(group).flatMap(([name, value]) =>
      typeof value === "function"
        ? [[name, value as (test: Test) => void]]
        : flat(value as Record<string, unknown>),
    );
  return flat(exported);
}

/** A stand-in for their parser: opens letters as the shop does, and notes the expectations. */
function parserFor(samples: TestSample[], open: (raw: Buffer) => Whole): typeof StandIn {
  return class extends StandIn {
    override take(sample: TestSample): Whole {
      samples.push(sample);
      return open(sample.raw);
    }
  };
}

class StandIn extends EventEmitter {
  readonly #chunks: Buffer[] = [];
  readonly #isTuned: boolean;
  #sample: TestSample = { name: "", raw: Buffer.alloc(0), wishes: [], isBroken: false };
  #opened: Whole | undefined;

  constructor(options?: unknown) {
    super();
    this.#isTuned = options !== undefined;
  }

  take(_sample: TestSample): Whole {
    throw new Error("a stand-in without a parser");
  }

  write(chunk: Buffer | string): void {
    this.#chunks.push(Buffer.from(chunk as string));
  }

  end(chunk?: Buffer | string): void {
    if (chunk !== undefined) this.write(chunk);
    this.#sample.raw = asSent(Buffer.concat(this.#chunks));
    void this.#finish();
  }

  async #finish(): Promise<void> {
    this.#opened = this.take(this.#sample);
    await turn();
    try {
      for (const name of ["headers", "end"]) this.emit(name, this.headers);
    } catch {
      // A test that needs more than the stand-in has.
    }
  }

  /** Options of their parser give no expectation for others. */
  #note(of: Wish["of"]): void {
    if (!this.#isTuned) this.#sample.last = of;
  }

  get text(): string {
    const parsed = this.#opened?.parsed;
    const of = parsed?.html === undefined ? "text" : "plain";
    this.#note(of);
    return parsed?.[of] ?? "";
  }

  get html(): string {
    this.#note("html");
    return this.#opened?.parsed.html ?? "";
  }

  get subject(): string {
    this.#note("subject");
    return this.#opened?.parsed.subject ?? "";
  }

  get headers(): { get(name: string): string | undefined; has(): boolean } {
    return { get: (name) => (name === "subject" ? this.subject : undefined), has: () => false };
  }
}
