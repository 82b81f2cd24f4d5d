import { type Endpoint, headerOf } from "../../../contract/endpoint.ts";

/** A call as a program sends it. */
export interface Request {
  method: "GET" | "POST";
  /** Without its query. */
  address: string;
  /** Written into the address. */
  query: [string, string][];
  /** Sent as a form: an address ends up in logs and histories. */
  form: [string, string][];
  /** Sent as headers, beside the token. */
  headers: [string, string][];
  /** The body is this file of the reader's. */
  file?: string;
  /** `environment`: the program reads it where it runs; `none`: the call needs none. */
  token: "none" | "environment" | { written: string };
  answer: "json" | "events" | "csv";
}

/** How a call is sent with these parameters. Without a token to write, the sample reads one from its environment. */
export function requestOf(
  endpoint: Endpoint,
  ask: Record<string, string>,
  base: string,
  token?: string,
): Request {
  const { path, rest } = placed(endpoint.path, ask);
  const given = Object.entries(rest);
  const { file } = endpoint;
  const type = file?.types[0] ?? "";
  const named = given.map(([name, value]): [string, string] => [headerOf(endpoint, name) ?? name, value]);
  const isForm = endpoint.method === "POST" || "password" in ask || "code" in ask;
  const { carried } = endpoint;
  const needed = token === undefined ? "environment" : { written: token };
  return {
    method: isForm ? "POST" : "GET",
    address: base + path,
    query: isForm ? [] : given,
    form: isForm && !file ? given : [],
    headers: file ? [["Content-Type", type], ...named] : [],
    ...(file ? { file: type.startsWith("image/") ? "picture.jpg" : "batch.txt" } : {}),
    token: endpoint.access === "anyone" ? "none" : needed,
    answer: carried === "events" || carried === "csv" ? carried : "json",
  };
}

/** Puts the parameters that are parts of the path into it, and answers those that are left. */
export function placed(
  template: string,
  given: Record<string, string>,
): { path: string; rest: Record<string, string> } {
  const rest = { ...given };
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    delete rest[name];
    return encodeURIComponent(given[name] ?? "");
  });
  return { path, rest };
}

/** A text as a literal of JavaScript, Python and Go alike. */
export const quoted = (text: string): string => JSON.stringify(text);
