import Fastify, { type FastifyInstance } from "fastify";
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

const judges = new Map<string, FastifyInstance>();

/** Throws when an answer does not fit the OpenAPI document (`GET /path`); ignores paths that are no call. */
export async function holdToDescription(call: string, httpStatus: number, answer: unknown): Promise<void> {
  const [method = "", path = ""] = call.split(" ");
  const at = path.replace(/(?<=.)\/$/, "");
  const all = Object.values(endpoints as Record<string, Endpoint>).filter((each) => takes(each, method));
  const endpoint =
    all.find((each) => each.path.replace(/\/$/, "") === at) ?? all.find((each) => isAt(each, at));
  if (!endpoint) return;
  const judged = await judgeOf(endpoint, httpStatus).inject({
    method: "POST",
    url: "/",
    headers: { "content-type": "application/json" },
    payload: JSON.stringify(answer),
  });
  if (judged.statusCode !== 200)
    throw new Error(
      `${call} answered ${JSON.stringify(answer)}, which openapi.json does not describe: ${judged.body}`,
    );
}

const takes = (endpoint: Endpoint, method: string) =>
  endpoint.method === method || (endpoint.alsoPost === true && method === "POST");

function isAt({ path }: Endpoint, asked: string): boolean {
  const pattern = path.replaceAll(".", "\\.").replace(/\{\w+\}/g, "[^/]+");
  return new RegExp(`^${pattern}$`).test(asked);
}

/** A server that accepts only the bodies of a call's status. */
function judgeOf(endpoint: Endpoint, httpStatus: number): FastifyInstance {
  const key = `${endpoint.name} ${httpStatus}`;
  const known = judges.get(key);
  if (known) return known;
  const document = openapi([endpoint], { publicUrl: "", versioned: new Set() }) as unknown as Described;
  const { responses } = Object.values(document.paths)[0]![endpoint.method.toLowerCase()]!;
  const response = responses[httpStatus] ?? responses["default"]!;
  const { content } =
    "$ref" in response ? document.components.responses[response.$ref.split("/").at(-1) ?? ""]! : response;
  const judge = Fastify({
    bodyLimit: 64 * 1024 * 1024,
    ajv: {
      customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false, strict: false },
    },
  });
  // Named shapes are referred to from the root of the document.
  const body = { allOf: [content!["application/json"]!.schema], components: document.components };
  judge.post("/", { schema: { body } }, async () => ({}));
  judges.set(key, judge);
  return judge;
}
