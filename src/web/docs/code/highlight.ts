export type CodeLanguage =
  | "curl"
  | "javascript"
  | "typescript"
  | "python"
  | "go"
  | "php"
  | "java"
  | "json"
  | "text";

export type TokenKind = "comment" | "string" | "number" | "keyword" | "name";

export interface Token {
  readonly kind?: TokenKind;
  readonly text: string;
}

const words = {
  c: "async await break case catch class const continue default defer else export finally for from func function go if implements import in interface let map new null of package range return static struct switch throw throws true false try type undefined use var void while nil",
  python:
    "and as assert async await class def elif else except False finally for from global if import in is lambda None not or pass raise return True try while with yield",
  php: "as break case catch class const continue echo else exit false fn for foreach function if int new null private public return static string throw true try use void while array",
  shell: "do done else export fi for if in then while",
} as const;

const quotes = String.raw`"(?:[^"\\]|\\.)*"|'(?:[^'\\\n]|\\.)*'`;
const numbers = String.raw`\b\d[\d_.]*\b`;
const keywordOf = (list: string) => String.raw`\b(?:${list.replaceAll(" ", "|")})\b`;

/** The groups of each pattern, in order: comment, string, number, keyword, name. */
function grammar(comment: string, string: string, keywords: string, name: string): RegExp {
  return new RegExp(`(${comment})|(${string})|(${numbers})|(${keywords})|(${name})`, "g");
}

const call = String.raw`\b[A-Za-z_]\w*(?=\()`;
const slashes = String.raw`\/\/[^\n]*|\/\*[^]*?\*\/`;
const likeC = grammar(slashes, `${quotes}|\`(?:[^\`\\\\]|\\\\.)*\``, keywordOf(words.c), call);

const grammars: Readonly<Record<Exclude<CodeLanguage, "text">, RegExp>> = {
  // A quoted word of the shell may go over lines; a word that begins with a dash is an option.
  curl: grammar(
    String.raw`(?<=^|\s)#[^\n]*`,
    String.raw`"(?:[^"\\]|\\.)*"|'[^']*'`,
    keywordOf(words.shell),
    String.raw`\$\w+|(?<=\s)--?[a-zA-Z][\w-]*|(?<=^|\(|\| )(?:curl|grep|head|printf|echo)\b`,
  ),
  javascript: likeC,
  typescript: likeC,
  java: likeC,
  go: likeC,
  python: grammar(String.raw`#[^\n]*`, `f?(?:${quotes})`, keywordOf(words.python), call),
  php: grammar(String.raw`${slashes}|<\?php`, quotes, keywordOf(words.php), String.raw`\$\w+|${call}`),
  json: grammar(
    String.raw`(?!)`,
    String.raw`"(?:[^"\\]|\\.)*"(?!\s*:)`,
    keywordOf("true false null"),
    String.raw`"(?:[^"\\]|\\.)*"(?=\s*:)`,
  ),
};

const kinds: readonly TokenKind[] = ["comment", "string", "number", "keyword", "name"];

/** Divides code into tokens with a colour and the text between them; joined again it is the same code. */
export function tokensOf(language: CodeLanguage, code: string): Token[] {
  if (language === "text") return [{ text: code }];
  const tokens: Token[] = [];
  let end = 0;
  for (const found of code.matchAll(grammars[language])) {
    if (found.index > end) tokens.push({ text: code.slice(end, found.index) });
    const kind = kinds[found.slice(1).findIndex((group) => group !== undefined)];
    tokens.push({ text: found[0], ...(kind ? { kind } : {}) });
    end = found.index + found[0].length;
  }
  if (end < code.length) tokens.push({ text: code.slice(end) });
  return tokens;
}
