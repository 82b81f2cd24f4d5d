import { openSetup, examine, type Finding } from "../setup/setup.ts";
import { type Act, type Column, ok, table } from "./answer.ts";
import type { Nouns } from "./nouns.ts";

export function addDoctorCommand({ program, verb }: Nouns): void {
  verb(program, "doctor", "says what the machine, its settings and its DNS lack", () => doctor);
}

const columns: readonly Column<Finding>[] = [
  { title: "state", of: ({ state }) => (state === "wrong" ? "WRONG" : state) },
  { title: "what", of: ({ what }) => what },
  { title: "says", of: ({ says }) => says },
];

const doctor: Act = async ({ db, config }) => {
  const { dns } = openSetup({ db, config, clock: { secondsOff: () => 0 }, key: async () => undefined });
  const found = await examine({ db, config, dns });
  const bad = found.filter(({ state }) => state === "wrong");
  const answer = ok({ healthy: bad.length === 0, findings: found }, table(found, columns, ""));
  if (bad.length === 0) return answer;
  return { ...answer, refused: `Wrong: ${bad.map(({ what }) => what).join(", ")}.` };
};
