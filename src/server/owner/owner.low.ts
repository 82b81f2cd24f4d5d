// Tells owners that the balance has fallen below the threshold that they set.
import { attempt, type Db, type Tx } from "../platform/db/db.ts";
import { secondsAfter } from "../platform/clock.ts";
import { showUsd, type Usd } from "../platform/money.ts";
import type { Seal } from "../platform/seal.ts";
import * as ledger from "../ledger/ledger.ts";
import { queue } from "../mailer/mailer.ts";
import * as rows from "./owner.low.sql.ts";

const togetherSeconds = 60 * 60;
const roundSize = 500;

/** `threshold`: undefined where nobody is to be told. */
export interface Warning {
  readonly threshold: Usd | undefined;
  readonly balance: Usd;
}

export async function lowBalanceOf(db: Db, userId: bigint): Promise<Warning> {
  const low = await rows.selectLow(db, userId);
  return { threshold: low?.threshold as Usd | undefined, balance: await ledger.balance(db, userId) };
}

/** Who sets a threshold above the balance knows that it is low: the next fall is told. */
export async function setLowBalance(
  db: Db,
  { userId, threshold }: { userId: bigint; threshold: Usd | undefined },
): Promise<Warning> {
  let balance = 0n;
  await attempt(db, async (tx) => {
    balance = await rows.lockBalance(tx, userId);
    if (threshold === undefined) await rows.deleteLow(tx, userId);
    else await rows.putLow(tx, userId, { threshold, isLow: balance < threshold });
    return undefined;
  });
  return { threshold, balance: balance as Usd };
}

interface Parts {
  readonly db: Db;
  readonly seal: Seal;
}

/**
 * Looks at the balances of all who set a threshold. A periodic look, so that orders, which move money by the hundred in one statement,
 * neither read nor write anything for it. Answers how many were told.
 */
export async function tellLowBalances({ db, seal }: Parts, at: Date, signal?: AbortSignal): Promise<number> {
  let mailed = 0;
  for (;;) {
    const crossed = await rows.selectCrossed(db, secondsAfter(at, -togetherSeconds), roundSize);
    for (const { userId } of crossed) {
      if (signal?.aborted) return mailed;
      let isMailed = false;
      await attempt(db, async (tx) => {
        isMailed = await look(tx, seal, userId, at);
        return undefined;
      });
      if (isMailed) mailed++;
    }
    if (crossed.length < roundSize) return mailed;
  }
}

/** The bot reads the event. */
async function look(tx: Tx, seal: Seal, userId: bigint, at: Date): Promise<boolean> {
  const balance = await rows.lockBalance(tx, userId);
  const low = await rows.selectLow(tx, userId);
  if (!low || balance < low.threshold === low.isLow) return false;
  if (low.isLow) {
    await rows.noteAbove(tx, userId);
    return false;
  }
  await rows.noteWarned(tx, userId, at);
  const { threshold } = low;
  await rows.logLow(tx, userId, { balance, threshold });
  const { email: to, language, mayBeMailed } = await rows.selectOwner(tx, userId);
  if (!mayBeMailed) return false;
  const values = { balance: showUsd(balance), threshold: showUsd(threshold) };
  await queue(tx, seal, { to, kind: "balance-low", language, values }, { userId, dueAt: at });
  return true;
}
