import { javascriptOf } from "./javascript.ts";
import { quoted, type Request } from "./request.ts";

/** Calls that the client has under a name of its own. */
const own: Readonly<Record<string, string>> = {
  balance: "balance",
  quantity: "quantity",
  orderEmail: "order",
  reorderEmail: "reorder",
};

/** By the client; what it does not offer (a call without a token, a stream, a table) is a request like any other. */
export function typescriptOf(request: Request): string {
  const { call, base, file, token, answer } = request;
  if (token === "none" || answer !== "json") return javascriptOf(request);
  const written = token === "environment" ? 'env["TOKEN"] ?? ""' : quoted(token.written);
  return [
    ...(file === undefined ? [] : ['import { openAsBlob } from "node:fs";']),
    ...(token === "environment" ? ['import { env } from "node:process";'] : []),
    'import { Postern } from "postern-client";',
    "",
    `const postern = new Postern({ url: ${quoted(base)}, token: ${written} });`,
    `const answer = await ${doing(call, file)};`,
    "console.log(answer);",
  ].join("\n");
}

function doing({ name, ask, numbers }: Request["call"], file: string | undefined): string {
  const given = Object.entries(ask).map(
    ([key, value]) => `${key}: ${numbers.includes(key) ? String(Number(value)) : quoted(value)}`,
  );
  const { id, wait } = ask;
  const isOnlyWait = Object.keys(ask).every((key) => key === "id" || key === "wait");
  if (name === "getMessage" && id !== undefined && isOnlyWait)
    return `postern.waitForLetter(${quoted(id)}, { timeoutSeconds: ${wait ?? "60"} })`;
  if (name === "cancelEmail" && id !== undefined) return `postern.cancel(${quoted(id)})`;
  if (file !== undefined) given.push(`file: await openAsBlob(${quoted(file)}, { type: "text/plain" })`);
  const method = own[name];
  const parameters = objectOf(given);
  if (method !== undefined) return `postern.${method}(${given.length > 0 ? parameters : ""})`;
  return `postern.ask(${quoted(name)}, ${parameters})`;
}

function objectOf(given: readonly string[]): string {
  const line = given.length === 0 ? "{}" : `{ ${given.join(", ")} }`;
  return line.length < 56 ? line : `{\n${given.map((one) => `  ${one},`).join("\n")}\n}`;
}
