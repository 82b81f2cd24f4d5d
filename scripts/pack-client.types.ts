// Writes out the types of the contract, so that a program needs no schema library.
import * as z from "zod/mini";
import { endpoints } from "../src/contract/api.ts";
import type { Endpoint } from "../src/contract/endpoint.ts";
import { eventBodies } from "../src/contract/events.ts";
import { commonRefusals, refusals, tokenLimits } from "../src/contract/refusals.ts";

/** The part of JSON Schema that the contract uses. */
interface Schema {
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | false;
}

/** The package's `wire.ts`: the names of src/client/wire.ts without imports. */
export function wireTypes(): string {
  const calls = Object.values(endpoints).map((declared: Endpoint) => callOf(declared));
  const events = Object.entries(eventBodies).map(
    ([name, body]) => `{ name: ${JSON.stringify(name)}; data: ${typeOf(schemaOf(body, "output"))} }`,
  );
  return `// Made from the contract of the shop: every call, with the names and the words of its documentation.

/** Who may call. */
export type Access = "anyone" | "user" | "active" | "admin";

/** Every call: what it is asked, what it answers, and which refusals are its own. */
export interface Calls {
${calls.join("\n")}
}

/** What happened to the account. */
export type ShopEvent = ${events.join(" | ")};

/** Every way in which the shop says no. */
export type Refusal = ${unionOf(Object.keys(refusals))};

/** What any call may refuse. */
export type CommonRefusal = ${unionOf(commonRefusals)};

/** What \`token limit\` says was exceeded. */
export type TokenLimit = ${unionOf(tokenLimits)};

/** A code may be sent again after so many seconds. */
export type TryAgain = \`try again \${number} seconds\`;
`;
}

function callOf({ name, summary, file, ask, reply, refusals: own }: Endpoint): string {
  const fields = Object.entries(ask).map(([field, { schema, summary: told, optional }]) =>
    propertyOf(field, { ...schemaOf(schema, "input"), description: told }, optional),
  );
  return `${comment(summary)}${name}: {
    ask: { ${file ? "file: Blob; " : ""}${fields.join(" ")} };
    reply: ${typeOf(schemaOf(reply, "output"))};
    refusal: ${own.length === 0 ? "never" : unionOf(own)};
  };`;
}

const schemaOf = (schema: z.ZodMiniType, io: "input" | "output") =>
  z.toJSONSchema(schema, { io, unrepresentable: "any" }) as Schema;

/** A schema as a TypeScript type; throws for an unknown one. */
function typeOf(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return unionOf(schema.enum);
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(" | ");
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type })).join(" | ");
  switch (schema.type) {
    case "string":
    case "boolean":
    case "number":
    case "null":
      return schema.type;
    case "integer":
      return "number";
    case "array":
      return `(${typeOf(schema.items ?? {})})[]`;
    case "object":
      return objectOf(schema);
    default:
      throw new Error(`there is no type for ${JSON.stringify(schema)}`);
  }
}

function objectOf({ properties, required = [], additionalProperties }: Schema): string {
  if (!properties && additionalProperties) return `Record<string, ${typeOf(additionalProperties)}>`;
  const known = Object.entries(properties ?? {}).map(([name, schema]) =>
    propertyOf(name, schema, !required.includes(name)),
  );
  const fields = additionalProperties ? [...known, `[name: string]: ${anyOf(additionalProperties)};`] : known;
  return fields.length === 0 ? "Record<string, never>" : `{ ${fields.join(" ")} }`;
}

const anyOf = (schema: Schema): string => (Object.keys(schema).length === 0 ? "unknown" : typeOf(schema));

function propertyOf(name: string, schema: Schema, isOptional: boolean): string {
  const type = isOptional ? `?: ${typeOf(schema)} | undefined` : `: ${typeOf(schema)}`;
  return `${comment(schema.description)}${name}${type};`;
}

const comment = (text: string | undefined) =>
  text === undefined ? "" : `\n/** ${text.replaceAll("*/", "* /")} */\n`;

/** Names as a union of types. */
export const unionOf = (values: readonly unknown[]) =>
  values.map((value) => JSON.stringify(value)).join(" | ");
