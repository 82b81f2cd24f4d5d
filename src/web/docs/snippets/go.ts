import { quoted, type Request } from "./request.ts";

const readJson = [
  "var answer map[string]any",
  "if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {",
  "\tlog.Fatal(err)",
  "}",
  'if answer["status"] == "error" {',
  '\tlog.Fatal(answer["value"])',
  "}",
  "fmt.Println(answer)",
];
const unlessFault = ["if err != nil {", "\tlog.Fatal(err)", "}"];
const copyOut = ["if _, err := io.Copy(os.Stdout, response.Body); err != nil {", "\tlog.Fatal(err)", "}"];

export function goOf(request: Request): string {
  const { method, address, query, form, headers, file, token, answer } = request;
  const target = query.length > 0 ? `${quoted(`${address}?`)}+query.Encode()` : quoted(address);
  const sent = file === undefined ? "nil" : "file";
  const body = form.length > 0 ? "strings.NewReader(form.Encode())" : sent;
  const lines = [
    ...(query.length > 0 ? valuesOf("query", query) : []),
    ...(form.length > 0 ? valuesOf("form", form) : []),
    ...(file === undefined ? [] : [`file, err := os.Open(${quoted(file)})`, ...unlessFault]),
    `request, err := http.NewRequest("${method}", ${target}, ${body})`,
    ...unlessFault,
    ...(token === "none" ? [] : [`request.Header.Set("Authorization", ${bearerOf(token)})`]),
    ...headers.map(([name, value]) => `request.Header.Set(${quoted(name)}, ${quoted(value)})`),
    ...(form.length > 0 ? ['request.Header.Set("Content-Type", "application/x-www-form-urlencoded")'] : []),
    "response, err := http.DefaultClient.Do(request)",
    ...unlessFault,
    "defer response.Body.Close()",
    ...(answer === "json" ? readJson : copyOut),
  ];
  const imports = importsOf(request).map((name) => `\t"${name}"`);
  const main = lines.map((line) => `\t${line}`);
  return ["package main", "", "import (", ...imports, ")", "", "func main() {", ...main, "}"].join("\n");
}

/** Only the used imports: Go rejects others. */
function importsOf({ query, form, file, token, answer }: Request): string[] {
  const used = {
    "encoding/json": answer === "json",
    fmt: answer === "json",
    io: answer !== "json",
    log: true,
    "net/http": true,
    "net/url": query.length + form.length > 0,
    os: token === "environment" || answer !== "json" || file !== undefined,
    strings: form.length > 0,
  };
  return Object.entries(used).flatMap(([name, isUsed]) => (isUsed ? [name] : []));
}

const bearerOf = (token: Exclude<Request["token"], "none">) =>
  token === "environment" ? '"Bearer "+os.Getenv("TOKEN")' : quoted(`Bearer ${token.written}`);

function valuesOf(name: string, given: [string, string][]): string[] {
  const width = Math.max(...given.map(([key]) => key.length));
  const lines = given.map(
    ([key, value]) => `\t${quoted(key)}:${" ".repeat(width - key.length + 1)}{${quoted(value)}},`,
  );
  return [`${name} := url.Values{`, ...lines, "}"];
}
