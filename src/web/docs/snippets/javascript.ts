import { quoted, type Request } from "./request.ts";

const endings: Record<Request["answer"], string> = {
  json: `const answer = await response.json();
if (answer.status === "error") throw new Error(answer.value);
console.log(answer);`,
  events: `for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
  console.log(text);
}`,
  file: `console.log(await response.text());`,
};

export function javascriptOf(request: Request): string {
  const { method, address, query, form, headers, file, token, answer } = request;
  const options = [
    ...(method === "POST" ? [`  method: "POST",`] : []),
    ...headersOf(token === "none" ? headers : [["authorization", { code: bearerOf(token) }], ...headers]),
    ...(file === undefined ? [] : [`  body: await openAsBlob(${quoted(file)}),`]),
    ...(form.length > 0 ? [`  body: new URLSearchParams(${objectOf(form, "  ")}),`] : []),
  ];
  const target = query.length > 0 ? `\`${address}?\${query}\`` : quoted(address);
  return [
    ...(file === undefined ? [] : ['import { openAsBlob } from "node:fs";']),
    ...(token === "environment" ? ['import { env } from "node:process";'] : []),
    ...(file !== undefined || token === "environment" ? [""] : []),
    ...(query.length > 0 ? [`const query = new URLSearchParams(${objectOf(query, "")});`] : []),
    options.length > 0
      ? `const response = await fetch(${target}, {\n${options.join("\n")}\n});`
      : `const response = await fetch(${target});`,
    endings[answer],
  ].join("\n");
}

type Header = [string, string | { code: string }];

function headersOf(headers: Header[]): string[] {
  const fields = headers.map(([name, value]) => {
    const key = name.toLowerCase();
    return `${/^\w+$/.test(key) ? key : quoted(key)}: ${typeof value === "string" ? quoted(value) : value.code}`;
  });
  if (fields.length < 2) return fields.map((field) => `  headers: { ${field} },`);
  return ["  headers: {", ...fields.map((field) => `    ${field},`), "  },"];
}

const bearerOf = (token: Exclude<Request["token"], "none">) =>
  token === "environment" ? "`Bearer ${env.TOKEN}`" : quoted(`Bearer ${token.written}`);

function objectOf(given: [string, string][], indent: string): string {
  const lines = given.map(([name, value]) => `${indent}  ${name}: ${quoted(value)},`);
  return `{\n${lines.join("\n")}\n${indent}}`;
}
