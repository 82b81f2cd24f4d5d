import { pbkdf2 } from "@noble/hashes/pbkdf2.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { type Challenge, type DeriveKeyFunction, solveChallenge } from "altcha-lib";
import { deriveKey as deriveByBrowser } from "altcha-lib/algorithms/web/pbkdf2";

/** For a shop on plain http, where browsers have no crypto.subtle: slower, and the same key. */
const deriveInScript: DeriveKeyFunction = async ({ algorithm, cost, keyLength }, salt, password) => {
  if (algorithm !== "PBKDF2/SHA-256") throw new Error(`${algorithm} needs https`);
  return { parameters: {}, derivedKey: pbkdf2(sha256, password, salt, { c: cost, dkLen: keyLength }) };
};

async function solve(challenge: Challenge): Promise<string | null> {
  const deriveKey = "subtle" in crypto ? deriveByBrowser : deriveInScript;
  const solution = await solveChallenge({ challenge, deriveKey });
  return solution ? btoa(JSON.stringify({ challenge, solution })) : null;
}

self.addEventListener("message", (event: MessageEvent<Challenge>) => {
  // A rejection would not reach the page, which would wait for ever.
  solve(event.data).then(
    (payload) => self.postMessage(payload),
    () => self.postMessage(null),
  );
});
