// @module-tag slow
import { gzipSync } from "node:zlib";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endpoints } from "../src/contract/api.ts";
import { type Endpoint, type Field, headerOf } from "../src/contract/endpoint.ts";
import type { Act } from "../src/contract/office/act.ts";
import { eventBodies } from "../src/contract/events.ts";
import { refusals } from "../src/contract/refusals.ts";
import { holdToDescription } from "./kit/described.ts";
import { lookAtShop } from "./kit/everything.ts";
import { examples } from "../src/contract/examples.ts";
import { right, rightThere } from "./kit/right.ts";
import { type Answer, startShop, type TestShop } from "./kit/shop.ts";

// Bad input gets the documented refusal and changes nothing: each parameter of each call, missing, empty, too long,
// of the wrong type, repeated.

let shop: TestShop;
let token: string;
let everything: () => Promise<string[]>;

beforeAll(async () => {
  shop = await startShop();
  token = await shop.member("admin@example.com");
  await shop.db`update users set is_investor = true where email = 'admin@example.com'`;
  everything = await lookAtShop(shop.db);
});
afterAll(() => shop.stop());

test("a call that says that it is refused for some seconds describes that refusal", () => {
  const says = Object.values<Endpoint>(endpoints).filter(({ summary }) =>
    summary.includes("try again N seconds"),
  );
  expect(says.filter(({ spaced }) => !spaced)).toEqual([]);
  expect(says.length).toBe(Object.values<Endpoint>(endpoints).filter(({ spaced }) => spaced).length);
});

interface Case {
  readonly endpoint: Endpoint;
  readonly name: string;
  readonly field: Field;
  readonly wrong: string;
}

const tooLong = "9".repeat(9_000);
const kinds = ["missing", "empty", "too long", "with a NUL", "an object", "repeated"];

const cases: Case[] = Object.values(endpoints).flatMap((endpoint: Endpoint) =>
  Object.entries(endpoint.ask).flatMap(([name, field]) =>
    kinds
      .filter((wrong) => applies(endpoint, name, field, wrong))
      .map((wrong) => ({ endpoint, name, field, wrong })),
  ),
);

function applies(endpoint: Endpoint, name: string, field: Field, wrong: string): boolean {
  // A path parameter cannot be missing, and an unknown Soft ID is ignored (spec O §2, partner mode).
  if (endpoint.path.includes(`{${name}}`) || name === "soft_id") return false;
  if (wrong === "missing" || wrong === "empty") return !field.optional;
  // Headers are never of another type or repeated.
  if (endpoint.file) return wrong === "too long";
  return wrong === "an object" ? endpoint.method !== "GET" || endpoint.alsoPost === true : true;
}

async function ask({ endpoint, name, wrong }: Case): Promise<{ response: Response; answer: Answer }> {
  const given = Object.keys(endpoint.ask).filter((each) => each !== name || wrong !== "missing");
  const values = given.map((each): [string, string] => [
    each,
    each === name ? wrongValue(wrong, each) : (rightThere[endpoint.path]?.[each] ?? right[each] ?? ""),
  ]);
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_hole, each: string) => right[each] ?? "");
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(...requestOf(endpoint, path, values, { name, wrong }, headers));
  const answer = (await response.json()) as Answer;
  await holdToDescription(`${endpoint.method} ${path}`, response.status, answer);
  return { response, answer };
}

function wrongValue(wrong: string, name: string): string {
  if (wrong === "empty") return "";
  if (wrong === "too long") return tooLong;
  return wrong === "with a NUL" ? `${right[name]}\0` : (right[name] ?? "");
}

function requestOf(
  endpoint: Endpoint,
  path: string,
  values: [string, string][],
  { name, wrong }: { name: string; wrong: string },
  headers: Record<string, string>,
): [string, RequestInit] {
  const method = endpoint.alsoPost || endpoint.method === "GET" ? "POST" : endpoint.method;
  if (wrong === "an object") {
    const body = JSON.stringify({ ...Object.fromEntries(values), [name]: { is: ["an", "object"] } });
    return [shop.url + path, { method, body, headers: { ...headers, "content-type": "application/json" } }];
  }
  if (endpoint.file) {
    const named = values.map(([each, value]): [string, string] => [headerOf(endpoint, each) ?? each, value]);
    const type = endpoint.file.types[0] ?? "";
    const all = { ...headers, ...Object.fromEntries(named), "content-type": type };
    return [shop.url + path, { method, body: "", headers: all }];
  }
  const form = new URLSearchParams(values);
  if (wrong === "repeated") form.append(name, right[name] ?? "");
  return endpoint.method === "GET"
    ? [`${shop.url}${path}?${form}`, { headers }]
    : [shop.url + path, { method, body: form, headers }];
}

describe("bad input is refused by name and changes nothing", () => {
  /** The state after the last call: nothing is requested between. */
  let before: string[] | undefined;

  test.each([...Map.groupBy(cases, ({ endpoint }) => `${endpoint.method} ${endpoint.path}`)])(
    "%s",
    async (_call, ofCall) => {
      before ??= await everything();
      for (const each of ofCall) {
        const [said, { response, answer }] = [`${each.name} ${each.wrong}`, await ask(each)];
        const { refusal: value } = each.field;
        const hint = refusals[value];
        expect(answer, said).toMatchObject({ status: "error", value, hint, parameter: each.name });
        expect(each.endpoint.refusals, said).toContain(answer.value);
        const kind = [response.status, response.headers.get("content-type")];
        expect(kind, said).toEqual([200, "application/json"]);
      }
      const earlier = before;
      before = await everything();
      expect(before).toEqual(earlier);
    },
  );
});

describe("a call that needs a token", () => {
  const guarded = Object.values(endpoints).filter((endpoint: Endpoint) => endpoint.access !== "anyone");
  test.each(guarded.map((endpoint) => [endpoint.path, endpoint] as const))(
    "%s refuses a wrong one",
    async (_path, endpoint) => {
      const path = endpoint.path.replace(/\{(\w+)\}/g, "1");
      for (const wrong of [
        "",
        "?token=",
        "?token=short",
        `?token=${"A".repeat(32)}`,
        `?token=${tooLong}`,
        `?token=${token}&token=${token}`,
      ]) {
        const response = await fetch(shop.url + path + wrong, { method: endpoint.method });
        expect([wrong.slice(0, 20), response.status, await response.json()]).toEqual([
          wrong.slice(0, 20),
          200,
          expect.objectContaining({ status: "error", value: "token" }),
        ]);
      }
    },
  );
});

test("the token may come in the query, in a body or as a bearer", async () => {
  const answers = await Promise.all([
    shop.get("/user/balance", { token }),
    fetch(`${shop.url}/user/balance`, { headers: { authorization: `Bearer ${token}` } }).then((r) =>
      r.json(),
    ),
    shop.post("/user/sendnewcode", { token }),
  ]);
  expect(answers).toMatchObject([
    { status: "success", balance: "0.0" },
    { status: "success", balance: "0.0" },
    { status: "error", value: "account already activated" },
  ]);
});

test("a body that cannot be read, one that is too large and an unknown call are told apart", async () => {
  const json = { "content-type": "application/json" };
  const broken = await fetch(`${shop.url}/user/authorize`, { method: "POST", body: "{", headers: json });
  expect([broken.status, await broken.json()]).toMatchObject([200, { status: "error", value: "request" }]);
  const large = await fetch(`${shop.url}/user/authorize`, {
    method: "POST",
    body: `"${"x".repeat(200_000)}"`,
    headers: json,
  });
  expect([large.status, await large.json()]).toMatchObject([413, { status: "error", value: "size" }]);
  const unknown = await fetch(`${shop.url}/email/nothing`);
  expect(unknown.headers.get("access-control-allow-origin")).toBe("*");
  expect([unknown.status, await unknown.json()]).toMatchObject([
    404,
    { status: "error", value: "not found" },
  ]);
});

test.each(["/user", "/user?token=x", "//user/balance", "/USER/balance", "/Email/Order?site=x", "/stats/"])(
  "a call that is mistyped as %s is answered in the envelope",
  async (path) => {
    const response = await fetch(shop.url + path);
    expect([response.status, response.headers.get("content-type"), await response.json()]).toEqual([
      404,
      "application/json",
      { status: "error", value: "not found", hint: refusals["not found"] },
    ]);
  },
);

test.each(["/users", "/emails/order", "/en/user"])("%s is a page's address", async (path) => {
  const response = await fetch(shop.url + path);
  expect([response.status, response.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
});

test("looking at an order call with HEAD orders nothing", async () => {
  const before = await everything();
  await fetch(`${shop.url}/email/order?token=${token}&site=instagram.com&domain=all`, { method: "HEAD" });
  expect(await everything()).toEqual(before);
});

test("programs in a browser of any origin may call the API", async () => {
  const response = await fetch(`${shop.url}/email/aggregators`, {
    headers: { origin: "https://elsewhere.example" },
  });
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
  const preflight = await fetch(`${shop.url}/email/order`, { method: "OPTIONS" });
  expect([preflight.status, preflight.headers.get("access-control-allow-headers")]).toEqual([
    204,
    "authorization, content-type, idempotency-key, if-none-match, last-event-id, sites, token",
  ]);
});

test("what programs are told the ids of is counted from beyond 32 bits", async () => {
  const told = ["orders_id_seq", "payment_id_seq", "letter_id_seq", "event_id"];
  const ofPrograms = ["user_token_id_seq", "webhook_id_seq", "webhook_delivery_id_seq"];
  const wide = await shop.db<{ name: string }[]>`
    select sequencename as name from pg_sequences where start_value > ${String(2 ** 32)}::bigint`;
  expect(wide.map(({ name }) => name)).toEqual(expect.arrayContaining([...told, ...ofPrograms]));
});

test.each(Object.keys(examples) as (keyof typeof examples)[])(
  "what the documentation shows as the answer of %s is what the OpenAPI document describes",
  async (name) => {
    const carried = (endpoints[name] as Endpoint).carried ?? "json";
    const shown = { ...(carried === "bare" ? {} : { status: "success" }), ...examples[name].reply };
    // Of streams and files only a refusal is JSON.
    const answer = ["csv", "eml", "events"].includes(carried)
      ? { status: "error", value: "token", hint: "" }
      : shown;
    const call = `${endpoints[name].method} ${endpoints[name].path}`;
    await holdToDescription(call, 200, answer);
    await expect(holdToDescription(call, 200, { status: "success?" })).rejects.toThrow("openapi.json");
  },
);

interface Reference {
  readonly $ref: string;
}
interface DescribedAnswer {
  readonly headers?: object;
  readonly content: Record<string, { readonly examples?: object }>;
}
interface Operation {
  readonly description?: string;
  readonly security: readonly object[];
  readonly parameters?: readonly ({ name: string; in: string } | Reference)[];
  readonly requestBody?: { readonly content: object };
  readonly responses: { 200: DescribedAnswer | Reference; 304?: Reference };
}
interface OpenApi {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: {
    readonly responses: Record<string, DescribedAnswer>;
    readonly schemas: Record<string, object>;
  };
  readonly webhooks: Record<
    string,
    { post: { requestBody: { content: Record<string, { schema: unknown }> } } }
  >;
}

const documentAt = async (path: string) => (await (await fetch(shop.url + path)).json()) as OpenApi;

test.each(["/openapi.json", "/openapi.operator.json"])(
  "%s has no fault that a linter finds",
  async (path) => {
    const problems = await lintFromString({
      source: JSON.stringify(await documentAt(path)),
      absoluteRef: path,
      config: await createConfig({ extends: ["recommended"] }),
    });
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
      [],
    );
  },
);

test.each(["/openapi.json", "/openapi.operator.json"])(
  "the choices of %s are of one type and differ as text, as generators name them after it",
  async (path) => {
    const choices: unknown[][] = [];
    JSON.stringify(await documentAt(path), (key, value: unknown) => {
      if (key === "enum") choices.push(value as unknown[]);
      return value;
    });
    expect(choices.length).toBeGreaterThan(10);
    const isPlain = (all: unknown[]) =>
      new Set(all.map((each) => typeof each)).size === 1 && new Set(all.map(String)).size === all.length;
    expect(choices.filter((all) => !isPlain(all))).toEqual([]);
  },
);

test("the OpenAPI document names every call with its parameters and refusals", async () => {
  const document = await documentAt("/openapi.json");
  const answerOf = (
    { paths, components }: OpenApi,
    path: string,
    method: string,
  ): DescribedAnswer | undefined => {
    const answer = paths[path]?.[method]?.responses[200];
    return answer && "$ref" in answer ? components.responses[answer.$ref.split("/").at(-1) ?? ""] : answer;
  };
  expect(document.openapi).toBe("3.1.0");
  // Some languages' generators reject these expressions.
  expect(JSON.stringify(document)).not.toMatch(/\\[pP]\{|\\0/);
  const kindsOf = (path: string) => Object.keys(answerOf(document, path, "get")?.content ?? {});
  expect(kindsOf("/email/getmessage")).toEqual(["application/json", "text/html"]);
  expect(kindsOf("/user/statement.csv")).toEqual(["application/json", "text/csv"]);
  expect(kindsOf("/user/events")).toEqual(["application/json", "text/event-stream"]);
  const inHeader = (path: string, method: string) =>
    (document.paths[path]?.[method]?.parameters ?? []).flatMap((each) =>
      "$ref" in each ? ["If-None-Match"] : each.in === "header" ? [each.name] : [],
    );
  expect(inHeader("/email/order", "post")).toEqual(["Idempotency-Key"]);
  expect(inHeader("/email/reorder", "get")).toEqual(["Idempotency-Key"]);
  expect(inHeader("/user/events", "get")).toEqual(["Last-Event-ID"]);
  const versioned = Object.keys(document.paths).filter((path) =>
    inHeader(path, "get")?.includes("If-None-Match"),
  );
  expect(versioned.toSorted()).toEqual([
    "/email/getmessage",
    "/email/history",
    "/user/activations",
    "/user/balance",
    "/user/information",
  ]);
  for (const path of versioned) {
    expect(answerOf(document, path, "get")?.headers).toEqual({ ETag: expect.anything() as unknown });
    expect(document.paths[path]?.["get"]?.responses[304]).toBeDefined();
  }
  const upload = document.paths["/investor/upload"]?.["post"];
  expect(upload?.parameters).toMatchObject([
    { name: "Sites", in: "header" },
    { name: "Idempotency-Key", in: "header" },
  ]);
  expect(upload?.requestBody?.content).toEqual({
    "text/plain": { schema: { type: "string", format: "binary" } },
  });
  expect(Object.keys(document.webhooks)).toEqual(Object.keys(eventBodies));
  for (const name of Object.keys(eventBodies))
    expect(document.webhooks[name]?.post.requestBody.content["application/json"]?.schema).toMatchObject({
      properties: { type: { const: name }, data: { required: expect.any(Array) as unknown } },
    });
  const operator = await documentAt("/openapi.operator.json");
  const commandsOf = (endpoint: Endpoint | Act) =>
    "commands" in endpoint ? Object.keys(endpoint.commands) : [];
  for (const endpoint of Object.values(endpoints) as Endpoint[]) {
    const described = endpoint.access === "admin" ? operator : document;
    const [path, method] = [endpoint.path.replace(/(?<=.)\/$/, ""), endpoint.method.toLowerCase()];
    const operation = described.paths[path]?.[method];
    expect([path, operation?.description]).toEqual([
      path,
      endpoint.limited
        ? "A limited token may call it too."
        : commandsOf(endpoint).length > 0
          ? `By the operator's command: ${commandsOf(endpoint)
              .map((line) => `\`${line}\``)
              .join(", ")}.`
          : undefined,
    ]);
    expect([path, operation?.security.length === 0]).toEqual([path, endpoint.access === "anyone"]);
    if (endpoint.carried === "bare") continue;
    const shown = answerOf(described, path, method)?.content["application/json"]?.examples ?? {};
    const named = endpoint.refusals.map((value) => value.replaceAll(/[^A-Za-z0-9]+/g, "_"));
    expect(Object.keys(shown)).toEqual(expect.arrayContaining(named));
  }
  for (const name of ["Activation", "Letter", "Offer", "Order", "Payment", "Refusal"])
    expect(Object.keys(document.components.schemas)).toContain(name);
  // As it is sent.
  expect(gzipSync(JSON.stringify(document)).length).toBeLessThan(30_500);
});
