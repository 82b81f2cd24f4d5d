// How values are written for the database and read from it: all of it as text, bytes apart.

/** A parameter as it is sent. */
export type Wire = string | Buffer | null;

/** What may be given as a parameter. */
export type Value = string | number | bigint | boolean | Date | Uint8Array | null | readonly Value[] | object;

const oids = { bool: 16, bytea: 17, int8: 20, timestamptz: 1184 };

/** The type that a parameter is sent with; 0 where the statement says which it is. An array never says it: it may be empty. */
export function typeOf(value: unknown): number {
  if (typeof value === "bigint") return oids.int8;
  if (typeof value === "boolean") return oids.bool;
  if (value instanceof Date) return oids.timestamptz;
  return value instanceof Uint8Array ? oids.bytea : 0;
}

/** A parameter as it is sent. Throws for undefined, which is a mistake of the caller where null is meant. */
export function wireOf(value: unknown): Wire {
  if (typeof value === "string") return value;
  if (value === null) return null;
  if (value instanceof Uint8Array)
    return Buffer.isBuffer(value) ? value : Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return Array.isArray(value) ? arrayText(value) : textOf(value);
}

function textOf(value: unknown): string {
  if (value === undefined)
    throw Object.assign(new Error("undefined is no value of a statement"), { code: "UNDEFINED_VALUE" });
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString("hex")}`;
  return typeof value === "object" ? JSON.stringify(value) : String(value as string | number | bigint);
}

function arrayText(values: readonly unknown[]): string {
  let text = "{";
  for (const [index, value] of values.entries()) {
    if (index > 0) text += ",";
    if (value === null) text += "NULL";
    else if (typeof value === "bigint" || typeof value === "number") text += String(value);
    else if (Array.isArray(value)) text += arrayText(value);
    else text += quoted(textOf(value));
  }
  return `${text}}`;
}

const special = /["\\]/g;
const quoted = (text: string): string => `"${text.replace(special, "\\$&")}"`;

export type Parse = (text: string) => unknown;

const date: Parse = (text) => new Date(text);
const bytes: Parse = (text) => Buffer.from(text.slice(2), "hex");
const json: Parse = (text) => JSON.parse(text) as unknown;
const isTrue: Parse = (text) => text === "t";

/** Types by their number, each with that of its array (PostgreSQL, pg_type.dat). Without a parser a value stays text. */
const types: readonly [oid: number, array: number, parse?: Parse][] = [
  [oids.bool, 1000, isTrue],
  [oids.bytea, 1001, bytes],
  [18, 1002],
  [19, 1003],
  [oids.int8, 1016, BigInt],
  [21, 1005, Number],
  [23, 1007, Number],
  [25, 1009],
  [26, 1028, Number],
  [114, 199, json],
  [700, 1021, Number],
  [701, 1022, Number],
  [1042, 1014],
  [1043, 1015],
  [1082, 1182, date],
  [1114, 1115, date],
  [oids.timestamptz, 1185, date],
  [1700, 1231],
  [2950, 2951],
  [3802, 3807, json],
];

/** How values of a type are read, by its number. One that is not here is text: an array of an enum is cast to text[] by who asks. */
export const parsers: ReadonlyMap<number, Parse> = new Map(
  types.flatMap(([oid, array, parse]): [number, Parse][] => [
    ...(parse ? [[oid, parse] satisfies [number, Parse]] : []),
    [array, (text) => arrayOf(text, parse)],
  ]),
);

/** An array as the database writes it: {1,NULL,"a \"word\""}, {{1},{2}}; one with bounds of its own begins with them. */
function arrayOf(text: string, parse: Parse = (element) => element): unknown[] {
  const begin = text.indexOf("{");
  if (!/["\\]/.test(text) && !text.includes("{", begin + 1)) {
    const inner = text.slice(begin + 1, -1);
    return inner === "" ? [] : inner.split(",").map((each) => (each === "NULL" ? null : parse(each)));
  }
  const element = /([{}])|"((?:[^"\\]|\\.)*)"|([^{},"]+)/gs;
  element.lastIndex = begin + 1;
  const nested = (): unknown[] => {
    const found: unknown[] = [];
    for (;;) {
      const [, brace, inQuotes, plain] = element.exec(text) ?? ["", "}"];
      if (brace === "}") return found;
      if (brace === "{") found.push(nested());
      else if (inQuotes !== undefined) found.push(parse(inQuotes.replace(/\\(.)/gs, "$1")));
      else found.push(plain === "NULL" ? null : parse(plain!));
    }
  };
  return nested();
}
