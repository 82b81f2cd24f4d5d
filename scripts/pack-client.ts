// `npm run pack:client [folder]`, default dist/client-package: writes the package of the client. Then `npm publish` or `npm pack` there.
import { spawnSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { callsModule } from "./client-calls.ts";
import { bundleAssistant } from "./pack-client.assistant.ts";
import { parameters } from "../src/client/command/mcp/parameters.ts";
import { unionOf, wireTypes } from "./pack-client.types.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");

async function packClient(folder: string): Promise<void> {
  mkdirSync(join(root, ".cache"), { recursive: true });
  // Inside the repository, where the compiler finds the types of Node.js.
  const stage = mkdtempSync(join(root, ".cache/client-package-"));
  try {
    const isTest = (path: string) => path.endsWith(".test.ts");
    cpSync(join(root, "src/client"), stage, { recursive: true, filter: (path) => !isTest(path) });
    writeFileSync(join(stage, "wire.ts"), wireTypes());
    writeFileSync(join(stage, "calls.ts"), callsModule());
    writeFileSync(join(stage, "command/mcp/parameters.ts"), parametersModule());
    writeFileSync(join(stage, "tsconfig.json"), JSON.stringify(compiling()));
    const compiler = join(root, "node_modules/typescript/bin/tsc");
    const { status } = spawnSync(process.execPath, [compiler, "-p", stage], { stdio: ["ignore", 2, 2] });
    if (status !== 0) throw new Error("the client does not compile by itself, see above");
    await bundleAssistant(join(stage, "out"));
    rmSync(folder, { recursive: true, force: true });
    cpSync(join(stage, "out"), folder, { recursive: true });
  } finally {
    rmSync(stage, { recursive: true });
  }
  for (const path of globSync("**/*.d.ts", { cwd: folder })) rewriteImports(join(folder, path));
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest(), null, 2)}\n`);
  cpSync(join(root, "src/client/README.md"), join(folder, "README.md"));
  cpSync(join(root, "LICENSE"), join(folder, "LICENSE"));
}

/** src/client/command/mcp/parameters.ts without an import of the contract. */
const parametersModule = (): string => `import type { Parameters } from "./parameter.ts";

export const parameters: Record<${unionOf(Object.keys(parameters))}, Parameters> = ${JSON.stringify(parameters)};
`;

/** The compiler rewrites imports in programs but not in declarations. */
function rewriteImports(path: string): void {
  const text = readFileSync(path, "utf8");
  writeFileSync(path, text.replaceAll(/(from "\.[^"]*)\.ts"/g, '$1.js"'));
}

function compiling() {
  return {
    extends: "../../tsconfig.base.json",
    compilerOptions: {
      target: "es2022",
      lib: ["es2023", "dom", "dom.iterable"],
      types: ["node"],
      rootDir: ".",
      outDir: "out",
      noEmit: false,
      declaration: true,
      rewriteRelativeImportExtensions: true,
    },
    include: ["."],
    exclude: ["out"],
  };
}

const exported = (path: string) => ({ types: `./${path}.d.ts`, default: `./${path}.js` });

function manifest() {
  const { version, license } = JSON.parse(read("package.json")) as { version: string; license: string };
  return {
    name: "postern-client",
    version,
    description: "The client of a Postern shop: order a mail address, wait for its letter, have the code",
    license,
    type: "module",
    sideEffects: false,
    engines: { node: ">=20.3" },
    exports: {
      ".": exported("client"),
      "./testing": exported("testing/inbox"),
      "./playwright": exported("testing/playwright"),
      "./package.json": "./package.json",
    },
    types: "./client.d.ts",
    peerDependencies: { "@playwright/test": ">=1.40" },
    peerDependenciesMeta: { "@playwright/test": { optional: true } },
    bin: { postern: "command/main.js" },
  };
}

const folder = resolve(process.argv[2] ?? join(root, "dist/client-package"));
await packClient(folder);
process.stderr.write(`the package is in ${folder}\n`);
