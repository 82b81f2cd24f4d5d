import { setTimeout as pause } from "node:timers/promises";
import { proofSeconds } from "../../src/contract/limits.ts";
import { now, unixSeconds } from "../../src/server/platform/clock.ts";
import { notify } from "../../src/server/platform/db/db.ts";
import type { TestShop } from "./shop.ts";

const patienceMs = 10_000;

/** As if every proof of a person, and every sign-in, had been so long ago that it counts no more. Returns when the shop has heard it of `token`. */
export async function outliveProofs(shop: Pick<TestShop, "db" | "get">, token: string): Promise<void> {
  await shop.db`update user_session set proved_at = proved_at - make_interval(secs => ${proofSeconds})`;
  await notify(shop.db, "users", "");
  const until = performance.now() + patienceMs;
  for (;;) {
    const told = await shop.get<{ proved_until: number }>("/user/proof", { token });
    if (told.proved_until <= unixSeconds(now())) return;
    if (performance.now() > until) throw new Error("the shop does not hear that its proofs are old");
    await pause(20);
  }
}

/** The token of the account, which programs have, of a person who is signed in. */
export async function tokenOfPrograms(shop: TestShop, session: string): Promise<string> {
  const { data } = await shop.get<{ data: { token: string } }>("/user/information", { token: session });
  return data.token;
}
