// A statement as the code says it: sql`… ${value} … ${sql`…`} …`. Values are always sent apart from the text.
import type { Readable, Writable } from "node:stream";
import { typeOf, type Value, type Wire, wireOf } from "./db.values.ts";

/** A row of a statement whose shape nobody said. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Row = Record<string, any>;

/** The rows of an answer. */
export class Rows<Of = Row> extends Array<Of> {
  #count = 0;

  /** How many rows the statement gave or changed. */
  get count(): number {
    return this.#count;
  }

  static counted<Of>(rows: Rows<Of>, count: number): Rows<Of> {
    rows.#count = count;
    return rows;
  }

  // What is mapped and filtered is a plain array.
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }
}

/** What `copy … to stdout` gives: its rows in pieces, to be read to the end, and then how many there were. */
export interface Given {
  readonly rows: Readable;
  readonly count: Promise<number>;
}

/** Where a statement is said: a pool, a transaction, a connection. */
export interface Speaker {
  say(query: Query): Promise<Rows>;
  /** Says `copy … from stdin`; what is written to the answer are its rows. */
  copy(query: Query): Promise<Writable>;
  /** Says `copy … to stdout`. */
  give(query: Query): Promise<Given>;
}

// As a promise has it.
// oxlint-disable-next-line typescript/no-explicit-any
type Refused<Mended> = ((fault: any) => Mended | PromiseLike<Mended>) | null;

/** The answer of a statement that is said when it is awaited, and not at all when it is a part of another. */
export class Query<Answer = Rows> implements Promise<Answer> {
  readonly [Symbol.toStringTag] = "Query";
  readonly strings: readonly string[];
  readonly values: readonly unknown[];
  /** A text that was not written as a template: with no values it may be several statements, and it is not prepared. */
  readonly isPlain: boolean;
  readonly #speaker: Speaker;
  #answer: Promise<Answer> | undefined;

  constructor(
    speaker: Speaker,
    strings: readonly string[],
    values: readonly unknown[],
    isPlain: boolean = false,
  ) {
    this.strings = strings;
    this.values = values;
    this.isPlain = isPlain;
    this.#speaker = speaker;
  }

  // oxlint-disable-next-line unicorn/no-thenable
  then<Kept = Answer, Mended = never>(
    kept?: ((answer: Answer) => Kept | PromiseLike<Kept>) | null,
    refused?: Refused<Mended>,
  ): Promise<Kept | Mended> {
    return (this.#answer ??= this.#speaker.say(this as Query) as Promise<Answer>).then(kept, refused);
  }

  catch<Mended = never>(refused?: Refused<Mended>): Promise<Answer | Mended> {
    return this.then(undefined, refused);
  }

  finally(over?: (() => void) | null): Promise<Answer> {
    return this.then().finally(over);
  }

  /** The same, with a text in which nothing is left to fill in. */
  asPlain(text: string): Query {
    return new Query(this.#speaker, [text], [], true);
  }

  /** Of `copy … from stdin`: what is written here are its rows. */
  writable(): Promise<Writable> {
    return this.#speaker.copy(this as Query);
  }

  /** Of `copy … to stdout`. */
  readable(): Promise<Given> {
    return this.#speaker.give(this as Query);
  }
}

/** A part of a statement. */
export type Fragment = Query;

/** Says statements: sql`…`. */
export interface Sql {
  <Answer extends readonly object[] = Row[]>(
    strings: TemplateStringsArray,
    ...values: readonly Value[]
  ): Query<Rows<Answer[number]>>;
  /** A name of a table or a column, as a part of a statement. */
  (name: string): Fragment;
  /** A text that is a statement, or several, or a part of one. Nothing of a stranger may be in it; parameters are $1, $2. */
  unsafe<Answer extends readonly object[] = Row[]>(
    text: string,
    values?: readonly Value[],
  ): Query<Rows<Answer[number]>>;
}

/** Makes the function that says statements on `speaker`. */
export function sqlOf(speaker: Speaker): Sql {
  const unsafe = (text: string, values: readonly unknown[] = []) => new Query(speaker, [text], values, true);
  const query = (strings: TemplateStringsArray | string, ...values: unknown[]) =>
    new Query(speaker, typeof strings === "string" ? nameOf(strings) : strings, values);
  return Object.assign(query, { unsafe }) as Sql;
}

/** Names in quotes, each as a template of its own. */
const names = new Map<string, readonly string[]>();

function nameOf(name: string): readonly string[] {
  const known = names.get(name);
  if (known) return known;
  const quoted = [`"${name.replaceAll('"', '""').replaceAll(".", '"."')}"`];
  names.set(name, quoted);
  return quoted;
}

/** A text with the types of its parameters: what a connection prepares once. */
export class Plan {
  readonly text: string;
  readonly types: readonly number[];
  /** Where it was said first, for the stack of its faults. */
  readonly origin = new Error("said");

  constructor(text: string, types: readonly number[]) {
    this.text = text;
    this.types = types;
  }
}

/** A statement with its values, as it is sent. */
export interface Planned {
  readonly plan: Plan;
  readonly values: readonly Wire[];
  /** Whether the plan is the same the next time, so that it is worth preparing. */
  readonly isKept: boolean;
}

/**
 * What is known of all statements that have the same templates in the same places. Found by the templates themselves, which are the
 * same objects each time, so that no text is joined or compared.
 */
class Known {
  /** By the count of values before a part, and the part. */
  readonly #next: Map<readonly string[], Known>[] = [];
  readonly #plans: Plan[] = [];
  #text: string | undefined;

  after(count: number, part: Query): Known {
    const nexts = (this.#next[count] ??= new Map());
    const found = nexts.get(part.strings) ?? new Known();
    if (!nexts.has(part.strings)) nexts.set(part.strings, found);
    return found;
  }

  /** The plan for parameters of these types: a null says no type. */
  planOf(query: Query, types: readonly number[]): Plan {
    for (const plan of this.#plans) if (isSame(plan.types, types)) return plan;
    const plan = new Plan((this.#text ??= joined(query)), types);
    this.#plans.push(plan);
    return plan;
  }
}

function isSame(some: readonly number[], others: readonly number[]): boolean {
  for (let index = 0; index < some.length; index++) if (some[index] !== others[index]) return false;
  return some.length === others.length;
}

const nothing = new Known();
/** As many as the protocol counts. */
const valuesMax = 65_535;

/** The text of a statement and its values. Throws for a value that cannot be sent. */
export function planned(query: Query): Planned {
  const values: Wire[] = [];
  const types: number[] = [];
  let isKept = true;
  const walk = (before: Known, part: Query): Known => {
    // A text that was put together may be another one each time: nothing is kept of it.
    if (part.isPlain) isKept = false;
    let known = isKept ? before.after(values.length, part) : before;
    for (const value of part.values) {
      if (value instanceof Query) known = walk(known, value as Query);
      else {
        types.push(typeOf(value));
        values.push(wireOf(value));
      }
    }
    return known;
  };
  const known = walk(nothing, query);
  if (values.length > valuesMax)
    throw new Error(`a statement has ${values.length} values, at most ${valuesMax} can be sent`);
  return { plan: isKept ? known.planOf(query, types) : new Plan(joined(query), types), values, isKept };
}

/** The text, with $1, $2, … in the places of the values. */
function joined(query: Query): string {
  let count = 0;
  const join = ({ strings, values, isPlain }: Query): string =>
    isPlain
      ? strings[0]!
      : strings.reduce((text, next, index) => {
          const value = values[index - 1];
          return `${text}${value instanceof Query ? join(value as Query) : `$${++count}`}${next}`;
        });
  return join(query);
}
