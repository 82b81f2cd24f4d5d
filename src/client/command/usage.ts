import type { Command } from "./commands.ts";
import { columns } from "./words.ts";

export function usageLines(commands: Readonly<Record<string, Command>>): string[] {
  return [
    "postern: temporary mail addresses of a Postern shop",
    "",
    ...Object.entries(commands).flatMap(([name, command]) => commandLines(name, command)),
    "  Any of them with --json prints one line of JSON for each thing that it prints.",
    "",
    "POSTERN_URL is the address of the shop, POSTERN_TOKEN the token that its dashboard shows.",
    "Exit codes: 0 done, 1 the shop said no, 2 called wrongly, 3 no letter in time, 4 no answer now: try later.",
  ];
}

function commandLines(name: string, { summary, takesId, options }: Command): string[] {
  const rows = Object.entries(options).map(([option, { value, summary: what }]) => [
    `      --${option}${value === undefined ? "" : ` ${value}`}`,
    what,
  ]);
  return [`  postern ${name}${takesId ? " ID" : ""}`, `      ${summary}`, ...columns(rows), ""];
}
