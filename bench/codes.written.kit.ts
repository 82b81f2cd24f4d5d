// A letter of the mails of a project: its holes are filled, and what stands in them must be found.
import { execFileSync } from "node:child_process";

/** A letter as a project would send it. `code` and `link`: what must be found; undefined when there is none. */
export interface Written {
  readonly project: string;
  readonly language: string;
  readonly name: string;
  readonly subject: string;
  readonly text?: string;
  readonly html?: string;
  readonly code?: string | undefined;
  readonly link?: string | undefined;
}

/** One repository: a working copy or a bare one. */
export class Repository {
  readonly #folder: string;
  readonly names: readonly string[];

  constructor(folder: string) {
    this.#folder = folder;
    this.names = this.#git("ls-tree", "-r", "HEAD", "--name-only").split("\n");
  }

  read(name: string): string {
    return this.#git("show", `HEAD:${name}`);
  }

  matching(pattern: RegExp): readonly RegExpMatchArray[] {
    return this.names.map((name) => name.match(pattern)).filter((match) => match !== null);
  }

  #git(...words: string[]): string {
    return execFileSync("git", ["-C", this.#folder, ...words], { encoding: "utf8", maxBuffer: 2 ** 28 });
  }
}

let made = 0;

/** Codes in the forms that sites use, never the same twice. */
function newCode(): string {
  made += 1;
  const digits = String(10_000_000 + ((made * 7_368_787) % 89_999_999));
  const forms = [digits.slice(0, 6), digits.slice(0, 6), digits.slice(0, 4), digits.slice(0, 8), mixed(made)];
  const form = forms[made % forms.length] ?? "";
  // No code of a site is a year.
  return /^(19|20)..$/.test(form) ? digits.slice(4, 8).replace(/^(19|20)/, "73") : form;
}

const mixed = (seed: number): string => {
  const signs = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
  const at = (place: number) => signs[(seed * (place * 2 + 13) + place * 7) % signs.length] ?? "A";
  return `${at(1)}${seed % 10}${at(2)}${at(3)}${(seed * 3) % 10}${at(4)}`;
};

const newLink = (): string =>
  `https://app.example/verify?token=${mixed(made + 1)}${(made * 99_991).toString(36)}x7f3a9c1e5b2d`;

/** What else stands in holes: numbers among it that are no codes. */
const others: readonly [RegExp, string][] = [
  [/year/i, "2026"],
  [/date|timestamp/i, "14 March 2026, 14:05"],
  [/time(?!out)|expire|ttl|minutes|lifetime/i, "15"],
  [/ip/i, "203.0.113.7"],
  [/email|address/i, "ann@example.com"],
  [/user|name|hello/i, "Ann"],
  [/browser|agent|device|os$/i, "Firefox 142"],
  [/phrase/i, "Calm River Stone"],
  [/count|number|size/i, "4821"],
  [/country/i, "Iceland"],
];

const holeOf = (name: string): string => others.find(([pattern]) => pattern.test(name))?.[1] ?? "Example";

/** Fills `{{ .Name }}`, `{{name}}`, `%(name)s` and `${name}`. */
function fill(text: string, code: string, link: string): string {
  return text.replaceAll(
    /\{\{-?\s*\.?([\w.]+)[^}]*\}\}|%\(([\w.]+)\)s|\$\{([\w.]+)\}/g,
    (_all, ...names: (string | undefined)[]) => {
      const name = names.slice(0, 3).find((each) => each !== undefined) ?? "";
      if (/^(b|\/b)$/.test(name)) return "";
      if (/(code|otp|passcode|token)$/i.test(name)) return code;
      if (/url|link|redirect/i.test(name)) return link;
      return holeOf(name);
    },
  );
}

type Texts = Omit<Written, "project" | "code" | "link">;

/** A letter of texts with holes: what stands in it is what must be found. */
export function written(project: string, letter: Texts): Written {
  const [code, link] = [newCode(), newLink()];
  const done = (text: string | undefined) => (text === undefined ? undefined : fill(text, code, link));
  const [subject = "", text, html] = [done(letter.subject), done(letter.text), done(letter.html)];
  const body = (text ?? html ?? "").replaceAll(link, "");
  const isLinked = (text ?? html ?? "").includes(link);
  return {
    ...letter,
    project,
    subject,
    ...(text === undefined ? {} : { text }),
    ...(html === undefined ? {} : { html }),
    code: body.includes(code) ? code : undefined,
    link: isLinked ? link : undefined,
  };
}

/** The translations of a PO file that are finished, by their source text. */
export function translationsOf(po: string): ReadonlyMap<string, string> {
  const joined = (lines: string) =>
    [...lines.matchAll(/"((?:[^"\\]|\\.)*)"/g)]
      .map(([, part = ""]) => part)
      .join("")
      .replaceAll(String.raw`\n`, "\n")
      .replaceAll(String.raw`\"`, '"');
  const texts = new Map<string, string>();
  for (const entry of po.split(/\n\n/)) {
    const match = /^msgid ((?:".*"\n)+)msgstr ((?:".*"\n?)+)/m.exec(`${entry}\n`);
    if (!match || /^#,.*fuzzy/m.test(entry)) continue;
    const [source, text] = [joined(match[1] ?? ""), joined(match[2] ?? "")];
    if (source !== "" && text !== "") texts.set(source, text);
  }
  return texts;
}
