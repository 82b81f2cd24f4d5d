import pino from "pino";

export type Log = pino.Logger;

const secretNames = ["token", "password", "code", "captcha", "recaptcha", "secret", "login"];
const secretInAddress = new RegExp(`([?&](?:${secretNames.join("|")})=)[^&#]*`, "giu");

/** An address as a log may hold it: secrets in the query are masked (product.md, Accounts). */
export function maskAddress(address: string): string {
  return address.replace(secretInAddress, "$1…");
}

/** Structured logs, one JSON line each, on stdout; fields with the names of secrets are never written. */
export function createLog(level: string, destination?: pino.DestinationStream): Log {
  const paths = secretNames.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);
  const options: pino.LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: { paths: [...paths, "*.headers.authorization", "headers.authorization"], censor: "…" },
  };
  return destination ? pino(options, destination) : pino(options);
}
