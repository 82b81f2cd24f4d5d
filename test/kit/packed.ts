import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { guarded } from "./guard.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** A folder of a program that has installed the client's package, and nothing else. */
export interface PackedClient {
  readonly program: string;
  /** The package in it. */
  readonly installed: string;
  /** Runs a program there and answers its output. */
  run(environment: Record<string, string>, file: string, ...words: string[]): Promise<string>;
  remove(): void;
}

/** Packs the client and installs it without a network. */
export async function installClient(): Promise<PackedClient> {
  const place = mkdtempSync(join(tmpdir(), "postern-client-"));
  const program = join(place, "program");
  const run: PackedClient["run"] = (environment, file, ...words) => {
    const env = {
      PATH: process.env["PATH"] ?? "",
      // The machine's own npm may run on a node that cannot load the guard.
      ...(file === process.execPath && guarded()),
      HOME: place,
      npm_config_cache: join(place, "npm"),
      ...environment,
    };
    return new Promise((done, failed) => {
      execFile(file, words, { cwd: program, env }, (fault, out, err) =>
        fault ? failed(new Error(`${file} ${words.join(" ")}: ${err}${out}`, { cause: fault })) : done(out),
      );
    });
  };
  const npm = (...words: string[]) => {
    const path = process.env["npm_execpath"] ?? "";
    const all = [...words, "--offline", "--no-audit", "--no-fund", "--no-update-notifier"];
    return path.endsWith("npm-cli.js") ? run({}, process.execPath, path, ...all) : run({}, "npm", ...all);
  };
  mkdirSync(program);
  writeFileSync(
    join(program, "package.json"),
    JSON.stringify({ name: "program", type: "module", private: true }),
  );
  const folder = join(place, "package");
  await run({}, process.execPath, join(root, "scripts/pack-client.ts"), folder);
  const [packed] = JSON.parse(await npm("pack", folder, "--json")) as [{ filename: string }];
  await npm("install", `./${packed.filename}`);
  return {
    program,
    installed: join(program, "node_modules/postern-client"),
    run,
    remove: () => rmSync(place, { recursive: true, force: true }),
  };
}
