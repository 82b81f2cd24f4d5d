import { turningMarks } from "../../i18n/direction.ts";
import type { Config } from "../platform/config/config.ts";
import type { Db } from "../platform/db/db.ts";
import type { Log } from "../platform/log.ts";
import * as users from "../users/users.ts";

export interface CommandContext {
  readonly db: Db;
  /** Of its database. */
  readonly url: string;
  readonly config: Config;
  readonly log: Log;
  /** On a terminal only; a script's stdout stays clean. */
  readonly progress: (line: string) => void;
}

/** A value for scripts and a text for people, or the reason of a refusal. Both: done with a problem. */
export interface Answer {
  readonly json?: unknown;
  readonly text?: string;
  readonly refused?: string;
}

export interface Act {
  (context: CommandContext): Promise<Answer>;
  /** What it can do without: "a schema" of this program, or the whole database, which is then not opened. */
  readonly without?: "a schema" | "a database";
}

/** An act that works on any database, migrated to this program or not. */
export const withoutSchema = (act: (context: CommandContext) => Promise<Answer>): Act =>
  Object.assign(act, { without: "a schema" as const });

/** An act that opens what it needs itself. */
export const withoutDatabase = (act: (context: Omit<CommandContext, "db" | "url">) => Promise<Answer>): Act =>
  Object.assign(act, { without: "a database" as const });

/** The journal's name for the operator. */
export const operator = "operator";

export function ok(json: unknown, text: string): Answer {
  return { json, text };
}

export function refused(sentence: string): Answer {
  return { refused: sentence };
}

export function withUser(
  email: string,
  act: (user: users.User, context: CommandContext) => Promise<Answer>,
): Act {
  return async (context) => {
    const user = await users.find(context.db, email);
    return user ? act(user, context) : refused(`There is no account with the email address ${email}.`);
  };
}

export const noDomain = (name: string) =>
  `There is no mail domain ${name}; "domains list" shows those that are.`;

/** One line of JSON. Ids and amounts are strings, as on the wire; times are ISO 8601. */
export function asJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === "bigint" ? String(part) : part));
}

export interface Column<Row> {
  readonly title: string;
  readonly of: (row: Row) => string;
  readonly right?: boolean;
}

/** Line ends and control characters. */
const disturbing = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/** Tables show foreign texts, which must not forge rows or control the terminal. */
const calm = (text: string) => text.replaceAll(turningMarks, " ").replaceAll(disturbing, " ");

/** Aligned columns; `none` when there are no rows. */
export function table<Row>(rows: readonly Row[], columns: readonly Column<Row>[], none: string): string {
  if (rows.length === 0) return none;
  const lines = [
    columns.map(({ title }) => title),
    ...rows.map((row) => columns.map(({ of }) => calm(of(row)))),
  ];
  // Not Math.max(...lines): a call takes no more than some 100,000 arguments.
  const widths = columns.map((_column, place) =>
    lines.reduce((width, line) => Math.max(width, line[place]?.length ?? 0), 0),
  );
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

export const withPages = (text: string, page: number, pages: number): string =>
  pages > 1 ? `${text}\n\npage ${page} of ${pages}` : text;

export function list(pairs: Readonly<Record<string, string>>): string {
  const width = Math.max(...Object.keys(pairs).map((name) => name.length));
  return Object.entries(pairs)
    .map(([name, value]) => `${name.padEnd(width)}  ${calm(value)}`)
    .join("\n");
}

export function showTime(at: Date): string {
  return `${at.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

export function showCount(count: number | bigint): string {
  return count.toLocaleString("en-US");
}
