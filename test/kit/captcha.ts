import { type Challenge, solveChallenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";
import { resolveSecret } from "../../src/server/platform/config/config.ts";
import type { Db } from "../../src/server/platform/db/db.ts";
import { type Captcha, openCaptcha } from "../../src/server/platform/http/captcha.ts";
import { createSeal } from "../../src/server/platform/seal.ts";

/** What a client sends for a puzzle of `GET /api/captcha`. */
export async function solved(puzzle: unknown): Promise<string> {
  const challenge = puzzle as Challenge;
  const solution = await solveChallenge({ challenge, deriveKey });
  return Buffer.from(JSON.stringify({ challenge, solution })).toString("base64");
}

const easy = new Map<string, Captcha>();

/** The same for a puzzle of the shop that has its data in `dataDir`, but an easy one: a usual one takes a processor a second or two. */
export async function easilySolved(dataDir: string): Promise<string> {
  const known = easy.get(dataDir);
  if (known) return solved(await known.challenge());
  const seal = createSeal(resolveSecret({ secretKey: undefined, dataDir }));
  // Who only asks for a puzzle asks the database for the time alone, and both are on this machine.
  const db = (async () => [{ at: new Date() }]) as unknown as Db;
  const made = openCaptcha({ setting: { kind: "altcha" }, seal, db, cost: 1 });
  easy.set(dataDir, made);
  return solved(await made.challenge());
}
