import { quoted, type Request } from "./request.ts";

const endings: Record<Request["answer"], string[]> = {
  json: [
    "    answer = json.load(response)",
    'if answer["status"] == "error":',
    '    raise SystemExit(answer["value"])',
    "print(answer)",
  ],
  events: ["    for line in response:", '        print(line.decode(), end="")'],
  csv: ["    print(response.read().decode())"],
};

/** A program with what Python brings. */
export function pythonOf(request: Request): string {
  const { method, address, query, form, token, answer } = request;
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
    ...(token === "none" ? [] : [`headers={"Authorization": ${bearerOf(token)}}`]),
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

const bearerOf = (token: Exclude<Request["token"], "none">) =>
  token === "environment" ? '"Bearer " + os.environ["TOKEN"]' : quoted(`Bearer ${token.written}`);

function dictionaryOf(given: [string, string][]): string {
  const lines = given.map(([name, value]) => `    ${quoted(name)}: ${quoted(value)},`);
  return `{\n${lines.join("\n")}\n}`;
}
