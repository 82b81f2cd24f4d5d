import type * as z from "zod/mini";
import { type Endpoint, type Field, headerOf, methodsOf, type Taken } from "../../../contract/endpoint.ts";
import type { Act } from "../../../contract/office/act.ts";
import { eventBodies } from "../../../contract/events.ts";
import { examples } from "../../../contract/examples.ts";
import { type Refusal, commonRefusals, refusals, tokenLimits } from "../../../contract/refusals.ts";
import { addReplies, type Json, type Parts, refTo, schemaOf } from "./openapi.shapes.ts";

interface Described {
  readonly publicUrl: string;
  /** Calls whose answers have an ETag. */
  readonly versioned: ReadonlySet<Endpoint>;
}

/** The OpenAPI 3.1 document of the contract, from the schemas that validate. */
export function openapi(endpoints: readonly Endpoint[], { publicUrl, versioned }: Described): Json {
  const parts: Parts = {
    schemas: new Map(),
    replies: new Map(),
    responses: new Map(),
    values: new Set(commonRefusals),
  };
  const paths = pathsOf(endpoints, versioned, parts);
  const webhooks = Object.fromEntries(
    Object.entries(eventBodies).map(([name, body]) => [name, message(name, body, parts)]),
  );
  addReplies(parts);
  const isVersioned = endpoints.some((endpoint) => versioned.has(endpoint));
  return {
    openapi: "3.1.0",
    info: {
      title: "Postern API",
      version: "1.0.0",
      description: "Temporary email addresses with a prepaid balance.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: publicUrl }],
    tags: tags
      .filter((tag) => endpoints.some((endpoint) => tagOf(endpoint) === tag))
      .map(({ name, description }) => ({ name, description })),
    paths,
    webhooks,
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "The account's token" },
        token: { type: "apiKey", in: "query", name: "token", description: "The account's token" },
        header: { type: "apiKey", in: "header", name: "Token", description: "The account's token" },
      },
      schemas: { ...Object.fromEntries(parts.schemas), Refusal: refusalOf(parts.values) },
      examples: Object.fromEntries(
        [...parts.values]
          .filter((value) => value !== "limit")
          .map((value) => [keyOf(value), { value: shown(value) }]),
      ),
      ...(isVersioned ? { parameters: { IfNoneMatch: ifNoneMatch }, headers: { ETag: etag } } : {}),
      responses: {
        ...Object.fromEntries(parts.responses),
        ...(isVersioned ? { NotModified: unchanged } : {}),
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

interface Tag {
  readonly name: string;
  readonly description: string;
  readonly paths: RegExp;
}

/** Calls by what they are for; the first that fits counts. */
const tags: readonly Tag[] = [
  { name: "Operator", description: "What the back office does.", paths: /^\/api\/admin/ },
  {
    name: "News and stories",
    description: "What the pages of the shop tell their visitors.",
    paths: /^\/api\/(newsmain|stories|testpost)/,
  },
  {
    name: "Offers",
    description: "Which addresses are on sale, and at what price.",
    paths: /^\/email\/(quantity|domains|aggregators)|^\/stats/,
  },
  {
    name: "Letters",
    description: "The letters of an address, with their codes and links.",
    paths: /^\/email\/(getmessage|letters|timeline|notfromsite)/,
  },
  {
    name: "Orders",
    description: "Order an address, order it again, cancel it, and list what was ordered.",
    paths: /^\/email|^\/user\/(activations|history)/,
  },
  {
    name: "Events and webhooks",
    description: "Be told what happens instead of asking.",
    paths: /^\/user\/(webhook|events)/,
  },
  { name: "Limited tokens", description: "Tokens with a budget, for one program.", paths: /^\/user\/token/ },
  { name: "Partners", description: "Earn by links and programs.", paths: /^\/user\/(partner|referral|soft)/ },
  {
    name: "Payments",
    description: "The balance, how it is topped up, and its statement.",
    paths: /^\/payments|^\/user\/(balance|statement)/,
  },
  {
    name: "Investors",
    description: "Upload mailboxes in batches and see what they earn.",
    paths: /^\/investor/,
  },
  { name: "Account", description: "Register, sign in, change the account.", paths: /^\// },
];

const tagOf = ({ path }: Endpoint): Tag | undefined => tags.find(({ paths }) => paths.test(path));

const keyOf = (value: string): string => value.replaceAll(/[^A-Za-z0-9]+/g, "_");

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
    tags: [tagOf(endpoint)?.name],
    summary: endpoint.summary,
    ...describedBy(endpoint),
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

/** What is to be said beside the summary; of an act its commands, as they are declared. */
function describedBy(endpoint: Endpoint | Act): Json {
  if (endpoint.limited) return { description: "A limited token may call it too." };
  if (!("commands" in endpoint)) return {};
  const commands = Object.keys(endpoint.commands).map((line) => `\`${line}\``);
  return { description: `By the operator's command: ${commands.join(", ")}.` };
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

/** One plain type where the server takes several spellings: generators make code that does not compile of mixed ones. */
function askedOf({ schema, form }: Field): Json {
  switch (form.kind) {
    case "choice":
      return { type: "string", enum: form.of };
    case "flag":
      return { type: "string", enum: ["0", "1"] };
    case "whole":
    case "time":
      return { type: "integer", minimum: form.min, maximum: form.max };
    case "choices":
      return { ...schemaOf(schema, "input"), examples: [form.of.join(",")] };
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
  // The GET of the same call says it: twice, it would be a fortieth of the document as it is sent.
  const says = (field: Field | undefined) => (endpoint.alsoPost ? {} : { description: field?.summary });
  const schema = {
    type: "object",
    ...(endpoint.alsoPost && { description: "The parameters are those of the GET, described there." }),
    properties: Object.fromEntries(
      fields.map(([name, field]) => [name, { ...(field ? askedOf(field) : {}), ...says(field) }]),
    ),
    required: fields.filter(([, field]) => !field?.optional).map(([name]) => name),
  };
  const name = `${capitalized(endpoint.name)}Request`;
  parts.schemas.set(name, schema);
  const content = { schema: refTo("schemas", name) };
  const kinds = endpoint.body === "json" ? ["application/json"] : bodyKinds;
  return { required: true, content: Object.fromEntries(kinds.map((kind) => [kind, content])) };
}

/** Lists within a body go into JSON alone; the server takes the other kinds there too. */
const bodyKinds = ["application/x-www-form-urlencoded", "multipart/form-data", "application/json"];

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
  for (const value of endpoint.refusals) parts.values.add(value);
  if (carried === "bare")
    return { "application/json": { schema: { oneOf: [schemaOf(endpoint.reply, "output", parts), error] } } };
  const refused = Object.fromEntries(
    endpoint.refusals.map((value) => [keyOf(value), refTo("examples", keyOf(value))]),
  );
  if (carried === "csv")
    return { "application/json": { schema: error, examples: refused }, "text/csv": text };
  if (carried === "eml")
    return { "application/json": { schema: error, examples: refused }, "text/plain": text };
  if (carried === "events")
    return { "application/json": { schema: error, examples: refused }, "text/event-stream": text };
  const name = `${capitalized(endpoint.name)}Reply`;
  parts.replies.set(name, schemaOf(endpoint.reply, "output", parts));
  const example = exampleOf(endpoint.name);
  if (endpoint.spaced) parts.schemas.set("TryAgain", tryAgain);
  const either = [refTo("schemas", name), error];
  // A value that is none of a list and one of a list do not exclude each other.
  const schema = endpoint.spaced ? { anyOf: [...either, refTo("schemas", "TryAgain")] } : { oneOf: either };
  const json = {
    schema,
    examples: { ...(example === undefined ? {} : { success: { value: example } }), ...refused },
  };
  return carried === "html" ? { "application/json": json, "text/html": text } : { "application/json": json };
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
const waysOut = {
  parameter: { type: "string", description: "The parameter that is missing or cannot be taken" },
  reason: { type: "string", description: "What is wrong with it" },
  exceeded: { enum: [...tokenLimits], description: "The token's limit" },
  did_you_mean: { type: "string", description: "The name that was probably meant" },
  waiting: { type: "string", description: "The id of the reorder that waits already" },
  missing: { type: "string", description: "What the balance lacks, in dollars" },
  price: { type: "number", description: "The price that is above max_price, in dollars" },
  skipped: {
    type: "array",
    items: { type: "string" },
    description: "The mail domains that were passed over, see /email/skips",
  },
  retry_after: { type: "integer", minimum: 1, description: "Seconds after which it may be asked again" },
};

const shown = (value: Refusal): Json => ({ status: "error", value, hint: refusals[value] });

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

/** Its value is none of a list. */
const tryAgain: Json = {
  type: "object",
  description: "A code was sent a moment ago.",
  properties: {
    status: { type: "string", const: "error" },
    value: { type: "string", pattern: "^try again [0-9]+ seconds$" },
    hint: { type: "string" },
    retry_after: waysOut.retry_after,
  },
  required: ["status", "value", "hint", "retry_after"],
};

const tooMany: Json = {
  description: "Too many requests; `retry_after` and the header Retry-After name the seconds to wait.",
  headers: { "Retry-After": { schema: { type: "integer", minimum: 1 } } },
  content: {
    "application/json": {
      schema: { allOf: [refTo("schemas", "Refusal"), { type: "object", required: ["retry_after"] }] },
      examples: { limit: { value: { ...shown("limit"), retry_after: 2 } } },
    },
  },
};

const failed: Json = {
  description: "Anything else: 413 for what is too large, 500 when something broke on our side.",
  content: {
    "application/json": {
      schema: refTo("schemas", "Refusal"),
      examples: Object.fromEntries(
        commonRefusals
          .filter((value) => value !== "limit")
          .map((value) => [keyOf(value), refTo("examples", keyOf(value))]),
      ),
    },
  },
};
