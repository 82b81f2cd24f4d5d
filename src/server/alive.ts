// `node src/server/alive.ts`: asks the shop of this machine whether it lives, for whoever watches it; ends with 1 when it stands still
// and with 3 when nobody is at the door.
// With --end it also kills a shop that stands still, so that whoever started it starts it again (compose.yaml): Docker does not.
import { readdirSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { readConfig } from "./platform/config/config.ts";

/** `starting`: nobody answers at the door, yet or any more. `still`: it does not answer in time, or says itself that it stands still. */
export type Life = "alive" | "starting" | "still";

/** Asks /healthz at `url`. */
export async function lifeOf(url: string, patienceMs: number): Promise<Life> {
  try {
    const answer = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(patienceMs) });
    return answer.ok ? "alive" : "still";
  } catch (fault) {
    return fault instanceof Error && fault.name === "TimeoutError" ? "still" : "starting";
  }
}

/** The processes that run the shop: within a container that one alone. */
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
  const { host, port, healthPort, roles } = readConfig();
  const at = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  const url = `http://${at.includes(":") ? `[${at}]` : at}:${roles.has("web") ? port : (healthPort ?? port)}`;
  const life = await lifeOf(url, patienceMs);
  process.exitCode = { alive: 0, still: 1, starting: 3 }[life];
  // Not by SIGTERM: who stands still does not hear it.
  if (life === "still" && process.argv.includes("--end"))
    for (const pid of shops()) process.kill(pid, "SIGKILL");
}
