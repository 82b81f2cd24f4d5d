// @module-tag slow
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
const programs = ["src/server/main.ts", "src/server/shop.ts", "src/server/alive.ts", "scripts/letter.ts"];

/** Without any setting that a program could start with. */
const run = (...words: string[]) => {
  const env = { PATH: process.env["PATH"], SECRET_KEY: "short" };
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: "utf8", env });
  return { status, stdout, stderr };
};

test.each(programs)(
  "%s says its version and how it is used, and does nothing for a word that it does not know",
  (program) => {
    expect(run(program, "--version")).toEqual({ status: 0, stdout: `${version}\n`, stderr: "" });
    expect(run(program, "--help")).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^Usage:/),
      stderr: "",
    });
    const wrong = run(program, "--versoin");
    expect(wrong).toMatchObject({ status: 2, stdout: "" });
    expect(wrong.stderr).toContain("--versoin");
  },
);
