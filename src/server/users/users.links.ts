// Confirming an account by the messaging bot (spec B §4): the links that a page shows, and what one of them is good for.
import { linkLifeSeconds, telegramBonusDollars } from "../../contract/limits.ts";
import { secondsAfter } from "../platform/clock.ts";
import { attempt, type Db, type Tx } from "../platform/db/db.ts";
import { usd } from "../platform/money.ts";
import type { Seal } from "../platform/seal.ts";
import * as ledger from "../ledger/ledger.ts";
import * as rows from "./users.links.sql.ts";
import { noteIdentifiers } from "./users.identifiers.ts";

/** For so long a link that is over can be told from one that never was. */
const forgetSeconds = 24 * 60 * 60;

/** Why nothing was confirmed; the last two name who has done it before: another messaging account, or this one another account. */
export type ConfirmRefused =
  | "no such token"
  | "link expired"
  | "link used"
  | "confirmed by another"
  | "confirmed another";

export interface Confirmed {
  readonly userId: bigint;
  /** False when it was confirmed by this messaging account before: then nothing was given now. */
  readonly isNew: boolean;
}

export interface Links {
  /** Makes a link's token for a user: good once, and for some minutes. */
  make(userId: bigint, at: Date): Promise<{ token: string; expiresAt: Date }>;
  /**
   * Confirms the account that `token` is for (a link's, or the account's own) by a messaging account, and gives the bonus: once
   * for each account and once for each messaging account. Saying it again is answered as before and changes nothing.
   * A string is a refusal: the caller undoes his transaction.
   */
  confirm(tx: Tx, by: { token: string; telegramId: bigint }, at: Date): Promise<Confirmed | ConfirmRefused>;
  /**
   * Notes whose accounts a messaging account belongs to, after it was refused to confirm this one: its person has the token of
   * the one and has confirmed the other.
   */
  suspect(by: { token: string; telegramId: bigint }, at: Date): Promise<void>;
  /** Deletes links that were over a day ago; answers how many. For a job. */
  forget(at: Date): Promise<number>;
}

interface Parts {
  readonly db: Db;
  readonly seal: Seal;
  readonly makeToken: () => string;
  /** Tells every process at the commit that a user is not what he was. */
  readonly tell: (tx: Tx, userId: bigint) => Promise<void>;
}

/** Opens the links of a database. */
export function openLinks({ db, seal, makeToken, tell }: Parts): Links {
  return {
    make: async (userId, at) => {
      const token = makeToken();
      const expiresAt = secondsAfter(at, linkLifeSeconds);
      await rows.insertLink(db, { hash: seal.hash("link", token), userId, expiresAt });
      return { token, expiresAt };
    },
    confirm: async (tx, { token, telegramId }, at) => {
      await rows.lockTelegram(tx, telegramId);
      const userId = await accountOf(tx, seal, { token, telegramId }, at);
      if (typeof userId === "string") return userId;
      const isNew = await confirm(tx, userId, telegramId);
      if (isNew === true) await tell(tx, userId);
      if (typeof isNew !== "string") await noteIdentifiers(tx, seal, userId, { telegram: telegramId }, at);
      return typeof isNew === "string" ? isNew : { userId, isNew };
    },
    suspect: ({ token, telegramId }, at) =>
      attempt(db, async (tx) => {
        const hash = seal.hash("link", token);
        const link = await rows.lockLink(tx, hash);
        const owner = link?.userId ?? (await rows.selectOwner(tx, seal.hash("token", token)))?.id;
        const other = (await rows.selectConfirmedBy(tx, telegramId))?.id;
        for (const userId of [owner, other])
          if (userId !== undefined) await noteIdentifiers(tx, seal, userId, { telegram: telegramId }, at);
      }),
    forget: async (at) => (await rows.deleteLinks(db, secondsAfter(at, -forgetSeconds))).count,
  };
}

async function accountOf(
  tx: Tx,
  seal: Seal,
  { token, telegramId }: { token: string; telegramId: bigint },
  at: Date,
): Promise<bigint | ConfirmRefused> {
  const hash = seal.hash("link", token);
  const link = await rows.lockLink(tx, hash);
  if (!link) return (await rows.selectOwner(tx, seal.hash("token", token)))?.id ?? "no such token";
  // Who has used it may come with it again: his message is told to us twice when we could not answer the first.
  if (link.usedBy === telegramId) return link.userId;
  if (link.usedBy !== null) return "link used";
  if (link.expiresAt <= at) return "link expired";
  await rows.useLink(tx, hash, telegramId);
  return link.userId;
}

/** Whether it is confirmed only now. */
async function confirm(tx: Tx, userId: bigint, telegramId: bigint): Promise<boolean | ConfirmRefused> {
  const other = await rows.selectConfirmedBy(tx, telegramId);
  if (other && other.id !== userId) return "confirmed another";
  // The bonus first: it holds the account, so that of two at once the second sees what the first did.
  const given = await ledger.give(tx, {
    userId,
    amount: usd(String(telegramBonusDollars)),
    reason: "Telegram",
    idempotencyKey: `telegram ${userId}`,
  });
  const person = await rows.selectPerson(tx, userId);
  if (!person || person.isBlocked) return "no such token";
  if (given === "repeat") return person.telegramId === telegramId ? false : "confirmed by another";
  if (!(await rows.setTelegram(tx, userId, telegramId))) throw new Error(`user ${userId} had no bonus yet`);
  return true;
}
