import { spawnSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { createLog } from "./log.ts";

test("a field with the name of a secret is never written", () => {
  const lines: string[] = [];
  const log = createLog("info", { write: (line) => void lines.push(line) });
  log.info(
    { token: "T0KEN", body: { password: "hunter2" }, req: { headers: { authorization: "Bearer T0KEN" } } },
    "seen",
  );
  expect(lines.join("")).toContain("seen");
  expect(lines.join("")).not.toMatch(/T0KEN|hunter2/);
});

test("the code of a fault can be read", () => {
  const lines: string[] = [];
  const log = createLog("info", { write: (line) => void lines.push(line) });
  log.error({ err: Object.assign(new Error("refused"), { code: "ECONNREFUSED" }) }, "away");
  expect(lines.join("")).toContain("ECONNREFUSED");
});

test.runIf(process.platform === "linux")("a disk that is full of it does not end the shop", () => {
  const program = `
    const { createLog } = await import(${JSON.stringify(new URL("log.ts", import.meta.url).href)});
    const log = createLog("info");
    for (let n = 0; n < 3; n++) {
      log.info("a line");
      await new Promise(setImmediate);
    }
    console.error("still here");`;
  const full = openSync("/dev/full", "w");
  onTestFinished(() => closeSync(full));
  const { stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", full, "pipe"],
    encoding: "utf8",
    timeout: 60_000,
  });
  expect(stderr).toBe("still here\n");
});
