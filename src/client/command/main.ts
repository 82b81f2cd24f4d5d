#!/usr/bin/env node
// The command `postern`. What it does is in command.ts; here it meets the machine.
import { runCommand } from "./command.ts";

// A reader that has read enough, such as `head`, is no mistake.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});

process.exitCode = await runCommand(process.argv.slice(2), {
  environment: process.env,
  print: (line) => void process.stdout.write(`${line}\n`),
  tell: (line) => void process.stderr.write(`${line}\n`),
});
