// The forms of settings as fields of zod. A field's message completes the sentence that begins with the setting's name.
import { isIP } from "node:net";
import { resolve } from "node:path";
import { z } from "zod/mini";

/** A setting is wrong. The message is a sentence for the operator that names the setting. */
export class ConfigError extends Error {
  override name = "ConfigError";
}

export type Environment = Readonly<Record<string, string | undefined>>;
/** Reads the text of a setting. */
export type Field<Value> = z.ZodMiniType<Value, string>;

interface Facts {
  /** One sentence for the documents, where settings of the same sentence stand together. */
  readonly says: string;
  /** What one of its numbers is. */
  readonly unit?: string;
  /** No message repeats what it holds. */
  readonly secret?: true;
  /** Every visitor may know it: pages get its value. */
  readonly pages?: true;
  /** What the documents call its default, where that follows from other settings. */
  readonly usual?: string;
}

export interface Setting<Value = unknown> extends Facts {
  readonly name: string;
  readonly field: Field<Value>;
  /** As it would be written; undefined: the setting may stay unset. */
  readonly usually: string | undefined;
}

export type Table = Readonly<Record<string, Setting>>;
/** What is read by a table. */
export type Values<Of> = {
  readonly [Key in keyof Of]: Of[Key] extends Setting<infer Value>
    ? Of[Key] extends { readonly usually: string }
      ? Value
      : Value | undefined
    : never;
};

/** A row of a table of settings. */
export const setting = <Value, const Usually extends string | undefined, const More extends Facts>(
  name: string,
  field: Field<Value>,
  usually: Usually,
  more: More,
): Setting<Value> & { readonly usually: Usually } & More => ({ name, field, usually, ...more });

/** Undefined when unset, empty or blank. */
export function text(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === undefined || value === "" ? undefined : value;
}

/** The settings of a table. Throws ConfigError on the first wrong one. */
export function read<Of extends Table>(env: Environment, table: Of): Values<Of> {
  const values = Object.entries(table).map(([key, one]) => {
    const given = text(env, one.name) ?? one.usually;
    return [key, given === undefined ? undefined : parsedAs(one, given)];
  });
  return Object.fromEntries(values) as Values<Of>;
}

/** What a text is as the value of a setting. Throws ConfigError. */
export function parsedAs<Value>({ name, field }: Setting<Value>, value: string): Value {
  try {
    return parsed(field, value);
  } catch (fault) {
    if (!(fault instanceof Wrong)) throw fault;
    throw new ConfigError(`${name} ${fault.message}.`, { cause: fault.cause });
  }
}

/** Refuses unknown settings that start with `prefix`: typing errors. */
export function refuseUnknown(env: Environment, prefix: string, tables: readonly Table[]): void {
  const known = tables.flatMap((table) => Object.values(table).map(({ name }) => name));
  const unknown = Object.keys(env).find((name) => name.startsWith(prefix) && !known.includes(name));
  if (unknown !== undefined)
    throw new ConfigError(
      `${unknown} is not a setting; those that start with ${prefix} are ${known.join(", ")}.`,
    );
}

/** A text that is not repeated when it is wrong. */
export const shaped = (pattern: RegExp, form: string) =>
  z.string().check(z.regex(pattern, { error: `must be ${form}` }));

export const word = <const Word extends string>(words: readonly Word[]) =>
  as(
    (value) => words.find((each) => each === value),
    (value) => `is "${value}" but must be one of ${words.join(", ")}`,
  );

export const flag = z.pipe(
  word(["true", "false"]),
  z.transform((given) => given === "true"),
);

export const whole = (min: number, max: number) =>
  as(
    (value) =>
      /^\d+$/.test(value) && Number(value) >= min && Number(value) <= max ? Number(value) : undefined,
    (value) => `is "${value}" but must be a whole number from ${min} to ${max}`,
  );

export const port = whole(1, 65_535);

export const host = as(
  (value) => (isIP(value) !== 0 || isHostName(value) ? value : undefined),
  (value) => `is "${value}" but must be a host name or an IP address`,
);

export function isHostName(value: string): boolean {
  return /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(value) && !/^[\d.]+$/.test(value);
}

/** Absolute, found from where the process was started. */
export const path = as(
  (value) => resolve(value),
  () => "",
);

/** Its message never repeats the URL, which may carry a password. */
export const url = (...schemes: string[]) =>
  as(
    (value) => parseUrl(value, schemes),
    () => `must be a URL that starts with ${schemes.map((scheme) => `${scheme}://`).join(" or ")}`,
  );

export const http = url("https", "http");
/** An address without a slash at its end. */
export const address = z.pipe(
  http,
  z.transform(({ href }: URL) => href.replace(/\/$/, "")),
);
export const href = (...schemes: string[]) =>
  z.pipe(
    url(...schemes),
    z.transform((given: URL) => given.href),
  );

/** A list with commas between its items; empty ones are dropped. */
export const list = <Item>(item: Field<Item>) =>
  z.pipe(z.pipe(z.string(), z.transform(split)), z.array(item));

const split = (value: string) =>
  value
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");

/** An item of a list that is repeated when it is wrong. */
export const item = (isRight: (value: string) => boolean, takes: string) =>
  as(
    (value) => (isRight(value) ? value : undefined),
    (value) => `has "${value}" but takes ${takes}`,
  );

/** What `reads` makes of the text; undefined: it is wrong, as `wrong` says. */
export function as<Value>(
  reads: (value: string) => Value | undefined,
  wrong: (value: string) => string,
): Field<Value> {
  return made((value) => {
    const found = reads(value);
    if (found === undefined) throw new Wrong(wrong(value));
    return found;
  });
}

/** Why a setting is wrong: the rest of the sentence after its name. */
export class Wrong extends Error {
  override name = "Wrong";
}

/** What a field makes of a text. Throws Wrong. */
export function parsed<Value>(field: Field<Value>, value: string): Value {
  const { data, error } = field.safeParse(value);
  if (error) throw new Wrong(error.issues[0]?.message);
  return data;
}

/** What `reads` makes of the text; it throws Wrong. */
export function made<Value>(reads: (value: string) => Value): Field<Value> {
  return z.pipe(
    z.string(),
    z.transform((value: string, payload): Value => {
      try {
        return reads(value);
      } catch (fault) {
        if (!(fault instanceof Wrong)) throw fault;
        payload.issues.push({ code: "custom", message: fault.message, input: value });
        return z.NEVER;
      }
    }),
  ) as Field<Value>;
}

function parseUrl(value: string, schemes: readonly string[]): URL | undefined {
  const parsed = URL.parse(value);
  const isRight = parsed && schemes.includes(parsed.protocol.slice(0, -1)) && parsed.hostname !== "";
  return isRight ? parsed : undefined;
}
