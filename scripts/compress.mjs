// Build step: writes .br and .gz beside every text file of dist/client.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const client = new URL("../dist/client/", import.meta.url).pathname;
const worthwhileBytes = 512;

for (const name of readdirSync(client, { recursive: true })) {
  if (!/\.(js|css|svg|json|txt)$/.test(name) || name.startsWith(".vite")) continue;
  const path = join(client, name);
  const text = readFileSync(path);
  if (text.length < worthwhileBytes) continue;
  writeFileSync(`${path}.br`, brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
  writeFileSync(`${path}.gz`, gzipSync(text, { level: 9 }));
}
