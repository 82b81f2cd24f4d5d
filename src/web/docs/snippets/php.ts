import type { Request } from "./request.ts";

const readJson = (target: string) => [
  `$answer = json_decode(file_get_contents(${target}, false, $context), true);`,
  "if ($answer['status'] === 'error') {",
  "    exit($answer['value'] . PHP_EOL);",
  "}",
  "print_r($answer);",
];
const readLines = (target: string) => [
  `$stream = fopen(${target}, 'r', false, $context);`,
  "while (($line = fgets($stream)) !== false) {",
  "    echo $line;",
  "}",
];

export function phpOf(request: Request): string {
  const { method, address, query, form, headers, file, token, answer } = request;
  const sent = [
    ...(token === "none" ? [] : [bearerOf(token)]),
    ...(form.length > 0 ? [inPhp("Content-Type: application/x-www-form-urlencoded")] : []),
    ...headers.map(([name, value]) => inPhp(`${name}: ${value}`)),
  ];
  const options = [
    ...(method === "POST" ? ["    'method' => 'POST',"] : []),
    ...(sent.length > 0
      ? [`    'header' => [\n${sent.map((one) => `        ${one},`).join("\n")}\n    ],`]
      : []),
    ...(form.length > 0 ? ["    'content' => $form,"] : []),
    ...(file === undefined ? [] : [`    'content' => file_get_contents(${inPhp(file)}),`]),
    // A refusal may have another HTTP status than 200, and is read all the same.
    "    'ignore_errors' => true,",
  ];
  const target = query.length > 0 ? `${inPhp(`${address}?`)} . $query` : inPhp(address);
  return [
    "<?php",
    ...(query.length > 0 ? [`$query = http_build_query(${arrayOf(query)});`] : []),
    ...(form.length > 0 ? [`$form = http_build_query(${arrayOf(form)});`] : []),
    `$context = stream_context_create(['http' => [\n${options.join("\n")}\n]]);`,
    ...(answer === "json" ? readJson(target) : readLines(target)),
  ].join("\n");
}

const inPhp = (text: string): string =>
  `'${text.replaceAll("\\", String.raw`\\`).replaceAll("'", String.raw`\'`)}'`;

const bearerOf = (token: Exclude<Request["token"], "none">): string =>
  token === "environment"
    ? "'Authorization: Bearer ' . getenv('TOKEN')"
    : inPhp(`Authorization: Bearer ${token.written}`);

const arrayOf = (given: [string, string][]): string =>
  `[\n${given.map(([name, value]) => `    ${inPhp(name)} => ${inPhp(value)},`).join("\n")}\n]`;
