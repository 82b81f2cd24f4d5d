// Sessions: each sign-in in a browser has a token of its own, which ends. The account's token is for programs (docs/decisions/099).
import { randomInt } from "node:crypto";
import { z } from "zod/mini";
import { sessionsMax } from "../../contract/limits.ts";
import { secondsAfter } from "../platform/clock.ts";
import { type From, placeOf } from "../platform/http/place.ts";
import type { Holder } from "./users.sql.ts";
import { attempt, type Db, type Sql, type Tx } from "../platform/db/db.ts";
import { openOrNone, type Seal } from "../platform/seal.ts";
import * as rows from "./users.sessions.sql.ts";

/** How a person signed in. */
export type SignInWay = "password" | "registration" | "passkey";

export interface Session {
  readonly id: bigint;
  readonly way: string;
  /** "Firefox, Windows"; undefined when it is none that we know. */
  readonly program?: string | undefined;
  /** As limits count it; undefined for the shop's own network. */
  readonly network?: string | undefined;
  readonly createdAt: Date;
  readonly usedAt: Date;
}

export interface Sessions {
  /** Returns its token, which is told this once. */
  begin(userId: bigint, way: SignInWay, by: From, at: Date): Promise<string>;
  /** The newest use first. */
  list(userId: bigint, at: Date): Promise<Session[]>;
  end(userId: bigint, id: bigint): Promise<"ended" | "no session">;
  /** All but one; answers how many there were. */
  endOthers(userId: bigint, kept: bigint): Promise<number>;
  /** The person has proved anew who it is; every process hears it. False: the session has ended. */
  prove(userId: bigint, id: bigint, at: Date): Promise<boolean>;
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

/** A use is written at most so often. */
const usedSeconds = 5 * 60;

const Place = z.object({ program: z.optional(z.string()), network: z.optional(z.string()) });

export function openSessions({ db, seal, makeToken, tell, changed }: Parts): Sessions {
  /** A change of an account that every process hears of. */
  const changing = async <Done>(userId: bigint, act: (tx: Tx) => Promise<Done>): Promise<Done> => {
    const { done } = await attempt(db, async (tx) => {
      const acted = await act(tx);
      await tell(tx, userId);
      return { done: acted };
    });
    changed(userId);
    return done;
  };
  return {
    begin: async (userId, way, by, at) => {
      const { text, hash } = makeToken();
      const place = seal.seal(JSON.stringify(placeOf(by)));
      await attempt(db, async (tx) => {
        await rows.insertSession(tx, {
          id: BigInt(randomInt(1, 2 ** 47)),
          userId,
          hash,
          keyId: seal.keyId,
          way,
          place,
          at,
        });
        const { count } = await rows.deleteBeyond(tx, userId, sessionsMax);
        if (count > 0) await tell(tx, userId);
      });
      changed(userId);
      return text;
    },
    list: async (userId, at) => {
      const listed = await rows.selectSessions(db, userId, rows.bounds(at), sessionsMax);
      return listed.map(({ place, ...session }) => ({ ...session, ...readPlace(seal, place) }));
    },
    end: async (userId, id) => {
      const isEnded = await attempt(db, async (tx) => {
        const ended = await rows.deleteSession(tx, userId, id);
        if (ended) await tell(tx, userId);
        return { ended };
      });
      changed(userId);
      return isEnded.ended ? "ended" : "no session";
    },
    endOthers: (userId, kept) => changing(userId, (tx) => rows.deleteSessions(tx, userId, kept)),
    prove: (userId, id, at) => changing(userId, (tx) => rows.setProved(tx, userId, id, at)),
    forget: (at) => rows.deleteOld(db, rows.bounds(at)),
  };
}

type Used = Pick<Holder, "userId" | "session" | "limits" | "usedAt"> & { address: string | undefined };

/** Notes the use of a token, and where it was of a session, unless one was noted a moment ago. */
export async function noteUse(
  sql: Sql,
  seal: Seal,
  { userId, session, limits, usedAt, address }: Used,
  at: Date,
): Promise<void> {
  if (usedAt !== undefined && secondsAfter(usedAt, usedSeconds) > at) return;
  if (limits) return rows.setTokenUsed(sql, limits.tokenId, at);
  if (!session) return rows.setAccountTokenUsed(sql, userId, at);
  const { id } = session;
  const { network } = address === undefined ? {} : placeOf({ address });
  const [row] = network === undefined ? [] : await rows.selectPlace(sql, id);
  const place = row && seal.seal(JSON.stringify({ ...readPlace(seal, row.place), network }));
  await rows.setUsed(sql, id, place, at);
}

function readPlace(seal: Seal, sealed: Uint8Array): z.infer<typeof Place> {
  const text = openOrNone(seal, sealed);
  return text === undefined ? {} : Place.parse(JSON.parse(text));
}
