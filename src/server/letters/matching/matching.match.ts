import { regexLengthMax } from "../../../contract/limits.ts";
import { plainSigns, readPattern, type Pattern } from "../../../contract/pattern.ts";
import { visibleOf } from "../../codes/codes.ts";
import type { Parsed } from "../../mime/mime.ts";

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
  /** Of an order for any sender: the sites for which other buyers have or had its mailbox. */
  readonly othersSites?: readonly { readonly siteId: number; readonly site: string }[];
}

export type MatchInput = Pick<
  Parsed,
  "senderDomain" | "otherAuthors" | "dkimDomains" | "subject" | "text" | "plain" | "links"
> & {
  readonly arrivedAt: Date;
};

const textLengthMax = 10_000;
const valueLengthMax = 1_000;
// The cost of one pattern in one text: characters times the size of its program. The largest patterns read the first 3,000 characters.
const stepsMax = 1_500_000;
const patternsRemembered = 1_000;
const programsRemembered = 50_000;

/** Says what is wrong with a pattern; undefined when it can be used. */
export function checkPattern(pattern: string): string | undefined {
  const read = compile(pattern);
  return "wrong" in read ? read.wrong : undefined;
}

/** Why a letter does not fit: the first of these checks that fails. */
export type Missed = "time" | "sender" | "subject" | "regex";

export type Fit = { readonly value: string | undefined } | { readonly missed: Missed };

/** `senders` undefined takes any. `value` is the pattern's first group, or the whole match; undefined without a pattern. */
export function fit(letter: MatchInput, order: WaitingOrder, senders: ReadonlySet<string> | undefined): Fit {
  if (letter.arrivedAt < order.createdAt || letter.arrivedAt >= order.expiresAt) return { missed: "time" };
  if (senders && !isFrom(senders, letter)) return { missed: "sender" };
  if (order.subject !== null && !holdsWord(letter.subject, order.subject)) return { missed: "subject" };
  if (order.regex === null) return { value: undefined };
  const value = valueOf(order.regex, letter);
  return value === undefined ? { missed: "regex" } : { value };
}

type From = Pick<MatchInput, "senderDomain" | "otherAuthors" | "dkimDomains">;

/** Whether a site, by its sender domains, signed a letter or is every author of it: one of two sites is nobody's alone. */
const isFrom = (senders: ReadonlySet<string>, { senderDomain, otherAuthors, dkimDomains }: From) =>
  [senderDomain, ...otherAuthors].every((domain) => senders.has(domain)) ||
  dkimDomains.some((domain) => senders.has(domain));

/** Whether an order for any sender must not get a letter: another buyer's order lived at the mailbox, or has its sender's site (`anothers`). */
export function isAnothers(
  { arrivedAt, senderDomain, otherAuthors, dkimDomains }: From & Pick<MatchInput, "arrivedAt">,
  order: WaitingOrder,
  { orders, anothers }: { orders: readonly WaitingOrder[]; anothers: ReadonlySet<string> },
): boolean {
  if ([senderDomain, ...otherAuthors, ...dkimDomains].some((domain) => anothers.has(domain))) return true;
  return orders.some(
    ({ mailboxId, userId, createdAt, expiresAt }) =>
      mailboxId === order.mailboxId &&
      userId !== order.userId &&
      createdAt <= arrivedAt &&
      arrivedAt < expiresAt,
  );
}

export function valueOf(
  pattern: string,
  letter: Pick<MatchInput, "subject" | "text" | "plain" | "links">,
): string | undefined {
  const read = compile(pattern);
  if ("wrong" in read) return undefined;
  const texts = textsOf(pattern, letter);
  return valueIn(read, texts) ?? valueAsRead(pattern, texts);
}

function valueIn(read: Pattern, texts: Iterable<string>): string | undefined {
  if ("wrong" in read) return undefined;
  const { compiled } = read;
  const lengthMax = Math.min(textLengthMax, Math.ceil(stepsMax / compiled.programSize()));
  for (const text of texts) {
    const matcher = compiled.matcher(text.slice(0, lengthMax));
    if (!matcher.find()) continue;
    const found = (compiled.groupCount() > 0 ? matcher.group(1) : null) ?? matcher.group() ?? "";
    return found.slice(0, valueLengthMax).replaceAll("\0", "").toWellFormed();
  }
  return undefined;
}

/**
 * What the pattern finds as one reads a letter: each line as a text of its own, a line break as a blank, and typographic
 * signs as one types them. An empty value is none: an empty line is no text. Looks only for what the pattern has a sign for.
 */
function valueAsRead(pattern: string, texts: ReadonlySet<string>): string | undefined {
  const signs = plainSigns(pattern.replaceAll(/\[[^\]]*\]/g, ""));
  const isByLine = /[$^]/.test(signs);
  const hasBlank = signs.includes(" ");
  if (!isByLine && !hasBlank && !/['"-]/.test(signs)) return undefined;
  const lines = [...texts].map(asLines);
  // A dot must not lead from one paragraph into the next.
  const breaks = /(?<!\\)\./.test(signs) ? /(?<!\n)\n(?!\n)/g : /\n+/g;
  const joined = hasBlank ? lines.map((text) => text.replaceAll(breaks, " ")) : [];
  const others = new Set([...(hasBlank && !isByLine ? [] : lines), ...joined]);
  if (!isByLine) for (const text of texts) others.delete(text);
  return valueIn(compile(pattern, { asRead: true }), others) || undefined;
}

const asLines = (text: string) =>
  plainSigns(visibleOf(text))
    .replaceAll(/[ \t]+/g, " ")
    .replaceAll(/ ?\n ?/g, "\n");

// Link addresses are no visible text: "[0-9]{6}" must not find a number in one, but a pattern for an address may.
const isForAddress = (pattern: string) =>
  /https?|:\/\/|\.[a-z]{2,}\/|\/[a-z][\w-]*\/|[?&]\]?[a-z_]+=/i.test(pattern.replaceAll(/\\(?=[./?])/g, ""));

/** The texts to search, visible ones first. The subject is last: many sites write the code only there. */
function textsOf(
  pattern: string,
  { subject, text, plain, links }: Pick<MatchInput, "subject" | "text" | "plain" | "links">,
): ReadonlySet<string> {
  const texts = [text.slice(0, textLengthMax)];
  if (plain !== text && plain !== "") texts.push(plain.slice(0, textLengthMax));
  if (isForAddress(pattern)) texts.push(addressesOf(links));
  if (subject !== "") texts.push(subject);
  // Senders put zero-width characters between digits; scripts that need such characters are matched unchanged first.
  return new Set(texts.flatMap((each) => [each, visibleOf(each)]));
}

const addressesOf = (links: MatchInput["links"]) =>
  links
    .map(({ href }) => href)
    .join("\n")
    .slice(0, textLengthMax);

const remembered = new Map<string, Pattern>();
let programs = 0;

const sizeOf = (read: Pattern) => ("wrong" in read ? 1 : read.compiled.programSize());

function compile(pattern: string, { asRead = false } = {}): Pattern {
  const name = asRead ? `\0${pattern}` : pattern;
  const known = remembered.get(name);
  if (known) return known;
  const read = readPattern(pattern, { asRead });
  if (pattern.length > regexLengthMax) return read;
  remembered.set(name, read);
  programs += sizeOf(read);
  for (const [oldest, old] of remembered) {
    if (programs <= programsRemembered && remembered.size <= patternsRemembered) break;
    remembered.delete(oldest);
    programs -= sizeOf(old);
  }
  return read;
}

const holdsWord = (subject: string, word: string) => folded(subject).includes(folded(word));

/**
 * Folds typographic signs, compatibility forms, and case by upper case: only so ß is SS, ς is σ, ı is I; İ and ẞ become I and SS too. Accents
 * count.
 */
export function folded(text: string): string {
  // All of ASCII but the grave accent, which stands for an apostrophe.
  if (/^[\0-_a-\x7f]*$/.test(text)) return text.toUpperCase();
  return visibleOf(plainSigns(plainSigns(text).normalize("NFKC")))
    .toUpperCase()
    .replaceAll("\u1e9e", "SS")
    .normalize("NFKD")
    .replaceAll(/I\p{M}+/gu, (marked) => marked.replaceAll("\u0307", ""))
    .normalize("NFKC");
}
