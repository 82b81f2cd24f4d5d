// `npm run bench -- <name>`: measures one thing beside its peer and prints a table. bench/README.md keeps the figures.
import { pathToFileURL } from "node:url";
import { readdir } from "node:fs/promises";

const here = import.meta.dirname;
// main.ts and .kit.ts files measure nothing.
const names = (await readdir(here))
  .filter((file) => /^[a-z]+\.ts$/.test(file) && file !== "main.ts")
  .map((file) => file.slice(0, -3));
const asked = process.argv[2] ?? "";

if (!names.includes(asked)) {
  console.error(`Say what to measure: npm run bench -- ${names.join(" | ")}`);
  process.exit(2);
}
const { measure } = (await import(pathToFileURL(`${here}/${asked}.ts`).href)) as {
  measure: () => Promise<void>;
};
await measure();
