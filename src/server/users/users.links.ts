// Confirms accounts by the messaging bot (spec B §4), with links that a page shows.
import { linkLifeSeconds, proofSeconds, telegramBonusDollars } from "../../contract/limits.ts";
import { secondsAfter } from "../platform/clock.ts";
import { attempt, type Db, type Tx } from "../platform/db/db.ts";
import { usd } from "../platform/money.ts";
import type { Seal } from "../platform/seal.ts";
import * as ledger from "../ledger/ledger.ts";
import * as rows from "./users.links.sql.ts";
import { noteIdentifiers, telegramMarks } from "./users.identifiers.ts";
import { hasClosed } from "./users.own.sql.ts";
import { tellOwner } from "./users.notices.ts";

const forgetSeconds = 24 * 60 * 60;

/** The last two: another messaging account confirmed this account, or this one confirmed another account. */
export type ConfirmRefused =
  | "no such token"
  | "link expired"
  | "link used"
  | "confirmed by another"
  | "confirmed another";

export interface Confirmed {
  readonly userId: bigint;
  /** False when this messaging account confirmed it, or one that is closed now, before: nothing was given now. */
  readonly isNew: boolean;
}

export interface Links {
  make(userId: bigint, at: Date): Promise<{ token: string; expiresAt: Date }>;
  /**
   * Confirms an account and gives the bonus, once per account and messaging account. `linked`: the account that its chat is linked to
   * until now; the owner of another one is told. A string is a refusal: roll back.
   */
  confirm(
    tx: Tx,
    by: { token: string; telegramId: bigint; linked?: bigint | null },
    at: Date,
  ): Promise<Confirmed | ConfirmRefused>;
  /** Links two accounts after a refusal: one person has the token of the one and has confirmed the other. */
  suspect(by: { token: string; telegramId: bigint }, at: Date): Promise<void>;
  forget(at: Date): Promise<number>;
}

interface Parts {
  readonly db: Db;
  readonly seal: Seal;
  readonly makeToken: () => string;
  /** Notifies every process at the commit that a user changed. */
  readonly tell: (tx: Tx, userId: bigint) => Promise<void>;
}

export function openLinks({ db, seal, makeToken, tell }: Parts): Links {
  return {
    make: async (userId, at) => {
      const token = makeToken();
      const expiresAt = secondsAfter(at, linkLifeSeconds);
      await rows.insertLink(db, { hash: seal.hash("link", token), userId, expiresAt });
      return { token, expiresAt };
    },
    confirm: async (tx, { token, telegramId, linked }, at) => {
      await rows.lockTelegram(tx, telegramId);
      const userId = await accountOf(tx, seal, { token, telegramId }, at);
      if (typeof userId === "string") return userId;
      const isNew = (await hasClosed(tx, telegramMarks(seal, telegramId)))
        ? await confirmAgain(tx, userId, telegramId)
        : await confirm(tx, userId, telegramId);
      if (typeof isNew === "string") return isNew;
      await tell(tx, userId);
      await noteIdentifiers(tx, seal, userId, { telegram: telegramId }, at);
      if (linked !== userId) await tellOwner(tx, seal, { userId, kind: "telegram-linked" }, at);
      return { userId, isNew };
    },
    suspect: ({ token, telegramId }, at) =>
      attempt(db, async (tx) => {
        const link = await rows.lockLink(tx, seal.hashes("link", token));
        const owner =
          link?.userId ??
          (await rows.selectOwner(tx, seal.hashes("token", token), secondsAfter(at, -proofSeconds)))?.id;
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
  const hashes = seal.hashes("link", token);
  const link = await rows.lockLink(tx, hashes);
  if (!link)
    return (
      (await rows.selectOwner(tx, seal.hashes("token", token), secondsAfter(at, -proofSeconds)))?.id ??
      "no such token"
    );
  // A used link stays valid for its user: Telegram repeats a message that we could not answer.
  if (link.usedBy === telegramId) return link.userId;
  if (link.usedBy !== null) return "link used";
  if (link.expiresAt <= at) return "link expired";
  await rows.useLink(tx, hashes, telegramId);
  return link.userId;
}

/** By a messaging account that has confirmed one which is closed: its bonus was given then. */
async function confirmAgain(tx: Tx, userId: bigint, telegramId: bigint): Promise<false | ConfirmRefused> {
  const other = await rows.selectConfirmedBy(tx, telegramId);
  if (other && other.id !== userId) return "confirmed another";
  if (await rows.setTelegram(tx, userId, telegramId)) return false;
  const person = await rows.selectPerson(tx, userId);
  if (!person || person.isBlocked) return "no such token";
  return person.telegramId === telegramId ? false : "confirmed by another";
}

/** False when it was confirmed before. */
async function confirm(tx: Tx, userId: bigint, telegramId: bigint): Promise<boolean | ConfirmRefused> {
  const other = await rows.selectConfirmedBy(tx, telegramId);
  if (other && other.id !== userId) return "confirmed another";
  // The bonus locks the account first, so that of two calls at once the second sees the first.
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
