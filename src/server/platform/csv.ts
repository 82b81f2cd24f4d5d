import { stringify } from "csv-stringify/sync";

/** Lines of a CSV file (RFC 4180). */
export const csv = (lines: string[][]): string => stringify(lines, { record_delimiter: "windows" });

/**
 * A spreadsheet takes a text that begins like this for a formula and runs it; the apostrophe says that it is a text. Where
 * people write decimals with a comma it parts cells at semicolons, and quotes inside of a line do not hold a cell together: so
 * what could become a cell there is held to the same.
 */
export function guarded(text: string): string {
  return text.replaceAll(/((?:^|[;\t\r\n])[\s"]*)(?=[=+\-@＝＋－＠])/gu, "$1'");
}
