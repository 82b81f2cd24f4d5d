import * as z from "zod/mini";
import { type Endpoint, type Field, headerOf, methodsOf, type Taken } from "../../../contract/endpoint.ts";
import { eventBodies } from "../../../contract/events.ts";
import { commonRefusals, type Refusal, refusals, tokenLimits } from "../../../contract/refusals.ts";

type Json = Record<string, unknown>;

interface Described {
  readonly publicUrl: string;
  /** Calls whose answers have an ETag. */
  readonly versioned: ReadonlySet<Endpoint>;
}

/** The OpenAPI 3.1 document of the contract, from the schemas that validate. */
export function openapi(endpoints: readonly Endpoint[], { publicUrl, versioned }: Described): Json {
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints) {
    const methods = methodsOf(endpoint);
    for (const method of methods) {
      (paths[endpoint.path] ??= {})[method.toLowerCase()] = operation(
        endpoint,
        method,
        versioned.has(endpoint),
      );
    }
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Postern API",
      version: "1.0.0",
      description: "Temporary email addresses with a prepaid balance.",
    },
    servers: [{ url: publicUrl }],
    paths,
    webhooks: Object.fromEntries(
      Object.entries(eventBodies).map(([name, body]) => [name, message(name, body)]),
    ),
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "The account's token" },
        token: { type: "apiKey", in: "query", name: "token", description: "The account's token" },
        header: { type: "apiKey", in: "header", name: "Token", description: "The account's token" },
      },
    },
  };
}

/** An event as a webhook gets it; a stream has the same `data`. */
function message(name: string, body: z.ZodMiniType): Json {
  const schema = {
    type: "object",
    properties: {
      type: { const: name },
      timestamp: { type: "string", format: "date-time" },
      data: schemaOf(body, "output"),
    },
    required: ["type", "timestamp", "data"],
  };
  return {
    post: {
      operationId: `${name}Event`,
      summary: `The event \`${name}\`, signed by Standard Webhooks; /user/events tells the same \`data\``,
      requestBody: { required: true, content: { "application/json": { schema } } },
      responses: {
        "2XX": { description: "The event is accepted; after anything else it is sent again later." },
      },
    },
  };
}

function operation(endpoint: Endpoint, method: string, isVersioned: boolean): Json {
  const inPath = Object.keys(endpoint.ask).filter((name) => endpoint.path.includes(`{${name}}`));
  const { file } = endpoint;
  const inBody = method !== "GET" && file === undefined;
  const inQuery = method === "GET";
  const free = Object.keys(endpoint.ask).filter((name) => !inPath.includes(name));
  return {
    operationId: endpoint.alsoPost && !inQuery ? `${endpoint.name}ByPost` : endpoint.name,
    summary: endpoint.summary,
    ...(endpoint.limited ? { description: "A limited token may call it too." } : {}),
    ...(endpoint.access === "anyone"
      ? {}
      : { security: [{ bearer: [] }, file ? { header: [] } : { token: [] }] }),
    parameters: [
      ...inPath.map((name) => parameter(endpoint, name, "path")),
      ...(!inQuery ? [] : free.map((name) => parameter(endpoint, name, "query"))),
      ...free.flatMap((name) => asHeader(endpoint, name)),
      ...(isVersioned ? [ifNoneMatch] : []),
    ],
    ...(file ? { requestBody: fileBody(file) } : {}),
    ...(inBody && free.length > 0 ? { requestBody: requestBody(endpoint, free) } : {}),
    responses: {
      200: {
        description: describeRefusals(endpoint),
        ...(isVersioned ? { headers: { ETag: etag } } : {}),
        content: contents(endpoint),
      },
      ...(isVersioned ? { 304: unchanged } : {}),
      429: tooMany,
      default: {
        description: "Anything else: 413 for what is too large, 500 when something broke on our side.",
        content: { "application/json": { schema: errorOf(endpoint.refusals) } },
      },
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

function requestBody(endpoint: Endpoint, names: string[]): Json {
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
  const kinds = ["application/x-www-form-urlencoded", "multipart/form-data", "application/json"];
  return { required: true, content: Object.fromEntries(kinds.map((kind) => [kind, { schema }])) };
}

function contents(endpoint: Endpoint): Json {
  const told = schemaOf(endpoint.reply, "output");
  const success = {
    allOf: [{ type: "object", properties: { status: { const: "success" } }, required: ["status"] }, told],
  };
  const error = errorOf(endpoint.refusals);
  const text = { schema: { type: "string" } };
  const { carried = "json" } = endpoint;
  switch (carried) {
    case "bare":
      return { "application/json": { schema: told } };
    case "json":
      return { "application/json": { schema: { oneOf: [success, error] } } };
    case "html":
      return { "application/json": { schema: { oneOf: [success, error] } }, "text/html": text };
    case "csv":
      return { "application/json": { schema: error }, "text/csv": text };
    case "events":
      return { "application/json": { schema: error }, "text/event-stream": text };
  }
}

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
  headers: { ETag: etag },
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

function errorOf(values: readonly Refusal[]): Json {
  return {
    type: "object",
    properties: {
      status: { const: "error" },
      value: { type: "string", examples: values },
      hint: { type: "string" },
      ...waysOut,
    },
    required: ["status", "value", "hint"],
  };
}

const limit: Refusal[] = ["limit"];
const retryAfter: Json = { type: "integer", minimum: 1 };
const tooMany: Json = {
  description: "Too many requests; `retry_after` and the header Retry-After name the seconds to wait.",
  headers: { "Retry-After": { schema: retryAfter } },
  content: {
    "application/json": {
      schema: {
        allOf: [errorOf(limit), { properties: { retry_after: retryAfter }, required: ["retry_after"] }],
      },
    },
  },
};

function describeRefusals(endpoint: Endpoint): string {
  const values = new Set<Refusal>([...endpoint.refusals, ...commonRefusals]);
  return [
    "The answer; on `status` error, `value` is one of:",
    ...[...values].map((value) => `- \`${value}\`: ${refusals[value]}`),
  ].join("\n");
}

function schemaOf(schema: z.ZodMiniType, io: "input" | "output"): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      // Few languages support Unicode classes in patterns.
      const patterns = [jsonSchema.pattern, ...(jsonSchema.allOf ?? []).map(({ pattern }) => pattern)];
      if (!patterns.some((pattern) => /\\(?:p\{|0)/i.test(pattern ?? ""))) return;
      delete jsonSchema.pattern;
      delete jsonSchema.allOf;
    },
  }) as Json;
  return rest;
}
