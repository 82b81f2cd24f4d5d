import { parseArgs } from "node:util";
import { Postern, PosternError } from "../client.ts";
import { type Command, commands, Given, Misuse, type Output } from "./commands.ts";
import { usageLines } from "./usage.ts";
import { refusalLines } from "./words.ts";

export interface Terminal {
  environment: Readonly<Record<string, string | undefined>>;
  print: (line: string) => void;
  tell: (line: string) => void;
}

/** The exit codes; scripts rely on them. */
const exitCodes = { done: 0, refused: 1, misused: 2, noLetter: 3, tryLater: 4 };

export async function runCommand(words: readonly string[], terminal: Terminal): Promise<number> {
  const { print, tell } = terminal;
  const asJson = words.includes("--json");
  try {
    const [name = "--help", ...rest] = words;
    if (["--help", "-h", "help"].includes(name) || rest.includes("--help")) {
      for (const line of usageLines(commands)) print(line);
      return exitCodes.done;
    }
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (!command) throw new Misuse(`There is no command ${name}; postern --help lists them.`);
    const given = read(name, command, rest);
    await command.run(
      (own) => openPostern(terminal, own),
      given,
      ({ json, lines, beside = [] }: Output) => {
        for (const line of asJson ? asLine(json) : lines) print(line);
        if (!asJson) for (const line of beside) tell(line);
      },
    );
    return exitCodes.done;
  } catch (error) {
    if (error instanceof Misuse) tell(`postern: ${error.message}`);
    if (error instanceof Misuse) return exitCodes.misused;
    if (!(error instanceof PosternError)) throw error;
    if (asJson) print(JSON.stringify({ status: "error", value: error.value, ...error.more }));
    else for (const line of refusalLines(error)) tell(line);
    return codeOf(error);
  }
}

const asLine = (json: unknown) => (json === undefined ? [] : [JSON.stringify(json)]);

function codeOf({ value }: PosternError): number {
  if (value === "wait message") return exitCodes.noLetter;
  const isPassing = value === "connection" || value === "server" || value === "limit";
  return isPassing ? exitCodes.tryLater : exitCodes.refused;
}

function openPostern({ environment }: Terminal, own?: string): Postern {
  const { POSTERN_URL: url = "", POSTERN_TOKEN = "" } = environment;
  const token = own ?? POSTERN_TOKEN;
  if (url === "") throw new Misuse("Set POSTERN_URL to the address of the shop.");
  if (!URL.canParse(url)) throw new Misuse(`POSTERN_URL is no address: ${url}`);
  if (token === "") throw new Misuse("Set POSTERN_TOKEN to the token that the shop's dashboard shows.");
  return new Postern({ url, token });
}

function read(name: string, command: Command, words: string[]): Given {
  if (words.some((word) => /^--token(=|$)/.test(word))) {
    throw new Misuse(
      "The token is taken from POSTERN_TOKEN only: a command line can be read by everybody on the machine.",
    );
  }
  const options = Object.entries(command.options).map(
    ([option, { value }]) => [option, { type: value === undefined ? "boolean" : "string" }] as const,
  );
  const { values, positionals } = parse(
    words,
    Object.fromEntries([...options, ["json", { type: "boolean" }]]),
  );
  const lacking = Object.keys(command.options).find(
    (option) => command.options[option]?.required && !values[option],
  );
  if (lacking !== undefined) throw new Misuse(`postern ${name} needs --${lacking}.`);
  const [id = "", ...more] = positionals;
  if (command.takesId && id === "") throw new Misuse(`postern ${name} needs the id of an activation.`);
  const [excess] = command.takesId ? more : positionals;
  if (excess !== undefined) throw new Misuse(`postern ${name} does not know what to do with ${excess}.`);
  return new Given(id, values);
}

type Options = Record<string, { type: "boolean" | "string" }>;

function parse(args: string[], options: Options) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    // Node's first sentence names the wrong option; the rest explains a rare case.
    const [sentence] = error instanceof TypeError ? error.message.split(/(?<=\.) /) : [];
    if (sentence === undefined) throw error;
    throw new Misuse(sentence);
  }
}
