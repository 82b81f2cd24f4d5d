// Checks SPF, DKIM and DMARC of a hostile letter, within bounds. Uses no database, so that it runs in a thread of its own.
import { boxAddressOf } from "../../../contract/login.ts";
import { dkimVerify } from "mailauth/lib/dkim/verify.js";
import { evaluateDmarc } from "mailauth/lib/dmarc/index.js";
import { spf as checkSpf } from "mailauth/lib/spf/index.js";
import { registrable } from "../../platform/registrable.ts";
import type { Dns } from "../../platform/dns.ts";

export type Result = "none" | "pass" | "fail" | "softfail" | "neutral" | "policy" | "temperror" | "permerror";

export interface Envelope {
  /** Null for a letter that did not come by SMTP. */
  readonly remote: string | null;
  readonly helo: string;
  readonly mailFrom: string;
  readonly to: readonly string[];
}

export interface Authenticated {
  readonly spf: Result | null;
  readonly dkim: Result;
  readonly dmarc: Result | null;
  /** The registrable domains whose signatures hold for the whole letter, in order. */
  readonly dkimDomains: readonly string[];
  /** Of these, those whose signature covers To and Date, where To names a mailbox that got the letter. */
  readonly dkimAddressed: readonly string[];
  /** Of the Date field; null without one, or with several. */
  readonly datedAt: Date | null;
}

const millisecondsMax = 8_000;
const headerBytesMax = 256 * 1024;
const headerFieldsMax = 4_000;
const fromLengthMax = 8 * 1024;
// The library's work grows with the lines and with the square of the longest. A picture of 10 MB has 137,000 lines of 76 bytes.
const linesMax = 150_000;
const lineBytesMax = 64 * 1024;
const signaturesMax = 5;
/** The library searches the whole header for each field that it names. */
const signatureLengthMax = 4 * 1024;
/** A key for each signature, and one for the seal of a forwarder, which the library asks for as well. */
const dkimQuestionsMax = signaturesMax + 1;
/** RFC 7208 §4.6.4 allows ten terms that ask, and ten hosts for some of them. */
const spfQuestionsMax = 50;
/** At most eight names upwards (RFC 9989 §4.10), for the author and for each domain that may be the author's. */
const dmarcQuestionsMax = 40;

type Dkim = Awaited<ReturnType<typeof dkimVerify>>;
type Signature = Dkim["results"][number];

/** Never throws for what a letter says or name servers answer; takes some seconds at most. */
export async function authenticate(raw: Uint8Array, envelope: Envelope, dns: Dns): Promise<Authenticated> {
  const until = performance.now() + millisecondsMax;
  const letter = boundedOf(raw);
  const [dkim, spf] = await Promise.all([
    letter && dkimVerify(letter, { strict: true, resolver: dns.asker(until, dkimQuestionsMax) }),
    envelope.remote === null ? undefined : spfOf(envelope.remote, envelope, dns, until),
  ]);
  const spfResult = (spf?.status.result as Result | undefined) ?? null;
  if (!letter || !dkim) return { ...nothingProved, spf: spfResult, dkim: "permerror", dmarc: "permerror" };
  const holding = dkim.results.filter(isWhole);
  const dkimResult = best(dkim.results.map(resultOf));
  const signers = signersOf(holding);
  const { isAddressed, datedAt } = headOf(letter, envelope.to);
  // Without SPF and DKIM a letter proves nothing.
  const isKnown = spf !== undefined || dkimResult !== "none";
  const found = isKnown ? await dmarcOf(dkim, signers, spf, dns.asker(until, dmarcQuestionsMax)) : null;
  return {
    spf: spfResult,
    dkim: dkimResult,
    dmarc: found === "fail" ? failureOf(spfResult, dkimResult) : found,
    dkimDomains: registrablesOf(signers),
    dkimAddressed: isAddressed ? registrablesOf(signersOf(holding.filter(coversToAndDate))) : [],
    datedAt,
  };
}

export const nothingProved = { dkimDomains: [], dkimAddressed: [], datedAt: null } as const;

const signersOf = (signatures: readonly Signature[]) =>
  signatures.flatMap(({ signingDomain }) => (signingDomain ? [signingDomain] : []));

const registrablesOf = (domains: readonly string[]) =>
  [...new Set(domains.flatMap((domain) => registrable(domain) ?? []))].toSorted();

/** Without these two in the signature a signed letter could be replayed into another mailbox, or at another time. */
function coversToAndDate({ signingHeaders }: Signature): boolean {
  const fields = (signingHeaders?.keys ?? "").toLowerCase().split(/[\s:]+/);
  return fields.includes("to") && fields.includes("date");
}

function headOf(letter: Buffer, to: readonly string[]): { isAddressed: boolean; datedAt: Date | null } {
  const fields = fieldsOf(letter, headEndOf(letter));
  const oneOf = (name: string) => {
    const found = fields.filter((field) => new RegExp(`^${name}[ \\t]*:`, "i").test(field));
    return found.length === 1 ? (found[0] ?? "").slice((found[0] ?? "").indexOf(":") + 1) : "";
  };
  const named = oneOf("to")
    .toLowerCase()
    .split(/[\s<>,;:"']+/)
    .flatMap((address) => [address, mailboxOf(address)]);
  const date = new Date(oneOf("date").trim());
  return {
    isAddressed: to.some((address) => named.includes(address)),
    datedAt: Number.isNaN(date.getTime()) ? null : date,
  };
}

/** As reception.recipients.ts finds it. */
const mailboxOf = (address: string) => boxAddressOf(address).replace(/\.$/, "");

const spfOf = (ip: string, { helo, mailFrom }: Envelope, dns: Dns, until: number) =>
  checkSpf({
    ip,
    helo,
    sender: mailFrom,
    // Only in explanations, which are not kept.
    mta: "localhost",
    strict: true,
    maxElapsedTime: millisecondsMax,
    resolver: dns.asker(until, spfQuestionsMax),
  });

type Spf = Awaited<ReturnType<typeof spfOf>>;

async function dmarcOf(
  { headerFrom, fromFields }: Dkim,
  signers: readonly string[],
  spf: Spf | undefined,
  resolver: ReturnType<Dns["asker"]>,
): Promise<Result> {
  const { response } = await evaluateDmarc({
    headerFrom,
    fromFields,
    spfDomains: spf?.status.result === "pass" ? [spf.domain] : [],
    dkimDomains: signers.map((domain) => ({ domain })),
    resolver,
    strict: true,
  });
  // Without one single author nothing can be proved.
  return response ? (response.status.result as Result) : "permerror";
}

/** A temporary error is not a failure. */
function failureOf(spf: Result | null, dkim: Result): Result | null {
  if (spf === "temperror" || dkim === "temperror") return "temperror";
  return spf === null ? null : "fail";
}

/** A signature that leaves the end of the letter open (l=) lets anyone append to it; one by a key that is tried out (t=y) counts as none. */
const isWhole = ({ status }: Signature) => status.result === "pass" && !status.underSized && !status.testing;

function resultOf(signature: Signature): Result {
  if (signature.status.result === "pass" && !isWhole(signature)) return "policy";
  return signature.status.result as Result;
}

const ranks: Result[] = ["pass", "temperror", "fail", "policy", "permerror", "neutral", "softfail", "none"];

/** One that passes is enough; a temporary error may pass later. */
const best = (results: readonly Result[]): Result =>
  ranks.find((result) => results.includes(result)) ?? "none";

function boundedOf(raw: Uint8Array): Buffer | undefined {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const headEnd = headEndOf(bytes);
  if (headEnd > headerBytesMax || !hasBoundedLines(bytes.subarray(headEnd))) return undefined;
  const fields = fieldsOf(bytes, headEnd);
  const from = fields.filter((field) => /^from[ \t]*:/i.test(field));
  if (fields.length > headerFieldsMax || from.join("").length > fromLengthMax) return undefined;
  let signatures = 0;
  const kept = fields.filter(
    (field) =>
      !/^dkim-signature[ \t]*:/i.test(field) ||
      (field.length <= signatureLengthMax && ++signatures <= signaturesMax),
  );
  if (kept.length === fields.length) return bytes;
  return Buffer.concat([Buffer.from(kept.join(""), "latin1"), bytes.subarray(headEnd)]);
}

function headEndOf(bytes: Buffer): number {
  const end = bytes.indexOf("\r\n\r\n");
  return end < 0 ? bytes.length : end + 2;
}

/** Latin-1 keeps every byte. */
const fieldsOf = (bytes: Buffer, headEnd: number) =>
  bytes.toString("latin1", 0, headEnd).split(/(?<=\r\n)(?![ \t])/);

function hasBoundedLines(body: Buffer): boolean {
  let lines = 0;
  let start = 0;
  for (let end = body.indexOf(0x0a); end >= 0; end = body.indexOf(0x0a, start)) {
    if (++lines > linesMax || end - start > lineBytesMax) return false;
    start = end + 1;
  }
  return body.length - start <= lineBytesMax;
}
