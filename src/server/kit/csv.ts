import { stringify } from "csv-stringify/sync";

/** Lines of a CSV file (RFC 4180). */
export const csv = (lines: string[][]): string => stringify(lines, { record_delimiter: "windows" });

/** A spreadsheet takes a text that begins like this for a formula and runs it; the apostrophe says that it is a text. */
export function guarded(text: string): string {
  return /^[=+\-@\t\r\n＝＋－＠]/u.test(text) ? `'${text}` : text;
}
