/**
 * What a cell holds on the wire: `count`, `number`, `time` (unix seconds) are numbers, `flag` a boolean, `texts` a list of strings,
 * the others strings (`day` is YYYY-MM-DD, `json` is JSON as text); any may be null.
 */
export type CellKind =
  | "id"
  | "text"
  | "texts"
  | "count"
  | "number"
  | "dollars"
  | "time"
  | "day"
  | "flag"
  | "choice"
  | "json";

export interface OfficeColumn {
  readonly kind: CellKind;
  readonly sort?: true;
  readonly filter?: true;
  readonly of?: readonly string[];
  /** Not shown: the pages use it as the row's key or to know what can be done. */
  readonly hidden?: true;
}

export interface OfficeTable {
  readonly columns: Readonly<Record<string, OfficeColumn>>;
  readonly key: string;
  readonly sort: string;
  /** Search by id or by the beginning of email address, name or subject, not by part of a word; at most 10,000 results. */
  readonly search?: true;
  /** The time that a period is about: a column whose value is never null. */
  readonly time?: string;
  /** A filter looks at so many rows, the first in the chosen order. */
  readonly reach?: number;
}
