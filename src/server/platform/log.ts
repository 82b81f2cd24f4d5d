import pino from "pino";

export type Log = pino.Logger;

const secretNames = ["token", "password", "code", "captcha", "recaptcha", "secret", "login"];

/** Structured logs, one JSON line each, on stdout; fields with the names of secrets are never written. */
export function createLog(level: string, destination?: pino.DestinationStream): Log {
  const anywhere = secretNames.filter((name) => name !== "code");
  const paths = anywhere.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);
  // A fault's own code (ECONNREFUSED) is no secret, and somebody must be able to read it.
  paths.push("code", "body.code", "query.code");
  const options: pino.LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: { paths: [...paths, "*.headers.authorization", "headers.authorization"], censor: "…" },
  };
  return pino(options, destination ?? stdout());
}

/** What waits to be written while the log cannot be: lines beyond it are lost, and memory does not grow. */
const waitingMaxBytes = 4_000_000;

/** A log that cannot be written, on a disk that is full, must not end the shop: what waits is written when there is room again. */
function stdout(): pino.DestinationStream {
  const destination = pino.destination({ fd: 1, sync: false, maxLength: waitingMaxBytes });
  const flush = destination.flushSync.bind(destination);
  destination.on("error", () => {
    // At its end it would try for ever.
    destination.flushSync = () => {};
  });
  destination.on("write", () => {
    destination.flushSync = flush;
  });
  return destination;
}
