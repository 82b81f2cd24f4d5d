import { turningMarks } from "../../i18n/direction.ts";
import type { Config } from "../platform/config/config.ts";
import type { Db } from "../platform/db/db.ts";
import type { Log } from "../platform/log.ts";
import * as users from "../users/users.ts";

/** What a command works with. */
export interface CommandContext {
  readonly db: Db;
  readonly config: Config;
  readonly log: Log;
  /** Shows how far a long command is, where a person can see it; a script's stdout stays clean. */
  readonly progress: (line: string) => void;
}

/** What a command says: a value for scripts and a text for people, or why not, in one sentence. Both: done, but not well. */
export interface Answer {
  readonly json?: unknown;
  readonly text?: string;
  readonly refused?: string;
}

/** The work of a command. */
export type Act = (context: CommandContext) => Promise<Answer>;

/** Who the journal names for what is done by the operator's command. */
export const operator = "operator";

/** A value for scripts and its text for people. */
export function said(json: unknown, text: string): Answer {
  return { json, text };
}

/** Why not, in one sentence. */
export function refused(sentence: string): Answer {
  return { refused: sentence };
}

/** Does something about the account of an e-mail address. */
export function withUser(
  email: string,
  act: (user: users.User, context: CommandContext) => Promise<Answer>,
): Act {
  return async (context) => {
    const user = await users.find(context.db, email);
    return user ? act(user, context) : refused(`There is no account with the e-mail address ${email}.`);
  };
}

export const noDomain = (name: string) =>
  `There is no mail domain ${name}; "domains list" shows those that are.`;

/** An answer as one line of JSON. Ids and amounts are strings, as on the wire; times are ISO 8601. */
export function asJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === "bigint" ? String(part) : part));
}

export interface Column<Row> {
  readonly title: string;
  readonly of: (row: Row) => string;
  /** Numbers stand under one another by their last digit. */
  readonly right?: boolean;
}

/** Ends of lines and what terminals obey. */
const disturbing = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/** Much in a table was written by somebody else, who must not write rows of his own into the journal. */
const calm = (text: string) => text.replaceAll(turningMarks, " ").replaceAll(disturbing, " ");

/** Rows as aligned columns under their titles; `none` when there are no rows. */
export function table<Row>(rows: readonly Row[], columns: readonly Column<Row>[], none: string): string {
  if (rows.length === 0) return none;
  const lines = [
    columns.map(({ title }) => title),
    ...rows.map((row) => columns.map(({ of }) => calm(of(row)))),
  ];
  const widths = columns.map((_column, place) => Math.max(...lines.map((line) => line[place]?.length ?? 0)));
  const show = (line: readonly string[]) =>
    line
      .map((cell, place) => {
        const width = widths[place] ?? 0;
        return columns[place]?.right ? cell.padStart(width) : cell.padEnd(width);
      })
      .join("  ")
      .trimEnd();
  return lines.map(show).join("\n");
}

/** A page of a table, and which it is. */
export const withPages = (text: string, page: number, pages: number): string =>
  pages > 1 ? `${text}\n\npage ${page} of ${pages}` : text;

/** Names and values under one another. */
export function list(pairs: Readonly<Record<string, string>>): string {
  const width = Math.max(...Object.keys(pairs).map((name) => name.length));
  return Object.entries(pairs)
    .map(([name, value]) => `${name.padEnd(width)}  ${value}`)
    .join("\n");
}

/** A point in time as people read it. */
export function showTime(at: Date): string {
  return `${at.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** A count with thousands apart. */
export function showCount(count: number | bigint): string {
  return count.toLocaleString("en-US");
}
