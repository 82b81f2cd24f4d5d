// Puts what `postern mcp` needs of other packages into its own file, so that `npx postern-client mcp` installs no other package.
import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";

/** Bundles command/mcp of the compiled client, and writes down the licences of what it takes in. */
export async function bundleAssistant(out: string): Promise<void> {
  const folder = join(out, "command/mcp");
  const made = await build({
    configFile: false,
    logLevel: "warn",
    ssr: { noExternal: true },
    build: {
      ssr: join(folder, "serve.js"),
      target: "node20",
      minify: true,
      write: false,
      rollupOptions: {
        // The rest of the client stays where it is.
        external: (id, importer) => id.startsWith("../") && importer?.startsWith(folder) === true,
      },
    },
  });
  const [chunk, ...more] = "output" in made ? made.output : [];
  if (chunk?.type !== "chunk" || more.length > 0) throw new Error("the assistant's server is not one file");
  for (const file of globSync("*", { cwd: folder })) rmSync(join(folder, file));
  writeFileSync(join(folder, "serve.js"), chunk.code);
  const packages = new Set(chunk.moduleIds.flatMap(packageOf));
  const licences = [...packages].toSorted().map(licenceOf);
  writeFileSync(join(out, "LICENSES-OF-OTHERS.txt"), licences.join("\n\n"));
}

const packageOf = (path: string): string[] => path.match(/^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/) ?? [];

function licenceOf(folder: string): string {
  const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    name: string;
    version: string;
  };
  const [file] = globSync("LICEN[CS]E*", { cwd: folder });
  if (file === undefined) throw new Error(`${name} has no file with its licence`);
  return `${name} ${version}\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
}
