import { stringify } from "csv-stringify/sync";

/** RFC 4180. */
export const csv = (lines: string[][]): string => stringify(lines, { record_delimiter: "windows" });

/** Guards against formula injection, also after a semicolon: with decimal commas spreadsheets split cells there, even in quotes. */
export function guarded(text: string): string {
  return text.replaceAll(/((?:^|[;\t\r\n])[\s"]*)(?=[=+\-@＝＋－＠])/gu, "$1'");
}
