import { type Challenge, solveChallenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/web/pbkdf2";

async function solve(challenge: Challenge): Promise<string | null> {
  const solution = await solveChallenge({ challenge, deriveKey });
  return solution ? btoa(JSON.stringify({ challenge, solution })) : null;
}

self.addEventListener("message", (event: MessageEvent<Challenge>) => {
  void solve(event.data).then((payload) => self.postMessage(payload));
});
