import { AsyncLocalStorage } from "node:async_hooks";
import pino from "pino";

export type Log = pino.Logger;

/** The id of the call that is worked on: each line of the log that is written meanwhile says it. */
export const callId = new AsyncLocalStorage<string>();

const secretNames = ["token", "password", "code", "captcha", "recaptcha", "secret", "login"];

/** JSON logs on stdout, without fields named like secrets. */
export function createLog(level: string, destination?: pino.DestinationStream): Log {
  const anywhere = secretNames.filter((name) => name !== "code");
  const paths = anywhere.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);
  // The code of a fault (ECONNREFUSED) is no secret.
  paths.push("code", "body.code", "query.code");
  const options: pino.LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin: () => {
      const request = callId.getStore();
      return request === undefined ? {} : { request };
    },
    formatters: { level: (label) => ({ level: label }) },
    redact: { paths: [...paths, "*.headers.authorization", "headers.authorization"], censor: "…" },
  };
  return pino(options, destination ?? stdout());
}

/** The buffer of an unwritable log: further lines are lost. */
const waitingMaxBytes = 4_000_000;

/** An unwritable log (a full disk) must not end the shop: lines wait until there is space. */
function stdout(): pino.DestinationStream {
  const destination = pino.destination({ fd: 1, sync: false, maxLength: waitingMaxBytes });
  const flush = destination.flushSync.bind(destination);
  destination.on("error", () => {
    // At exit it would retry for ever.
    destination.flushSync = () => {};
  });
  destination.on("write", () => {
    destination.flushSync = flush;
  });
  return destination;
}
