import { setFlagsFromString } from "node:v8";
import { openShop } from "./app.ts";
import { ConfigError, misspelt, readConfig } from "./platform/config/config.ts";
import { createLog } from "./platform/log.ts";
import { answerWords } from "./platform/words.ts";

// For later threads: a larger young generation makes none faster and costs each 50 MB (bench/README.md, letters).
setFlagsFromString("--max-semi-space-size=8");
setFlagsFromString("--min-semi-space-size=8");

answerWords(`Usage: node src/server/main.ts
Runs the shop with the settings of the environment (docs/operations.md).

  --version  says the version
  --help     says this`);
const config = readOrExit();
const log = createLog(config.logLevel);
for (const { given, meant } of misspelt())
  log.warn({ variable: given }, `${given} is not a setting and changes nothing: is ${meant} meant?`);

// Before the start: a start ended by the default handler would leave its PostgreSQL running.
const stopping = new AbortController();
for (const signal of ["SIGTERM", "SIGINT"] as const) {
  // Listened to until the end: npm passes on what a terminal has sent to all its processes, so each signal comes twice.
  process.on(signal, () => {
    if (stopping.signal.aborted) return;
    log.info({ signal }, "stopping");
    stopping.abort();
  });
}

try {
  const shop = await openShop(config, log);
  const stop = () =>
    void shop.stop().then(
      () => process.exit(0),
      (fault: unknown) => {
        log.fatal({ err: fault }, "the shop did not stop cleanly");
        process.exit(1);
      },
    );
  if (stopping.signal.aborted) stop();
  else {
    stopping.signal.addEventListener("abort", stop);
    // On a line of its own, last: programs that start a shop wait for it.
    process.stdout.write(`ready  ${config.publicUrl}  ${shop.smtpUrl}\n`);
    shop.warmUp().catch((fault: unknown) => log.warn({ err: fault }, "nothing was warmed up"));
  }
} catch (fault) {
  log.fatal({ err: fault }, "the shop could not start");
  process.stderr.write(
    `The shop could not start: ${fault instanceof Error ? fault.message : String(fault)}\n`,
  );
  process.exit(1);
}

function readOrExit() {
  try {
    return readConfig();
  } catch (fault) {
    if (!(fault instanceof ConfigError)) throw fault;
    process.stderr.write(`${fault.message}\n`);
    process.exit(1);
  }
}
