import { RE2JS, RE2JSException } from "re2js";
import { regexLengthMax } from "../../contract/limits.ts";
import type { Parsed } from "./letters.parse.ts";

/** An order that a letter may be for, as `orders.waiting` gives it. */
export interface WaitingOrder {
  readonly orderId: bigint;
  readonly userId: bigint;
  readonly mailboxId: bigint;
  readonly siteId: number;
  readonly site: string;
  readonly subject: string | null;
  readonly regex: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** What is asked of a letter: who sent it, what it says, when it came. */
export type Judged = Pick<Parsed, "senderDomain" | "dkimDomains" | "subject" | "text" | "plain" | "links"> & {
  readonly arrivedAt: Date;
};

const textLengthMax = 10_000;
const valueLengthMax = 1_000;
const patternsRemembered = 1_000;

/** Says "regex" when a pattern is too long or no RE2 regular expression, and nothing when it can be used. */
export function checkPattern(pattern: string): "regex" | undefined {
  return compile(pattern) ? undefined : "regex";
}

/** What a letter lacks for an order, the first of these that it does. */
export type Missed = "time" | "sender" | "subject" | "regex";

/** Whether a letter is for an order: with what its pattern found, or what it lacks. */
export type Fit = { readonly value: string | undefined } | { readonly missed: Missed };

/**
 * Whether a letter is for an order, by product.md "One activation's life": it came in the order's time, from a domain of
 * the site (`senders`; undefined takes any), with the subject word, and its text matches the pattern.
 * `value` is the pattern's first group, or all that matched; undefined when the order has no pattern.
 */
export function fit(letter: Judged, order: WaitingOrder, senders: ReadonlySet<string> | undefined): Fit {
  if (letter.arrivedAt < order.createdAt || letter.arrivedAt >= order.expiresAt) return { missed: "time" };
  const domains = [letter.senderDomain, ...letter.dkimDomains];
  if (senders && !domains.some((domain) => domain !== "" && senders.has(domain))) return { missed: "sender" };
  if (order.subject !== null && !letter.subject.toLowerCase().includes(order.subject.toLowerCase()))
    return { missed: "subject" };
  if (order.regex === null) return { value: undefined };
  const value = valueOf(order.regex, letter);
  return value === undefined ? { missed: "regex" } : { value };
}

/** What a pattern finds in a letter: its first group, or all that matched; undefined when it finds nothing. */
export function valueOf(
  pattern: string,
  letter: Pick<Judged, "text" | "plain" | "links">,
): string | undefined {
  const compiled = compile(pattern);
  if (!compiled) return undefined;
  const texts = [letter.text];
  if (letter.plain !== letter.text) texts.push(letter.plain);
  // Addresses of links are no text that a person reads, so "[0-9]{6}" must not find a number in one; a pattern that asks
  // for an address may.
  if (/https?|:\/\//i.test(pattern)) texts.push(letter.links.map(({ href }) => href).join("\n"));
  for (const text of texts) {
    const matcher = compiled.matcher(text.slice(0, textLengthMax));
    if (!matcher.find()) continue;
    const found = (compiled.groupCount() > 0 ? matcher.group(1) : null) ?? matcher.group() ?? "";
    return found.slice(0, valueLengthMax).replaceAll("\0", "").toWellFormed();
  }
  return undefined;
}

const compiledPatterns = new Map<string, RE2JS | undefined>();

// A buyer writes this pattern, so it may be built to hang us: RE2 takes time linear to the text, whatever the pattern.
function compile(pattern: string): RE2JS | undefined {
  if (pattern.length > regexLengthMax) return undefined;
  if (compiledPatterns.has(pattern)) return compiledPatterns.get(pattern);
  const compiled = tryCompile(pattern);
  const [oldest] = compiledPatterns.keys();
  if (compiledPatterns.size >= patternsRemembered && oldest !== undefined) compiledPatterns.delete(oldest);
  compiledPatterns.set(pattern, compiled);
  return compiled;
}

function tryCompile(pattern: string): RE2JS | undefined {
  try {
    return RE2JS.compile(pattern);
  } catch (fault) {
    // The one thing that is expected: the buyer's pattern is none.
    if (fault instanceof RE2JSException) return undefined;
    throw fault;
  }
}
