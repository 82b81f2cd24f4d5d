import { withoutEdges } from "./endpoint.ts";

export interface Login {
  readonly part: string;
  readonly domain: string | undefined;
  readonly password: string;
}

const form = /^([^:\s@]+)(?:@([^:\s@]+))?\s*:\s*(.+)$/;
const localPart = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const partLengthMax = 64; // RFC 5321 §4.5.3.1.1
const passwordLengthMax = 256;

/** Of logins that differ behind a plus alone the mailbox is one, at every domain. */
export const boxOf = (part: string): string => part.replace(/^([^+]+)\+.*$/, "$1");

/** The address of the mailbox that an address means. */
export function boxAddressOf(address: string): string {
  const at = address.lastIndexOf("@");
  return at < 0 ? address : `${boxOf(address.slice(0, at))}${address.slice(at)}`;
}

/** So many bytes of a file tell its encoding. */
export const encodingBytes = 4096;

/** UTF-16 by its mark or, as text of logins is mostly ASCII, by its zero bytes; else UTF-8. */
export function encodingOf(start: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  const [first, second] = start;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  const zeros = [0, 0];
  for (let at = 0; at < Math.min(start.length, encodingBytes); at++) if (start[at] === 0) zeros[at % 2]!++;
  const [even = 0, odd = 0] = zeros;
  if (Math.max(even, odd) < start.subarray(0, encodingBytes).length / 8) return "utf-8";
  return odd > even ? "utf-16le" : "utf-16be";
}

/** Reads `login:password`, with or without blanks around each; undefined for an empty line. Refusals never contain the password. */
export function readLogin(text: string): Login | "malformed" | undefined {
  const trimmed = withoutEdges(text);
  if (trimmed === "") return undefined;
  const [, login = "", domain, password = ""] = form.exec(trimmed) ?? [];
  const part = login.toLowerCase();
  const isRight =
    password !== "" &&
    password.length <= passwordLengthMax &&
    !/[\0\ufffd]/.test(text) &&
    part.length <= partLengthMax &&
    localPart.test(part);
  return isRight ? { part, domain: domain?.toLowerCase(), password } : "malformed";
}

const separator = /[:;,\t|]/;

/** Whether a line is a row of other columns than login:password, as lists of accounts have: the wrong part would be taken for the password. */
export function hasOtherColumns(text: string): boolean {
  const line = withoutEdges(text);
  const end = line.search(separator);
  if (end < 0) return false;
  const rest = line.slice(end + 1);
  return line[end] === ":" ? rest.includes("@") && separator.test(rest) : line.slice(0, end).includes("@");
}

/** Whether a file is no list of login:password, by its lines that are not empty and those of other columns. */
export const isOtherFile = ({ lines, otherColumns }: { lines: number; otherColumns: number }): boolean =>
  otherColumns * 2 > lines;
