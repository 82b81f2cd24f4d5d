import { answerIn, isWaiting, type Item, mayAct } from "./activations.ts";

export const addressesOf = (items: readonly Item[]): string => items.map(({ email }) => email).join("\n");

/** `address:code` of each order that has a code. */
export const codesOf = (items: readonly Item[]): string =>
  items.flatMap((item) => (answerIn(item) === undefined ? [] : `${item.email}:${answerIn(item)}`)).join("\n");

/** Those that a cancel refunds. */
export const refundable = (items: readonly Item[]): Item[] =>
  items.filter((item) => isWaiting(item) && mayAct("cancel", item));

const columns = ["activation_id", "site", "email", "state", "code", "link", "subject"];

/** RFC 4180. A cell that a spreadsheet would take for a formula begins with an apostrophe. */
export function fileOf(items: readonly Item[]): string {
  const rows = items.map((item) => [
    item.id ?? "",
    item.site,
    item.email,
    item.state,
    answerIn(item) ?? "",
    item.link ?? "",
    item.subject ?? "",
  ]);
  const cell = (text: string) => {
    const safe = text.replaceAll(/((?:^|[;\t\r\n])[\s"]*)(?=[=+\-@＝＋－＠])/gu, "$1'");
    return `"${safe.replaceAll('"', '""')}"`;
  };
  return [columns.join(","), ...rows.map((row) => row.map(cell).join(","))]
    .map((line) => `${line}\r\n`)
    .join("");
}
