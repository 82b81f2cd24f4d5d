import type { Command } from "commander";
import type { OfficeTableName } from "../../contract/office/office.ts";
import { now } from "../platform/clock.ts";
import { openOffice } from "../office/office.ts";
import { setShareLimit, shareLimit } from "../orders/orders.ts";
import { type Act, type Column, operator, refused, ok, showTime, table, withPages } from "./answer.ts";
import type { Nouns } from "./nouns.ts";
import { type Paged, pageOption } from "./read.ts";

export type Row = Readonly<Record<string, unknown>>;

export function addShareCommands({ noun, verb }: Nouns): void {
  const lists = (noun: Command, about: string, act: (page: number) => Act) =>
    verb(noun, "list", about, ({ page }: Paged) => act(page)).option(...pageOption("twenty-five"));
  const shares = noun("shares", "held shares of investors: nothing proves the letters");
  lists(shares, "shows what is held, by batch and site", (page) =>
    list("shares", page, shareColumns, "Nothing is held."),
  );
  verb(
    shares,
    "limit [percent]",
    "shows or sets how much of a price all shares together may be",
    limitShares,
  );
  const complaints = noun("complaints", "letters that are not from the site, according to their buyers");
  lists(complaints, "shows complaints", (page) =>
    list("complaints", page, complaintColumns, "There are no complaints."),
  );
}

const text = (value: unknown) => (value === null || value === undefined ? "" : String(value as string));
export const time = (value: unknown) => (typeof value === "number" ? showTime(new Date(value * 1000)) : "");
export const column = (title: string, name: string, right = false): Column<Row> => ({
  title,
  of: (row) => text(row[name]),
  right,
});

const shareColumns: Column<Row>[] = [
  column("batch", "batch", true),
  column("site", "site"),
  column("investor", "email"),
  column("held", "held", true),
  column("orders", "orders", true),
  column("to review", "waiting", true),
  column("buyers", "buyers", true),
  column("largest", "largest", true),
  column("own buyer", "tied", true),
  { title: "since", of: ({ since }) => time(since) },
  { title: "proved", of: (row) => `${text(row["proved"])} of ${text(row["letters"])}`, right: true },
  { title: "own", of: (row) => `${text(row["own_proved"])} of ${text(row["own_letters"])}`, right: true },
  column("complaints", "complaints", true),
  { title: "", of: (row) => (row["refused"] === true ? "refused" : "") },
];

const complaintColumns: Column<Row>[] = [
  column("order", "id", true),
  { title: "at", of: ({ at }) => time(at) },
  column("state", "state"),
  column("buyer", "email"),
  column("batch", "batch", true),
  column("site", "site"),
  column("price", "price", true),
  column("of the buyer", "by_buyer", true),
  column("of the batch", "by_batch", true),
];

/** A page of a table of the back office. */
export function list(name: OfficeTableName, page: number, columns: Column<Row>[], none: string): Act {
  return async ({ db }) => {
    const read = await openOffice(db).page({ table: name }, page, now());
    if (typeof read === "string") throw new Error(`the table ${name} cannot be read: ${read}`);
    const { rows, pages } = read;
    const shown = table(rows, columns, none);
    return ok({ [name]: rows, pages }, withPages(shown, page, pages));
  };
}

function limitShares(text?: string): Act {
  return async ({ db }) => {
    if (text === undefined) {
      const percent = await shareLimit(db);
      return ok({ percent }, `All shares of a price together are at most ${percent} % of it.`);
    }
    const percent = Number(text);
    if (!/^\d{2,3}(\.\d{1,4})?$/.test(text) || percent < 10 || percent > 100)
      return refused("The limit is a number of percent from 10 to 100, with at most 4 decimals.");
    const before = await setShareLimit(db, percent, operator);
    return ok(
      { percent, before },
      `All shares of a price together are at most ${percent} % of it; until now ${before} %.`,
    );
  };
}
