// The operator's command: its words, and the messages for wrong ones.
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { type Act, asJson } from "./answer.ts";
import { version } from "../platform/version.ts";
import { addActCommands } from "./acts.ts";
import { addAuditCommands } from "./audit.ts";
import { addBackupCommands } from "./backup.ts";
import { addBatchCommands } from "./batches.ts";
import { addChainCommands } from "./chains.ts";
import { addClusterCommands } from "./cluster.ts";
import { addDemoCommands } from "./demo.ts";
import { addDkimCommands } from "./dkim.ts";
import { addDoctorCommand } from "./doctor.ts";
import { addDomainCommands } from "./domains.ts";
import { addHostCommands } from "./hosts.ts";
import { addLetterCommands } from "./letters.ts";
import { addMigrateCommand } from "./migrate.ts";
import type { Nouns } from "./nouns.ts";
import { addOrderCommands } from "./orders.ts";
import { addPartnerCommands } from "./partners.ts";
import { addPaymentCommands } from "./payments.ts";
import { addQueueCommands } from "./queues.ts";
import { addRateCommands } from "./rates.ts";
import { addSecretCommands } from "./secret.ts";
import { addShareCommands } from "./shares.ts";
import { addSiteCommands } from "./sites.ts";
import { addUserCommands } from "./users.ts";
import { addWalletCommands } from "./wallets.ts";

const done = 0;
const notDone = 1;
const wrongUsage = 2;

export interface Output {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** Runs the command of the words after `shop`; returns the exit status. */
export async function runShop(
  words: readonly string[],
  output: Output,
  work: (act: Act) => ReturnType<Act>,
): Promise<number> {
  let status = done;
  const perform = async (act: Act, asksJson: boolean) => {
    const answer = await work(act);
    const { json, text = "", refused } = answer;
    if (json !== undefined) output.out(`${asksJson ? asJson(json) : text}\n`);
    if (refused === undefined) return;
    output.err(`${refused}\n`);
    status = notDone;
  };
  const program = declare(output, perform);
  try {
    await program.parseAsync(asked(words), { from: "user" });
    return status;
  } catch (fault) {
    if (fault instanceof CommanderError) return usageStatus(fault);
    output.err(`${fault instanceof Error ? fault.message : String(fault)}\n`);
    return notDone;
  }
}

/** `help` with words shows their usage; alone it lists the commands. */
const asked = (words: readonly string[]): readonly string[] =>
  words.length === 0 || words[0] === "help" ? [...words.slice(1), "--help"] : words;

// Commander shows the help also for a noun without a verb; that is wrong usage.
function usageStatus(fault: CommanderError): number {
  return ["commander.helpDisplayed", "commander.version"].includes(fault.code) ? done : wrongUsage;
}

function declare(output: Output, perform: (act: Act, asksJson: boolean) => Promise<void>): Command {
  const style = (command: Command) =>
    command
      .exitOverride()
      .configureOutput({ writeOut: output.out, writeErr: output.err })
      .helpCommand(false)
      .showHelpAfterError("(--help shows how it is used)");
  const program = style(new Command("shop")).description(
    "Runs a shop: what is on sale, who buys, what came in.",
  );
  program.version(version, "--version", "says the version");
  program.usage("<noun> <verb> [options]");
  program.addHelpText("after", "\nEach command takes --json, for scripts, and --help.");
  const nouns: Nouns = {
    program,
    noun: (name, about) => {
      return style(program.command(name)).description(about).usage("<verb> [options]");
    },
    group: (under, name) =>
      under.commands.find((one) => one.name() === name) ??
      style(under.command(name)).description(`${name}s of ${under.name()}`).usage("<verb> [options]"),
    verb: (under, words, about, read) => {
      const command = style(under.command(words))
        .description(about)
        .option("--json", "one JSON value on stdout");
      return command.action((...given: unknown[]) => {
        const options = command.opts<{ json?: true }>();
        return perform(readOrError(command, read, given.slice(0, -1) as never[]), options.json === true);
      });
    },
    choice: (flags, about, choices) =>
      choices ? new Option(flags, about).choices([...choices]) : new Option(flags, about),
  };
  addDomainCommands(nouns);
  addHostCommands(nouns);
  addSiteCommands(nouns);
  addLetterCommands(nouns);
  addOrderCommands(nouns);
  addUserCommands(nouns);
  addPartnerCommands(nouns);
  addBatchCommands(nouns);
  addShareCommands(nouns);
  addPaymentCommands(nouns);
  addChainCommands(nouns);
  addQueueCommands(nouns);
  addRateCommands(nouns);
  addWalletCommands(nouns);
  addMigrateCommand(nouns);
  addBackupCommands(nouns);
  addClusterCommands(nouns);
  addAuditCommands(nouns);
  addDoctorCommand(nouns);
  addSecretCommands(nouns);
  addDkimCommands(nouns);
  addDemoCommands(nouns);
  addActCommands(nouns);
  nameRightWords(program);
  return program;
}

function readOrError(command: Command, read: (...given: never[]) => Act, given: never[]): Act {
  try {
    return read(...given);
  } catch (fault) {
    if (fault instanceof InvalidArgumentError) return command.error(`error: ${fault.message}`);
    throw fault;
  }
}

/** Lists the valid words: commander names only a similar one. */
function nameRightWords(command: Command): void {
  const words = command.commands.map((one) => one.name());
  if (words.length === 0) return;
  const kind = command.parent ? "verbs" : "nouns";
  command.showHelpAfterError(`The ${kind} are: ${words.join(", ")}. (--help shows how they are used)`);
  for (const one of command.commands) nameRightWords(one);
}
