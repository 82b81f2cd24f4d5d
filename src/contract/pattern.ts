import { RE2JS, RE2JSException, RE2JSSyntaxException } from "re2js";
import { regexLengthMax } from "./limits.ts";

// A buyer's pattern may be hostile. RE2 takes time linear to the text times the size of the program, so that size is limited,
// and so is what makes the compiler slow.
const programSizeMax = 500;
const classesMax = 30;
const wideRangesMax = 8;
const wideRange = 1_000;

/** The compiled pattern, or why it is wrong. */
export type Pattern = { readonly compiled: RE2JS } | { readonly wrong: string };

/**
 * Compiles a pattern as the server uses it: RE2, no lookaround or back-references, limited size. With `asRead` it is for a text by
 * `plainSigns`, and `^` and `$` are also the ends of a line.
 */
export function readPattern(written: string, { asRead = false } = {}): Pattern {
  const pattern = asRead ? `(?m)${plainSigns(meantBy(written))}` : meantBy(written);
  if (written.length > regexLengthMax) return { wrong: `longer than ${regexLengthMax} characters` };
  if (classesOf(pattern) > classesMax) return { wrong: `more than ${classesMax} Unicode classes` };
  if (wideRangesOf(pattern) > wideRangesMax) return { wrong: `more than ${wideRangesMax} wide ranges` };
  const compiled = compile(pattern);
  if ("compiled" in compiled && compiled.compiled.programSize() > programSizeMax)
    return { wrong: "too large: repeat less, as by * and + in place of {n}" };
  return compiled;
}

const literal = /^\/((?:[^/\\[]|\\.|\[(?:[^\]\\]|\\.)*\])+)\/([dgimsuvy]{0,8})$/s;
const quoted = /^[rR]?(["'`])((?:(?!\1).)+)\1$/s;

/** A pattern without what a programming language writes around it: `/…/i`, quotes, doubled backslashes, the end of its line. */
function meantBy(written: string): string {
  const line = written.replaceAll(/^[\r\n]+|[\r\n]+$/g, "");
  const [, inQuotes] = quoted.exec(line)?.slice(1) ?? [undefined, line];
  const [inside = inQuotes ?? "", named = ""] = literal.exec(inQuotes ?? "")?.slice(1) ?? [];
  const flags = ["i", "m", "s"].filter((flag) => named.includes(flag)).join("");
  const single = inside.replaceAll(/\\\\(?=[bBdDsSwWpP.?/])/g, "\\");
  return flags === "" ? single : `(?${flags})${single}`;
}

const typographic = new Map(
  [
    ["'", "‘’‚‛ʼ′‵`´"],
    ['"', "“”„‟«»″‶"],
    ["-", "‐‑‒–—―−﹘"],
  ].flatMap(([plain = "", signs = ""]) => Array.from(signs, (sign) => [sign, plain] as const)),
);
const typographicSigns = new RegExp(`[${[...typographic.keys()].join("")}]`, "g");

/** Apostrophes, quotation marks and dashes as on a typewriter, and every blank as a space. */
export const plainSigns = (text: string): string =>
  text.replaceAll(typographicSigns, (sign) => typographic.get(sign) ?? sign).replaceAll(/[^\S\r\n\t ]/g, " ");

function compile(pattern: string): Pattern {
  try {
    return { compiled: RE2JS.compile(pattern) };
  } catch (fault) {
    if (fault instanceof RE2JSSyntaxException) return { wrong: wordsOf(fault) };
    if (fault instanceof RE2JSException) return { wrong: "no RE2 pattern" };
    throw fault;
  }
}

const lookaround = /\(\?<?[=!]/;

function wordsOf(fault: RE2JSSyntaxException): string {
  const at = (fault.getPattern() ?? "").slice(0, 40);
  const words = `${fault.getDescription()}${at === "" ? "" : `: ${at}`}`;
  return lookaround.test(at) ? `RE2 has no lookahead and no lookbehind: ${at}` : words;
}

const classesOf = (pattern: string) => pattern.match(/\\[pP]/g)?.length ?? 0;

function wideRangesOf(pattern: string): number {
  const written = pattern.match(/\\x\{/g)?.length ?? 0;
  const ranges = pattern.matchAll(/(?=(.)-(.))/gsu);
  return written + Array.from(ranges).filter(([, from, to]) => widthOf(from, to) > wideRange).length;
}

const widthOf = (from = "", to = "") => (to.codePointAt(0) ?? 0) - (from.codePointAt(0) ?? 0);
