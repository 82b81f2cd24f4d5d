import Fastify, { type FastifyRequest } from "fastify";
import { endpoints } from "../../src/contract/api.ts";
import type { Endpoint } from "../../src/contract/endpoint.ts";
import { openapi } from "../../src/server/platform/http/openapi.ts";

interface Described {
  readonly paths: Record<string, Record<string, { responses: Record<string, Response | Reference> }>>;
  readonly components: { readonly responses: Record<string, Response> };
}
interface Reference {
  readonly $ref: string;
}
interface Response {
  readonly content?: Record<string, { schema: object }>;
}

type Judge = ReturnType<FastifyRequest["compileValidationSchema"]>;

const judges = new Map<string, Promise<Judge>>();

/** Throws when an answer does not fit the OpenAPI document (`GET /path`); ignores paths that are no call. */
export async function holdToDescription(call: string, httpStatus: number, answer: unknown): Promise<void> {
  const [method = "", path = ""] = call.split(" ");
  const at = path.replace(/(?<=.)\/$/, "");
  const all = Object.values(endpoints as Record<string, Endpoint>).filter((each) => takes(each, method));
  const endpoint =
    all.find((each) => each.path.replace(/\/$/, "") === at) ?? all.find((each) => isAt(each, at));
  if (!endpoint) return;
  const judge = await judgeOf(endpoint, httpStatus);
  if (judge(answer)) return;
  throw new Error(
    `${call} answered ${JSON.stringify(answer)}, which openapi.json does not describe: ${JSON.stringify(judge.errors)}`,
  );
}

const takes = (endpoint: Endpoint, method: string) =>
  endpoint.method === method || (endpoint.alsoPost === true && method === "POST");

function isAt({ path }: Endpoint, asked: string): boolean {
  const pattern = path.replaceAll(".", "\\.").replace(/\{\w+\}/g, "[^/]+");
  return new RegExp(`^${pattern}$`).test(asked);
}

/** What tells whether a body is one of a call's status: compiled by the validator that the server has. */
function judgeOf(endpoint: Endpoint, httpStatus: number): Promise<Judge> {
  const key = `${endpoint.name} ${httpStatus}`;
  const known = judges.get(key) ?? compile(endpoint, httpStatus);
  judges.set(key, known);
  return known;
}

async function compile(endpoint: Endpoint, httpStatus: number): Promise<Judge> {
  const document = openapi([endpoint], { publicUrl: "", versioned: new Set() }) as unknown as Described;
  const { responses } = Object.values(document.paths)[0]![endpoint.method.toLowerCase()]!;
  const response = responses[httpStatus] ?? responses["default"]!;
  const { content } =
    "$ref" in response ? document.components.responses[response.$ref.split("/").at(-1) ?? ""]! : response;
  // Named shapes are referred to from the root of the document.
  const schema = { allOf: [content!["application/json"]!.schema], components: document.components };
  const { promise, resolve } = Promise.withResolvers<Judge>();
  const server = Fastify({
    ajv: {
      customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false, strict: false },
    },
  });
  server.get("/", async (request) => {
    resolve(request.compileValidationSchema(schema));
    return {};
  });
  await server.inject("/");
  return promise;
}
