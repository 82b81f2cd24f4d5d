import { quoted, type Request } from "./request.ts";

const endings: Record<Request["answer"], string> = {
  json: `const answer = await response.json();
if (answer.status === "error") throw new Error(answer.value);
console.log(answer);`,
  events: `for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
  console.log(text);
}`,
  csv: `console.log(await response.text());`,
};

/** A module for Node.js and the like; the same `fetch` is in every browser. */
export function javascriptOf(request: Request): string {
  const { method, address, query, form, token, answer } = request;
  const options = [
    ...(method === "POST" ? [`  method: "POST",`] : []),
    ...(token === "none" ? [] : [`  headers: { authorization: ${bearerOf(token)} },`]),
    ...(form.length > 0 ? [`  body: new URLSearchParams(${objectOf(form, "  ")}),`] : []),
  ];
  const target = query.length > 0 ? `\`${address}?\${query}\`` : quoted(address);
  return [
    ...(token === "environment" ? ['import { env } from "node:process";', ""] : []),
    ...(query.length > 0 ? [`const query = new URLSearchParams(${objectOf(query, "")});`] : []),
    options.length > 0
      ? `const response = await fetch(${target}, {\n${options.join("\n")}\n});`
      : `const response = await fetch(${target});`,
    endings[answer],
  ].join("\n");
}

const bearerOf = (token: Exclude<Request["token"], "none">) =>
  token === "environment" ? "`Bearer ${env.TOKEN}`" : quoted(`Bearer ${token.written}`);

function objectOf(given: [string, string][], indent: string): string {
  const lines = given.map(([name, value]) => `${indent}  ${name}: ${quoted(value)},`);
  return `{\n${lines.join("\n")}\n${indent}}`;
}
