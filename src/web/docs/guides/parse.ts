// Reads a page of the documentation from i18n/docs/<language>/<page>.md. Only the build does: browsers get what it returns.
import { lexer, type MarkedToken, type Token, type Tokens } from "marked";
import type { DocsPage } from "../../paths.ts";

/** What a line `::name` shows, or `::name[sentence]`, with the list below it. GuideView.tsx and markdown.ts draw each. */
const directives = [
  "token",
  "program",
  "typescript",
  "common",
  "errors",
  "events",
  "message",
  "checks",
  "limited",
  "programs",
  "changes",
  "playwrightConfig",
  "playwright",
  "vitest",
  "assistant",
] as const;

/** A line of a list: a name, a colon, and what is said of it. */
export interface Item {
  readonly name: string;
  readonly text: string;
}

export interface Directive {
  readonly kind: (typeof directives)[number];
  readonly label: string;
  items: readonly Item[];
}

export interface Rows {
  readonly kind: "table";
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A paragraph is its text. */
export type Block = string | Directive | Rows;

export interface Step {
  readonly title: string;
  readonly blocks: Block[];
}

export interface Section extends Step {
  /** Its anchor. */
  readonly id: string;
  readonly steps: Step[];
}

export interface Page {
  readonly title: string;
  /** What is on the page. */
  readonly about: string;
  readonly sections: readonly Section[];
}

export type Guides = Readonly<Record<DocsPage, Page>>;

/** Reads a page: its title, what is on it, and sections with their anchor and perhaps steps. Throws on what the pages cannot show. */
export function parsePage(path: string, text: string): Page {
  const fail = (what: string): never => {
    throw new Error(`${path}: ${what}`);
  };
  const sentence = ({ text: raw, tokens = [] }: { text: string; tokens?: Token[] | undefined }): string => {
    const strange = tokens.find(({ type }) => type !== "text" && type !== "codespan");
    return strange ? fail(`sentences have \`code\` alone, not ${strange.raw}`) : raw.replaceAll("\n", " ");
  };
  const read = lexer(text).filter(({ type }) => type !== "space") as MarkedToken[];
  const [first, second, ...rest] = read;
  if (first?.type !== "heading" || second?.type !== "paragraph")
    return fail("a page begins with its title and a paragraph");
  const sections: Section[] = [];
  for (const token of rest) {
    const section = sections.at(-1);
    const blocks: Block[] = (section?.steps.at(-1) ?? section)?.blocks ?? [];
    const last = blocks.at(-1);
    if (token.type === "heading" && token.depth === 2) {
      const [, title, id] = /^(.+) \{#([\w-]+)\}$/.exec(sentence(token)) ?? [];
      if (title === undefined || id === undefined) return fail(`“${token.text}” has no {#anchor}`);
      sections.push({ id, title, blocks: [], steps: [] });
    } else if (section === undefined) fail("a section begins with ## and its title");
    else if (token.type === "heading") section.steps.push({ title: sentence(token), blocks: [] });
    else if (token.type === "paragraph") {
      const [line, name, label = ""] = /^::(\w+)(?:\[(.+)\])?$/.exec(sentence(token)) ?? [];
      const kind = directives.find((each) => each === name) ?? (line && fail(`there is no ${line}`));
      blocks.push(kind ? { kind, label, items: [] } : sentence(token));
    } else if (token.type === "table") {
      blocks.push({
        kind: "table",
        head: token.header.map(sentence),
        rows: token.rows.map((row) => row.map(sentence)),
      });
    } else if (token.type === "list" && typeof last === "object" && last.kind !== "table") {
      last.items = token.items.map(({ text: line, tokens: [whole] }) => {
        const plain = sentence({ text: line, tokens: (whole as Tokens.Text).tokens });
        const [, name, text] = /^`?([^`:：]+)`?(?:: |：)(.+)$/.exec(plain) ?? [];
        return name && text ? { name, text } : fail(`“${plain}” has no name and colon before it`);
      });
    } else fail(`the pages show no ${token.type} there`);
  }
  return { title: sentence(first), about: sentence(second), sections };
}

/** What a translation keeps of a sentence: that it is there, its code, and the names of what is filled in. */
const kept = (text: string) => [text !== "", ...(text.match(/`[^`]+`|\{\w+\}/g) ?? []).toSorted()].join(" ");

const makeup = (section: Section) =>
  JSON.stringify(section, (key, value: unknown) =>
    typeof value === "string" && !["id", "kind", "name"].includes(key) ? kept(value) : value,
  );

/** The section of a page with the anchor of another, if it is made up of the same blocks with the same code in them. */
export const sameSection = (one: Section, page: Page): Section | undefined =>
  page.sections.find((other) => makeup(other) === makeup(one));
