// Writes src/web/docs/calls.ts for the pages without an import of the contract.
import * as table from "../src/web/docs/calls.ts";

export const docsCallsModule = (): string =>
  Object.entries(table)
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};\n`)
    .join("");
