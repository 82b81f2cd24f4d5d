import * as z from "zod/mini";
import { type Endpoint, type Field, headerOf, methodsOf, type Taken } from "../../../contract/endpoint.ts";
import { eventBodies } from "../../../contract/events.ts";
import { examples } from "../../../contract/examples.ts";
import { type Refusal, commonRefusals, refusals, tokenLimits } from "../../../contract/refusals.ts";
import { schemas } from "../../../contract/schemas.ts";

type Json = Record<string, unknown>;

/** What several calls refer to, collected while they are described. */
interface Parts {
  readonly schemas: Map<string, Json>;
  readonly responses: Map<string, Json>;
  readonly values: Set<Refusal>;
}

interface Described {
  readonly publicUrl: string;
  /** Calls whose answers have an ETag. */
  readonly versioned: ReadonlySet<Endpoint>;
}

/** The OpenAPI 3.1 document of the contract, from the schemas that validate. */
export function openapi(endpoints: readonly Endpoint[], { publicUrl, versioned }: Described): Json {
  const parts: Parts = { schemas: new Map(), responses: new Map(), values: new Set(commonRefusals) };
  const paths = pathsOf(endpoints, versioned, parts);
  return {
    openapi: "3.1.0",
    info: {
      title: "Postern API",
      version: "1.0.0",
      description: "Temporary email addresses with a prepaid balance.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: publicUrl }],
    tags: [...new Set(endpoints.map(tagOf))].map((name) => ({ name })),
    paths,
    webhooks: Object.fromEntries(
      Object.entries(eventBodies).map(([name, body]) => [name, message(name, body, parts)]),
    ),
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "The account's token" },
        token: { type: "apiKey", in: "query", name: "token", description: "The account's token" },
        header: { type: "apiKey", in: "header", name: "Token", description: "The account's token" },
      },
      schemas: { ...Object.fromEntries(parts.schemas), Refusal: refusalOf(parts.values) },
      examples: Object.fromEntries(
        [...parts.values].map((value) => [
          keyOf(value),
          { value: { status: "error", value, hint: refusals[value] } },
        ]),
      ),
      parameters: { IfNoneMatch: ifNoneMatch },
      headers: { ETag: etag },
      responses: {
        ...Object.fromEntries(parts.responses),
        NotModified: unchanged,
        TooMany: tooMany,
        Failed: failed,
      },
    },
  };
}

function pathsOf(
  endpoints: readonly Endpoint[],
  versioned: ReadonlySet<Endpoint>,
  parts: Parts,
): Record<string, Json> {
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints)
    for (const method of methodsOf(endpoint)) {
      // The server takes both forms; a generator reads the slash as another path.
      const path = endpoint.path.replace(/(?<=.)\/$/, "");
      (paths[path] ??= {})[method.toLowerCase()] = operation(
        endpoint,
        method,
        versioned.has(endpoint),
        parts,
      );
    }
  return paths;
}

/** Calls by what they are for, as the sections of the documentation. */
const tags: readonly [RegExp, string][] = [
  [/^\/api\/admin/, "Operator"],
  [/^\/api\/(newsmain|stories|testpost)/, "News and stories"],
  [/^\/api\/avatar/, "Account"],
  [/^\/payments/, "Payments"],
  [/^\/investor/, "Investors"],
  [/^\/email\/(quantity|domains|aggregators)|^\/stats/, "Offers"],
  [/^\/email\/(getmessage|letters|timeline|notfromsite)/, "Letters"],
  [/^\/email/, "Orders"],
  [/^\/user\/(activations|history)/, "Orders"],
  [/^\/user\/(webhook|events)/, "Events and webhooks"],
  [/^\/user\/token/, "Limited tokens"],
  [/^\/user\/(partner|referral|soft)/, "Partners"],
  [/^\/user\/(balance|statement)/, "Payments"],
];

const tagOf = ({ path }: Endpoint): string => tags.find(([pattern]) => pattern.test(path))?.[1] ?? "Account";

const keyOf = (value: string): string => value.replaceAll(/[^A-Za-z0-9]+/g, "_");
const refTo = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` });

/** An event as a webhook gets it; a stream has the same `data`. */
function message(name: string, body: z.ZodMiniType, parts: Parts): Json {
  const schema = {
    type: "object",
    properties: {
      type: { const: name },
      timestamp: { type: "string", format: "date-time" },
      data: schemaOf(body, "output", parts),
    },
    required: ["type", "timestamp", "data"],
  };
  return {
    post: {
      operationId: `${name}Event`,
      summary: `The event \`${name}\`, signed by Standard Webhooks; /user/events tells the same \`data\``,
      security: [],
      requestBody: { required: true, content: { "application/json": { schema } } },
      responses: {
        "2XX": { description: "The event is accepted; after anything else it is sent again later." },
      },
    },
  };
}

function operation(endpoint: Endpoint, method: string, isVersioned: boolean, parts: Parts): Json {
  const inPath = Object.keys(endpoint.ask).filter((name) => endpoint.path.includes(`{${name}}`));
  const { file } = endpoint;
  const inBody = method !== "GET" && file === undefined;
  const inQuery = method === "GET";
  const free = Object.keys(endpoint.ask).filter((name) => !inPath.includes(name));
  const parameters = [
    ...inPath.map((name) => parameter(endpoint, name, "path")),
    ...(!inQuery ? [] : free.map((name) => parameter(endpoint, name, "query"))),
    ...free.flatMap((name) => asHeader(endpoint, name)),
    ...(isVersioned ? [refTo("parameters", "IfNoneMatch")] : []),
  ];
  return {
    operationId: endpoint.alsoPost && !inQuery ? `${endpoint.name}ByPost` : endpoint.name,
    tags: [tagOf(endpoint)],
    summary: endpoint.summary,
    ...(endpoint.limited ? { description: "A limited token may call it too." } : {}),
    security: endpoint.access === "anyone" ? [] : [{ bearer: [] }, file ? { header: [] } : { token: [] }],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(file ? { requestBody: fileBody(file) } : {}),
    ...(inBody && free.length > 0 ? { requestBody: requestBody(endpoint, free, parts) } : {}),
    responses: {
      200: answerOf(endpoint, isVersioned, parts),
      ...(isVersioned ? { 304: refTo("responses", "NotModified") } : {}),
      429: refTo("responses", "TooMany"),
      default: refTo("responses", "Failed"),
    },
  };
}

function parameter(endpoint: Endpoint, name: string, where: "path" | "query"): Json {
  const field = endpoint.ask[name];
  if (!field) throw new Error(`${endpoint.name} has no parameter ${name}`);
  return {
    name,
    in: where,
    required: where === "path" || !field.optional,
    description: field.summary,
    schema: askedOf(field),
  };
}

/** Values that code checks (choices, numbers, ids) need more than the schema. */
function askedOf({ schema, form }: Field): Json {
  switch (form.kind) {
    case "choice":
      return { enum: form.of, ...schemaOf(schema, "input") };
    case "whole":
    case "time":
      return { type: "integer", minimum: form.min, maximum: form.max };
    case "id":
      return { type: "string", pattern: "^[0-9]{1,18}$" };
    default:
      return schemaOf(schema, "input");
  }
}

function asHeader(endpoint: Endpoint, name: string): Json[] {
  const header = headerOf(endpoint, name);
  return header === undefined ? [] : [{ ...parameter(endpoint, name, "query"), name: header, in: "header" }];
}

function fileBody({ types, bytesMax }: Taken): Json {
  const schema = { type: "string", format: "binary" };
  return {
    required: true,
    description: `The file itself, of at most ${bytesMax} bytes.`,
    content: Object.fromEntries(types.map((type) => [type, { schema }])),
  };
}

function requestBody(endpoint: Endpoint, names: string[], parts: Parts): Json {
  const fields = names.map((name) => [name, endpoint.ask[name]] as const);
  const schema = {
    type: "object",
    properties: Object.fromEntries(
      fields.map(([name, field]) => [
        name,
        { ...(field ? askedOf(field) : {}), description: field?.summary },
      ]),
    ),
    required: fields.filter(([, field]) => !field?.optional).map(([name]) => name),
  };
  const name = `${capitalized(endpoint.name)}Request`;
  parts.schemas.set(name, schema);
  const content = { schema: refTo("schemas", name) };
  const kinds = ["application/x-www-form-urlencoded", "multipart/form-data", "application/json"];
  return { required: true, content: Object.fromEntries(kinds.map((kind) => [kind, content])) };
}

/** A call that is taken as GET and POST has its answer once. */
function answerOf(endpoint: Endpoint, isVersioned: boolean, parts: Parts): Json {
  const answer = {
    description: "The answer, or a refusal: `status` tells.",
    ...(isVersioned ? { headers: { ETag: refTo("headers", "ETag") } } : {}),
    content: contents(endpoint, parts),
  };
  if (!endpoint.alsoPost) return answer;
  const name = capitalized(endpoint.name);
  parts.responses.set(name, answer);
  return refTo("responses", name);
}

function contents(endpoint: Endpoint, parts: Parts): Json {
  const error = refTo("schemas", "Refusal");
  const text = { schema: { type: "string" } };
  const { carried = "json" } = endpoint;
  if (carried === "bare")
    return { "application/json": { schema: schemaOf(endpoint.reply, "output", parts) } };
  for (const value of endpoint.refusals) parts.values.add(value);
  const refused = Object.fromEntries(
    endpoint.refusals.map((value) => [keyOf(value), refTo("examples", keyOf(value))]),
  );
  if (carried === "csv")
    return { "application/json": { schema: error, examples: refused }, "text/csv": text };
  if (carried === "events")
    return { "application/json": { schema: error, examples: refused }, "text/event-stream": text };
  const name = `${capitalized(endpoint.name)}Reply`;
  parts.schemas.set(name, successOf(schemaOf(endpoint.reply, "output", parts)));
  const example = exampleOf(endpoint.name);
  const json = {
    schema: {
      oneOf: [refTo("schemas", name), error],
    },
    examples: { ...(example === undefined ? {} : { success: { value: example } }), ...refused },
  };
  return carried === "html" ? { "application/json": json, "text/html": text } : { "application/json": json };
}

const status: Json = { type: "string", const: "success" };

/** The reply with the `status` of the envelope. */
function successOf(reply: Json): Json {
  const { properties, required = [], ...rest } = reply as { properties?: Json; required?: string[] };
  if (properties === undefined || "status" in properties)
    return { allOf: [{ type: "object", properties: { status }, required: ["status"] }, reply] };
  return { ...rest, properties: { status, ...properties }, required: ["status", ...required] };
}

function exampleOf(name: string): Json | undefined {
  const known = (examples as Readonly<Record<string, { reply: object }>>)[name];
  return known && { status: "success", ...known.reply };
}

const capitalized = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

const etag: Json = { description: "Names the answer; a refusal has none.", schema: { type: "string" } };
const ifNoneMatch: Json = {
  name: "If-None-Match",
  in: "header",
  required: false,
  description: "The ETag of an answer that the caller has",
  schema: { type: "string" },
};
const unchanged: Json = {
  description: "Nothing has changed since the answer that If-None-Match names; there is no body.",
  headers: { ETag: refTo("headers", "ETag") },
};
const waysOut: Json = {
  parameter: { type: "string", description: "The parameter that is missing or cannot be taken" },
  reason: { type: "string", description: "What is wrong with it" },
  exceeded: { enum: [...tokenLimits], description: "The token's limit" },
  did_you_mean: { type: "string", description: "The name that was probably meant" },
  waiting: { type: "string", description: "The id of the reorder that waits already" },
  missing: { type: "string", description: "What the balance lacks, in dollars" },
  retry_after: { type: "integer", minimum: 1, description: "Seconds after which it may be asked again" },
};

/** Any call may refuse with a common value; the examples of a call name its own. */
const refusalOf = (values: ReadonlySet<Refusal>): Json => ({
  type: "object",
  description: `Why a call did nothing. Any call may answer ${commonRefusals.map((value) => `\`${value}\``).join(", ")}; the examples of each name the others.`,
  properties: {
    status: { type: "string", const: "error" },
    value: { type: "string", enum: [...values] },
    hint: { type: "string", description: "The refusal in a sentence for people" },
    ...waysOut,
  },
  required: ["status", "value", "hint"],
});

const tooMany: Json = {
  description: "Too many requests; `retry_after` and the header Retry-After name the seconds to wait.",
  headers: { "Retry-After": { schema: { type: "integer", minimum: 1 } } },
  content: {
    "application/json": {
      schema: { allOf: [refTo("schemas", "Refusal"), { type: "object", required: ["retry_after"] }] },
    },
  },
};

const failed: Json = {
  description: "Anything else: 413 for what is too large, 500 when something broke on our side.",
  content: { "application/json": { schema: refTo("schemas", "Refusal") } },
};

for (const [id, schema] of Object.entries(schemas))
  z.globalRegistry.add(schema, { ...z.globalRegistry.get(schema), id });

/** The JSON schema of a shape. Shapes with a name are put into `parts`, and referred to. */
function schemaOf(schema: z.ZodMiniType, io: "input" | "output", parts?: Parts): Json {
  const made = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: ({ jsonSchema }) => {
      delete jsonSchema.id;
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      // Few languages support Unicode classes in patterns.
      const patterns = [jsonSchema.pattern, ...(jsonSchema.allOf ?? []).map(({ pattern }) => pattern)];
      if (!patterns.some((pattern) => /\\(?:p\{|0)/i.test(pattern ?? ""))) return;
      delete jsonSchema.pattern;
      delete jsonSchema.allOf;
    },
  });
  const text = JSON.stringify(made).replaceAll('"#/$defs/', '"#/components/schemas/');
  const {
    $schema: _dialect,
    $defs = {},
    ...rest
  } = JSON.parse(text) as Json & { $defs?: Record<string, Json> };
  for (const [name, definition] of Object.entries($defs)) parts?.schemas.set(name, definition);
  return rest;
}
