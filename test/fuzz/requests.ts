// Requests that are generated from the OpenAPI documents: of each parameter a value that is right, one that its schema allows, one of
// the caller or of somebody else, or a hostile one.
import fc from "fast-check";
import { right, rightThere } from "../kit/right.ts";

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly properties?: Record<string, Schema>;
  readonly required?: readonly string[];
}
interface Described {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly schema: Schema;
  readonly $ref?: string;
}
interface Body {
  readonly content: Record<string, { schema: Schema }>;
}
export interface Document {
  readonly paths: Record<string, Record<string, { parameters?: Described[]; requestBody?: Body }>>;
  readonly components: { readonly schemas: Record<string, Schema> };
}

interface Parameter {
  readonly name: string;
  readonly in: Described["in"] | "body";
  readonly required: boolean;
  readonly schema: Schema;
}
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** Types of a file as body. */
  readonly files: readonly string[];
}

/** A value, or what it stands for when the request is made: an object of the caller or of another account. */
type Value =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "json"; readonly json: unknown }
  | { readonly kind: "own" | "other"; readonly place: number };

export interface Plan {
  readonly operation: Operation;
  readonly values: Readonly<Record<string, Value>>;
  readonly repeated: string | undefined;
  readonly body: "form" | "json" | "multipart";
  readonly token: "bearer" | "query" | "header" | "wrong";
  readonly headers: Readonly<Record<string, string>>;
  readonly file: string;
}

/** A secret that requests carry, which no log line may have. */
export const secretMark = "Fuzzed5ecret";

/** Every operation that the documents describe. */
export function operationsOf(documents: readonly Document[]): Operation[] {
  return documents.flatMap(({ paths, components }) =>
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { parameters = [], requestBody }]) => {
        const content = requestBody?.content ?? {};
        const shape = content["application/json"]?.schema.$ref?.split("/").at(-1);
        const { properties = {}, required = [] } = components.schemas[shape ?? ""] ?? {};
        return {
          method: method.toUpperCase(),
          path,
          parameters: [
            ...parameters.filter(({ $ref }) => $ref === undefined),
            ...Object.entries(properties).map(([name, schema]) => ({
              name,
              in: "body" as const,
              required: required.includes(name),
              schema,
            })),
          ],
          files: shape === undefined ? Object.keys(content) : [],
        };
      }),
    ),
  );
}

/** Names that the shop would look up or connect to: only this machine's may be sent. */
const reaching: Readonly<Record<string, readonly string[]>> = {
  url: ["http://127.0.0.1:9/fuzz", "https://localhost/x", "https://[::1]:1/", "ftp://127.0.0.1/", "https://"],
  imap: ["127.0.0.1:1", "localhost:1", "[::1]:1", ":993", "127.0.0.1:0", "127.0.0.1:99999"],
  wait: ["0", "1", "-1", "61", "NaN"],
};

const hostileTexts = [
  "",
  " ",
  "\0",
  "a\0b",
  "'; drop table users; --",
  "<script>alert(1)</script>",
  "../../../../etc/passwd",
  "%00%2e%2e%2f",
  "__proto__",
  "constructor",
  "null",
  "undefined",
  "NaN",
  "-0",
  "-1",
  "1e999",
  "0x10",
  "9".repeat(18),
  "9223372036854775808",
  "9".repeat(400),
  "x".repeat(9_000),
  "\u202e\u0000\ufeff",
  "\ud800",
  "é".normalize("NFD"),
  "${7*7}{{7*7}}",
  "a\r\nset-cookie: x=y",
  "(a+)+$",
  "[".repeat(200),
];
const hostileJson: readonly unknown[] = [
  null,
  true,
  0,
  -1.5,
  1e308,
  [],
  {},
  ["a", ["b"]],
  { __proto__: null, length: -1 },
  { toString: "x", valueOf: "y" },
  Array.from({ length: 300 }, () => []),
  JSON.parse('{"__proto__":{"admin":true}}'),
];
const secrets = ["password", "token", "captcha", "recaptcha"];

const text = (value: string): Value => ({ kind: "text", text: value });

function bySchema({ type, enum: choices, pattern, ...schema }: Schema): fc.Arbitrary<Value> {
  const { minimum = 0, maximum = 2 ** 31, minLength = 0, maxLength = 60 } = schema;
  if (choices) return fc.constantFrom(...choices).map(text);
  if (type === "integer")
    return fc.maxSafeInteger().map((n) => text(String(minimum + (Math.abs(n) % (maximum - minimum + 1)))));
  if (type !== "string") return fc.jsonValue().map((json): Value => ({ kind: "json", json }));
  if (pattern?.includes("@")) return fc.nat(10_000).map((n) => text(`somebody${n}@fuzz.test`));
  // What an account number may be: this library draws nothing that looks ahead.
  if (pattern?.includes("(?")) return fc.bigInt({ min: 1n, max: 10n ** 12n }).map((n) => text(String(n)));
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern)).map(text);
  return fc.string({ minLength, maxLength: Math.min(maxLength, 60), unit: "binary" }).map(text);
}

/** Parameters that name an object; the rest of `id` is known by the call. */
const naming = ["id", "user", "userId", "partner", "buyer", "order", "batch", "letter", "storyId", "newsId"];

/** A value with which the call may well succeed. */
function usualOf({ name }: Parameter, path: string): fc.Arbitrary<Value> {
  const isObject = naming.includes(name) || (name === "email" && path.startsWith("/email"));
  // An administrator's calls are about others.
  const whose = path.startsWith("/api/admin") ? (["other"] as const) : (["own", "own", "other"] as const);
  if (isObject) return fc.record({ kind: fc.constantFrom(...whose), place: fc.nat(1_000) });
  // A right password is one of no caller's account: whoever signs in with it is no intruder.
  const usual = rightThere[path]?.[name] ?? (name === "password" ? `${secretMark} horse` : right[name]);
  return fc.constant(text(usual ?? "1"));
}

function valueOf(parameter: Parameter, path: string): fc.Arbitrary<Value> {
  const { name, in: where, schema } = parameter;
  const only = reaching[name];
  if (only) return fc.constantFrom(...only).map(text);
  const other = fc.record({ kind: fc.constant("other" as const), place: fc.nat(1_000) });
  const hostile = fc.constantFrom(...hostileTexts).map(text);
  const json = fc.constantFrom(...hostileJson).map((value): Value => ({ kind: "json", json: value }));
  const secret = fc.nat(99).map((n) => text(`${secretMark}${n}`.padEnd(32, "x")));
  return fc.oneof(
    { weight: 12, arbitrary: usualOf(parameter, path) },
    { weight: 6, arbitrary: other },
    { weight: 4, arbitrary: bySchema(schema) },
    { weight: 2, arbitrary: hostile },
    ...(where === "body"
      ? [
          { weight: 1, arbitrary: json },
          { weight: 1, arbitrary: fc.constant(text("x".repeat(70_000))) },
        ]
      : []),
    ...(secrets.includes(name) ? [{ weight: 4, arbitrary: secret }] : []),
  );
}

const headers = fc.dictionary(
  fc.constantFrom(
    "if-none-match",
    "last-event-id",
    "idempotency-key",
    "origin",
    "accept-language",
    "range",
    "expect-ct",
  ),
  fc.constantFrom("*", '"x"', "1", "null", "bytes=0-", "\u00ff", "x".repeat(300), "ru, *;q=9"),
  { maxKeys: 2 },
);
const file = fc.oneof(
  fc.constantFrom(
    "",
    "a@b.test",
    ":\n:\n",
    "\ufeff",
    "\0".repeat(100),
    `box@fuzz.test:${secretMark}\n`.repeat(25),
  ),
  fc.string({ unit: "binary", maxLength: 400 }),
);

/** Mailboxes of the investor's domain. */
const goodFile = fc
  .array(fc.stringMatching(/^[a-z]{12}$/), { minLength: 25, maxLength: 25 })
  .map((names) => names.map((name) => `${name}@hosted.test:${secretMark}`).join("\n"));

/** What is sent to an operation: in half of the requests what may well succeed. The same numbers make the same requests. */
export const planOf = (operation: Operation): fc.Arbitrary<Plan> =>
  fc.oneof(plan(operation, true), plan(operation, false));

function plan(operation: Operation, isStraight: boolean): fc.Arbitrary<Plan> {
  const values = Object.fromEntries(
    operation.parameters.map((parameter) => {
      const { name, in: where, required } = parameter;
      const value =
        isStraight && !(name in reaching)
          ? usualOf(parameter, operation.path)
          : valueOf(parameter, operation.path);
      const isAlways = where === "path" || (isStraight && required);
      return [name, isAlways ? value : fc.option(value, { nil: undefined, freq: required ? 20 : 1 })];
    }),
  );
  const names = operation.parameters.map(({ name }) => name);
  return fc.record({
    operation: fc.constant(operation),
    values: fc
      .record(values)
      .map(
        (given) =>
          Object.fromEntries(
            Object.entries(given).filter(([, value]) => value !== undefined),
          ) as Plan["values"],
      ),
    repeated:
      isStraight || names.length === 0
        ? fc.constant(undefined)
        : fc.option(fc.constantFrom(...names), { nil: undefined }),
    body: fc.constantFrom("form", "json", "multipart"),
    token: fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom("bearer" as const, "query" as const, "header" as const) },
      ...(isStraight ? [] : [{ weight: 1, arbitrary: fc.constant("wrong" as const) }]),
    ),
    headers: isStraight ? fc.constant({}) : headers,
    file: isStraight ? goodFile : file,
  });
}

/** What stands for a value of a caller: `own` or `other` objects by the parameter's name. */
export type Known = (kind: "own" | "other", path: string, name: string) => readonly string[];

/** The request of a plan for a caller with this token; every part of it that the answer may repeat is in `said`. */
export function requestOf(
  plan: Plan,
  token: string | undefined,
  known: Known,
): { path: string; init: RequestInit; said: string } {
  const { operation } = plan;
  const told = (name: string): unknown => {
    const value = plan.values[name];
    if (value === undefined) return undefined;
    if (value.kind === "text") return value.text;
    if (value.kind === "json") return value.json;
    const all = known(value.kind, operation.path, name);
    return all.length === 0 ? (right[name] ?? "1") : all[value.place % all.length];
  };
  const given = operation.parameters.flatMap(({ name, in: where }) => {
    const value = told(name);
    return value === undefined ? [] : [{ name, where, value }];
  });
  const as = (where: Parameter["in"]) => given.filter((each) => each.where === where);
  const query = new URLSearchParams(as("query").map(({ name, value }) => [name, asText(value)]));
  if (plan.repeated !== undefined && query.has(plan.repeated)) query.append(plan.repeated, "again");
  const sent = new Headers({ ...plan.headers });
  for (const { name, value } of as("header"))
    if (asHeader(value) !== undefined) sent.set(name, asHeader(value) ?? "");
  const who = plan.token === "wrong" ? `${secretMark}${"x".repeat(20)}` : token;
  if (who !== undefined && plan.token === "query") query.set("token", who);
  else if (who !== undefined && plan.token === "header") sent.set("token", who);
  else if (who !== undefined) sent.set("authorization", `Bearer ${who}`);
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_hole, name: string) =>
    encodeURIComponent(asText(told(name)).toWellFormed()),
  );
  const search = query.size === 0 ? "" : `?${query}`;
  const body = bodyOf(plan, as("body"), sent);
  const said = JSON.stringify([given.map(({ value }) => value), who ?? ""]);
  return {
    path: path + search,
    init: { method: operation.method, headers: sent, ...(body === undefined ? {} : { body }) },
    said,
  };
}

function bodyOf(plan: Plan, given: { name: string; value: unknown }[], sent: Headers): RequestInit["body"] {
  const { operation } = plan;
  if (operation.method === "GET") return undefined;
  const [type] = operation.files;
  if (type !== undefined) {
    sent.set("content-type", type);
    return plan.file;
  }
  if (plan.body === "json") {
    sent.set("content-type", "application/json");
    return JSON.stringify(Object.fromEntries(given.map(({ name, value }) => [name, value])));
  }
  const form = plan.body === "multipart" ? new FormData() : new URLSearchParams();
  for (const { name, value } of given) {
    form.append(name, asText(value).toWellFormed());
    if (plan.repeated === name) form.append(name, "again");
  }
  return form;
}

const asText = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "");

/** As clients write it, in UTF-8; undefined: no header can carry it. */
function asHeader(value: unknown): string | undefined {
  const written = Buffer.from(asText(value)).toString("latin1").trim();
  return /[\0\r\n]/.test(written) ? undefined : written;
}
