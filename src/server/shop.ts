// The operator's command: `npm run --silent shop -- <noun> <verb> …`; see docs/operations.md.
import { readConfig } from "./platform/config/config.ts";
import { work } from "./shop/run.ts";
import { runShop } from "./shop/program.ts";

process.exitCode = await runShop(
  process.argv.slice(2),
  { out: (text) => process.stdout.write(text), err: (text) => process.stderr.write(text) },
  (act) => work(act, readConfig(), (line) => process.stderr.write(`${line}\n`)),
);
