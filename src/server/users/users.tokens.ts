// Limited tokens: made by an account for one program, with limits of their own.
import { tokensMax } from "../../contract/limits.ts";
import { secondsAfter } from "../platform/clock.ts";
import { attempt, type Db, type Tx } from "../platform/db/db.ts";
import type { Usd } from "../platform/money.ts";
import type { Seal } from "../platform/seal.ts";
import { type From, tellOwner } from "./users.notices.ts";
import * as rows from "./users.tokens.sql.ts";

/** Until then the list shows why a program stopped. */
const forgetSeconds = 30 * 24 * 60 * 60;

export interface WantedToken {
  readonly name: string;
  readonly siteIds?: readonly number[] | undefined;
  readonly priceMax?: Usd | undefined;
  /** Per day (UTC). */
  readonly budgetDay?: Usd | undefined;
  readonly expiresAt?: Date | undefined;
}

/** As its account sees it; the token itself is shown only once. */
export interface LimitedToken extends WantedToken {
  readonly id: bigint;
  readonly spentToday: Usd;
  readonly createdAt: Date;
  readonly usedAt?: Date | undefined;
}

export interface Tokens {
  list(userId: bigint, at: Date): Promise<LimitedToken[]>;
  /** The last use of the account's own token. */
  accountUsedAt(userId: bigint): Promise<Date | undefined>;
  /** `text` is shown this once. */
  add(
    userId: bigint,
    wanted: WantedToken,
    at: Date,
    by?: From,
  ): Promise<{ text: string; made: LimitedToken } | "too many">;
  remove(userId: bigint, tokenId: bigint, at: Date): Promise<"removed" | "no token">;
  forget(at: Date): Promise<number>;
}

interface Parts {
  readonly db: Db;
  readonly seal: Seal;
  readonly makeToken: () => { text: string; hash: Buffer };
  /** Notifies every process at the commit. */
  readonly tell: (tx: Tx, userId: bigint) => Promise<void>;
  /** The same for this process, before the caller goes on. */
  readonly changed: (userId: bigint) => void;
}

export function openTokens({ db, seal, makeToken, tell, changed }: Parts): Tokens {
  return {
    list: async (userId, at) => (await rows.selectTokens(db, userId, at, 2 * tokensMax)).map(tokenOf),
    accountUsedAt: async (userId) => (await rows.selectAccountTokenUsed(db, userId)).usedAt ?? undefined,
    add: async (userId, wanted, at, by) => {
      const { text, hash } = makeToken();
      const { name, siteIds, priceMax, budgetDay, expiresAt } = wanted;
      const id = await attempt(db, async (tx) => {
        if ((await rows.countLiving(tx, userId, at)) >= tokensMax) return "too many";
        const limits = {
          siteIds: siteIds ?? null,
          priceMax: priceMax ?? null,
          budgetDay: budgetDay ?? null,
          expiresAt: expiresAt ?? null,
        };
        const made = await rows.insertToken(tx, { userId, name, hash, keyId: seal.keyId, ...limits, at });
        await tellOwner(tx, seal, { userId, kind: "token-added", from: by }, at);
        return made.id;
      });
      if (id === "too many") return id;
      return { text, made: { ...wanted, id, spentToday: 0n as Usd, createdAt: at } };
    },
    remove: async (userId, tokenId, at) => {
      const removed = await attempt(db, async (tx) => {
        if (!(await rows.revokeToken(tx, userId, tokenId, at))) return "no token";
        await tell(tx, userId);
        return undefined;
      });
      changed(userId);
      return removed ?? "removed";
    },
    forget: async (at) => (await rows.deleteTokens(db, secondsAfter(at, -forgetSeconds))).count,
  };
}

function tokenOf({
  siteIds,
  priceMax,
  budgetDay,
  spentToday,
  expiresAt,
  usedAt,
  ...row
}: rows.TokenRow): LimitedToken {
  return {
    ...row,
    siteIds: siteIds ?? undefined,
    priceMax: (priceMax ?? undefined) as Usd | undefined,
    budgetDay: (budgetDay ?? undefined) as Usd | undefined,
    spentToday: spentToday as Usd,
    expiresAt: expiresAt ?? undefined,
    usedAt: usedAt ?? undefined,
  };
}
