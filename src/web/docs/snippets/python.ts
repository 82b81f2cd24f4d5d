import { quoted, type Request } from "./request.ts";

const endings: Record<Request["answer"], string[]> = {
  json: [
    "    answer = json.load(response)",
    'if answer["status"] == "error":',
    '    raise SystemExit(answer["value"])',
    "print(answer)",
  ],
  events: ["    for line in response:", '        print(line.decode(), end="")'],
  file: ["    print(response.read().decode())"],
};

export function pythonOf(request: Request): string {
  const { method, address, query, form, headers, file, token, answer } = request;
  const parameters = query.length > 0 ? query : form;
  const imports = [
    ...(answer === "json" ? ["json"] : []),
    ...(token === "environment" ? ["os"] : []),
    ...(parameters.length > 0 ? ["urllib.parse"] : []),
    "urllib.request",
  ];
  const named = query.length > 0 ? "query" : "form";
  const options = [
    query.length > 0 ? `${quoted(`${address}?`)} + query` : quoted(address),
    ...(form.length > 0 ? ["data=form.encode()"] : []),
    ...(file === undefined ? [] : [`data=open(${quoted(file)}, "rb")`]),
    ...headersOf(token === "none" ? headers : [["Authorization", { code: bearerOf(token) }], ...headers]),
    ...(method === "POST" ? ['method="POST"'] : []),
  ];
  return [
    `import ${imports.join(", ")}`,
    "",
    ...(parameters.length > 0 ? [`${named} = urllib.parse.urlencode(${dictionaryOf(parameters)})`] : []),
    `request = urllib.request.Request(\n${options.map((option) => `    ${option},`).join("\n")}\n)`,
    "with urllib.request.urlopen(request) as response:",
    ...endings[answer],
  ].join("\n");
}

type Header = [string, string | { code: string }];

function headersOf(headers: Header[]): string[] {
  const fields = headers.map(
    ([name, value]) => `${quoted(name)}: ${typeof value === "string" ? quoted(value) : value.code}`,
  );
  if (fields.length < 2) return fields.map((field) => `headers={${field}}`);
  return [`headers={\n${fields.map((field) => `        ${field},`).join("\n")}\n    }`];
}

const bearerOf = (token: Exclude<Request["token"], "none">) =>
  token === "environment" ? '"Bearer " + os.environ["TOKEN"]' : quoted(`Bearer ${token.written}`);

function dictionaryOf(given: [string, string][]): string {
  const lines = given.map(([name, value]) => `    ${quoted(name)}: ${quoted(value)},`);
  return `{\n${lines.join("\n")}\n}`;
}
