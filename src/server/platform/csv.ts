import { stringify } from "csv-stringify/sync";

/** RFC 4180. */
export const csv = (lines: string[][]): string => stringify(lines, { record_delimiter: "windows" });

/**
 * Guards against formula injection. Also after a semicolon: where decimals have a comma, spreadsheets split cells there, even
 * inside quotes.
 */
export function guarded(text: string): string {
  return text.replaceAll(/((?:^|[;\t\r\n])[\s"]*)(?=[=+\-@＝＋－＠])/gu, "$1'");
}
