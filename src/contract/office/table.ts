// What a table of the back office is.
/**
 * What a cell holds on the wire. `id`, `text`, `dollars`, `day` (YYYY-MM-DD), `choice` and `json` (JSON as text) are strings,
 * `count`, `number` and `time` (unix seconds) are numbers, `flag` is a boolean, `texts` a list of strings; any may be null.
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
  /** Rows can be put in its order. */
  readonly sort?: true;
  /** Rows can be had for one value of it. */
  readonly filter?: true;
  /** Of a `choice`: its values. */
  readonly of?: readonly string[];
  /** Says nothing to people, but names the row or says what can be done about it: pages and files do not show it. */
  readonly hidden?: true;
}

export interface OfficeTable {
  readonly columns: Readonly<Record<string, OfficeColumn>>;
  /** The column that names a row. */
  readonly key: string;
  /** The order in which rows come when nobody asks for another. */
  readonly sort: string;
  /**
   * Whether rows can be searched: for one by its id, and for those whose e-mail address, name, subject of the act … begins so.
   * What is only part of a word is not found; of more than 10,000 finds the first are looked at.
   */
  readonly search?: true;
  /** What is filtered is looked for among so many rows, the first ones in the order that is asked for. */
  readonly reach?: number;
}
