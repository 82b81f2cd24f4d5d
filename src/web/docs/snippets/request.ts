import { type Endpoint, headerOf, isTextOnly } from "../../../contract/endpoint.ts";

export type SampledCall = Pick<
  Endpoint,
  "name" | "method" | "alsoPost" | "path" | "access" | "file" | "carried"
> & {
  readonly ask: Readonly<Record<string, Pick<Endpoint["ask"][string], "form">>>;
};

export interface Request {
  /** The call by its name in the clients, with what it is asked. */
  call: { name: string; ask: Readonly<Record<string, string>>; numbers: readonly string[] };
  base: string;
  method: "GET" | "POST";
  address: string;
  query: [string, string][];
  /** Sent as a form, because logs and histories keep addresses. */
  form: [string, string][];
  headers: [string, string][];
  file?: string;
  /** `environment`: the sample reads it at run time; `none`: the call needs none. */
  token: "none" | "environment" | { written: string };
  answer: "json" | "events" | "file";
}

/** Builds the request. Without a written token the sample reads it from the environment. */
export function requestOf(
  endpoint: SampledCall,
  ask: Readonly<Record<string, string>>,
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
  const numbers = Object.keys(ask).filter((name) =>
    ["whole", "time", "number", "dollars"].includes(endpoint.ask[name]?.form.kind ?? ""),
  );
  return {
    call: { name: endpoint.name, ask, numbers },
    base,
    method: isForm ? "POST" : "GET",
    address: base + path,
    query: isForm ? [] : given,
    form: isForm && !file ? given : [],
    headers: file ? [["Content-Type", type], ...named] : [],
    ...(file ? { file: type.startsWith("image/") ? "picture.jpg" : "batch.txt" } : {}),
    token: endpoint.access === "anyone" ? "none" : needed,
    answer: carried === "events" ? carried : isTextOnly(endpoint) ? "file" : "json",
  };
}

/** Fills the parameters of the path; returns the path and the others. */
export function placed(
  template: string,
  given: Readonly<Record<string, string>>,
): { path: string; rest: Record<string, string> } {
  const rest = { ...given };
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    delete rest[name];
    return encodeURIComponent(given[name] ?? "");
  });
  return { path, rest };
}

export const quoted = (text: string): string => JSON.stringify(text);
