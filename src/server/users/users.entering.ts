// What changes who may enter an account, and what its person may do. Its owner is told.
import { now } from "../platform/clock.ts";
import { attempt, notify } from "../platform/db/db.ts";
import {
  type Access,
  changePassword,
  disown,
  type NewPassword,
  replaceToken,
  type Reset,
  resetAccess,
  signedIn,
} from "./users.access.ts";
import { adjust, type Adjustment, type AdjustLimits } from "./users.adjustments.ts";
import {
  type Actor,
  type Blocking,
  channel,
  type Granted,
  type Granting,
  setBlock,
  setGrant,
} from "./users.admin.ts";
import type { CodeRefused } from "./users.codes.ts";
import type { From } from "./users.notices.ts";
import * as rows from "./users.sql.ts";

export interface EnteringParts extends Access {
  /** In lower case; owners of the shop once activated (ADMIN_EMAILS). */
  readonly adminEmails: ReadonlySet<string>;
  /** What a person of the back office may change alone; undefined: anything. */
  readonly adjustLimits?: AdjustLimits | undefined;
}

export interface Entering {
  /**
   * Sets a password with a reset code; undefined: done. Ends all other access, which another person may have made; programs stay
   * if the owner keeps them. An account that was never activated forgets what its registration said. Without an account the code is wrong, by the same steps.
   */
  changePassword(
    userId: bigint | undefined,
    asked: NewPassword,
    at: Date,
    by?: From,
  ): Promise<CodeRefused | "password too common" | undefined>;
  /** By the link "this was not me" of a mail: ends all access, makes the password unusable, mails a code for a new one; undefined: done. */
  disown(email: string, code: string, at: Date, by?: From): Promise<CodeRefused | undefined>;
  /** After a right password: the account is at home there from now on, and its owner is told of a place that is new. */
  signedIn(userId: bigint, email: string, by: From, at: Date): Promise<void>;
  /** The old token fails from now on. Sessions and limited tokens stay. */
  replaceToken(userId: bigint, by?: From): Promise<string>;
  /** The owner is told of a new role, and the owners of the shop of each that is given or taken. */
  setGrant(wanted: Granting, actor: Actor): Granted;
  setBlock: (wanted: Blocking, actor: Actor) => ReturnType<typeof setBlock>;
  adjust(wanted: Adjustment, actor: Actor): ReturnType<typeof adjust>;
  resetAccess(wanted: Reset): ReturnType<typeof resetAccess>;
  /** Whether the token of the account may add and change limited tokens and webhooks. */
  setOpen(userId: bigint, isOpen: boolean): Promise<void>;
}

/** `changed` drops the account from this process's cache. */
export function entering(access: EnteringParts, changed: (userId: bigint) => void): Entering {
  const { db, seal, adminEmails, adjustLimits } = access;
  return {
    changePassword: async (userId, asked, at, by = {}) => {
      const refusal = await changePassword(access, userId, asked, at, by);
      if (userId !== undefined) changed(userId);
      return refusal;
    },
    disown: async (email, code, at, by = {}) => {
      const { refusal, userId } = await disown(access, email, code, at, by);
      changed(userId);
      return refusal;
    },
    signedIn: (userId, email, by, at) => signedIn(access, { userId, email, by }, at),
    replaceToken: async (userId, by = {}) => {
      const token = await replaceToken(access, userId, now(), by);
      changed(userId);
      return token;
    },
    setGrant: async (wanted, actor) => {
      const done = await setGrant(db, wanted, actor, { seal, adminEmails });
      changed(wanted.userId);
      return done;
    },
    setBlock: async (wanted, actor) => {
      const done = await setBlock(db, wanted, actor, { adminEmails });
      changed(wanted.userId);
      return done;
    },
    adjust: (wanted, actor) => adjust(db, wanted, actor, adjustLimits && { limits: adjustLimits, seal }),
    resetAccess: async (wanted) => {
      const done = await resetAccess(access, wanted, now());
      changed(wanted.userId);
      return done;
    },
    setOpen: async (userId, isOpen) => {
      await attempt(db, async (tx) => {
        await rows.setOpenToPrograms(tx, userId, isOpen);
        await notify(tx, channel, String(userId));
        return {};
      });
      changed(userId);
    },
  };
}
