// `node src/server/alive.ts`: the health check of the shop on this machine; exits with 1 when it hangs and with 3 when it does not listen.
// With --end it also kills a hanging shop, so that its supervisor restarts it (Dockerfile): Docker does not.
import { readdirSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { readConfig } from "./platform/config/config.ts";
import { answerWords } from "./platform/words.ts";

/** `starting`: no connection. `still`: no answer in time, or it reports itself that it hangs. */
export type Life = "alive" | "starting" | "still";

export async function lifeOf(url: string, patienceMs: number): Promise<Life> {
  try {
    const answer = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(patienceMs) });
    return answer.ok ? "alive" : "still";
  } catch (fault) {
    return fault instanceof Error && fault.name === "TimeoutError" ? "still" : "starting";
  }
}

/** The processes of the shop; in a container that one alone. */
const shops = (): number[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, "utf8").split("\0").includes("src/server/main.ts");
      } catch {
        return false;
      }
    })
    .map(Number);

const patienceMs = 20_000;

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  answerWords(
    `Usage: node src/server/alive.ts [--end]
Says by its exit status whether the shop of the settings works: 0, 1 when it stands still, 3 when it does not listen.

  --end      kills a shop that stands still
  --version  says the version
  --help     says this`,
    { options: { end: { type: "boolean" } } },
  );
  const { host, port, healthPort, roles } = readConfig();
  const at = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  const url = `http://${at.includes(":") ? `[${at}]` : at}:${roles.has("web") ? port : (healthPort ?? port)}`;
  const life = await lifeOf(url, patienceMs);
  process.exitCode = { alive: 0, still: 1, starting: 3 }[life];
  // A hanging process does not handle SIGTERM.
  if (life === "still" && process.argv.includes("--end"))
    for (const pid of shops()) process.kill(pid, "SIGKILL");
}
