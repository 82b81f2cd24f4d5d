// Adds factors to an account, with the challenges that prove them.
import { hash, randomBytes, randomInt } from "node:crypto";
import { challengeSeconds, factorsMax } from "../../../contract/limits.ts";
import { secondsAfter } from "../../platform/clock.ts";
import { attempt, type Db, type Tx } from "../../platform/db/db.ts";
import type { Seal } from "../../platform/seal.ts";
import { type From, tellOwner } from "../users.notices.ts";
import { doubtOthers, setProved } from "../users.sessions.sql.ts";
import { lockUser } from "../users.sql.ts";
import { bareCode, newRecoveryCodes, newSecret, shownCode, stepOf } from "./factors.app.ts";
import { type MadeOptions, type Place, readAnswer, readNew, toMake } from "./factors.passkeys.ts";
import * as rows from "./factors.sql.ts";

export interface Factor {
  readonly id: bigint;
  readonly kind: rows.Kind;
  readonly name: string;
  readonly createdAt: Date;
  readonly usedAt: Date | null;
}

/** Recovery codes are told once, with the first factor. */
export interface Added {
  readonly factor: Factor;
  readonly recoveryCodes?: readonly string[];
}

export interface Adding {
  readonly userId: bigint;
  readonly name: string;
  /** Of whom adds it. */
  readonly session?: bigint | undefined;
}

export interface Adds {
  /** What the browser needs to make a passkey. */
  beginPasskey(userId: bigint, at: Date): Promise<MadeOptions | "no passkeys">;
  addPasskey(
    adding: Adding & { readonly passkey: string },
    at: Date,
    by?: From,
  ): Promise<Added | "invalid passkey" | "too many">;
  /** A secret for an app, and the ticket that goes back with its first code. */
  beginApp(userId: bigint, at: Date): Promise<{ secret: string; uri: string; ticket: string }>;
  addApp(
    adding: Adding & { readonly ticket: string; readonly code: string },
    at: Date,
    by?: From,
  ): Promise<Added | "ticket" | "invalid code" | "too many">;
}

export interface Parts {
  readonly db: Db;
  readonly seal: Seal;
  /** Undefined where browsers make no passkeys. */
  readonly place: Place | undefined;
  /** Notifies every process at the commit. */
  readonly tell: (tx: Tx, userId: bigint) => Promise<void>;
  /** The same for this process, before the caller goes on. */
  readonly changed: (userId: bigint) => void;
}

const milliseconds = challengeSeconds * 1000;
export const everything = new Date(0);

export const shown = ({ id, kind, name, createdAt, usedAt }: rows.Row): Factor => ({
  id,
  kind,
  name,
  createdAt,
  usedAt,
});

export const hashesOf = (seal: Seal, text: string) => seal.hashes("challenge", text);

/** Random, as ids that are told nobody need not be counted. */
const newId = () => BigInt(randomInt(1, 2 ** 47));

interface Challenge {
  readonly userId: bigint | null;
  readonly purpose: rows.Purpose;
  readonly sealed?: Buffer;
}

/** Returns its text, of which only the hash is kept. */
export async function challengeFor(
  { db, seal }: Parts,
  { userId, purpose, sealed }: Challenge,
  at: Date,
): Promise<string> {
  const text = randomBytes(32).toString("base64url");
  const expiresAt = secondsAfter(at, challengeSeconds);
  await rows.insertChallenge(db, {
    id: newId(),
    hash: seal.hash("challenge", text),
    userId,
    purpose,
    sealed: sealed ?? null,
    expiresAt,
  });
  return text;
}

export function adding(parts: Parts): Adds {
  const { db, seal, place } = parts;
  return {
    beginPasskey: async (userId, at) => {
      if (!place) return "no passkeys";
      const { email } = await attempt(db, (tx) => theUser(tx, userId));
      const passkeys = (await rows.selectFactors(db, userId)).filter(({ kind }) => kind === "passkey");
      const challenge = await challengeFor(parts, { userId, purpose: "add" }, at);
      // The same for all passkeys of an account, so that a device keeps one of them; it tells nothing of the account.
      const handle = seal.hash("passkey", String(userId));
      return toMake(place, { challenge, milliseconds, passkeys, email, handle });
    },

    addPasskey: async ({ passkey, ...wanted }, at, by) =>
      add<"invalid passkey">(parts, wanted, at, by, async (tx) => {
        const answer = readAnswer(passkey);
        if (!place || !answer) return "invalid passkey";
        const asked = await rows.lockChallenge(tx, hashesOf(seal, answer.challenge), at);
        if (asked?.purpose !== "add" || asked.userId !== wanted.userId) return "invalid passkey";
        const made = await readNew(place, answer);
        if (!made) return "invalid passkey";
        await rows.deleteChallenge(tx, asked.id);
        return { kind: "passkey", secret: null, ...made };
      }),

    beginApp: async (userId, at) => {
      const { email } = await attempt(db, (tx) => theUser(tx, userId));
      const made = newSecret(email);
      const sealed = seal.seal(made.secret);
      return { ...made, ticket: await challengeFor(parts, { userId, purpose: "add", sealed }, at) };
    },

    addApp: async ({ ticket, code, ...wanted }, at, by) =>
      add<"ticket" | "invalid code">(parts, wanted, at, by, async (tx) => {
        const asked = await rows.lockChallenge(tx, hashesOf(seal, ticket), at);
        if (!asked?.sealed || asked.purpose !== "add" || asked.userId !== wanted.userId) return "ticket";
        const counter = stepOf(seal.open(asked.sealed), bareCode(code), at);
        if (counter === undefined) return "invalid code";
        await rows.deleteChallenge(tx, asked.id);
        return {
          kind: "app",
          publicKey: null,
          secret: asked.sealed,
          counter,
          credentialId: null,
          transports: [],
        };
      }),
  };
}

async function theUser(tx: Tx, userId: bigint) {
  const user = await lockUser(tx, userId);
  if (!user) throw new Error(`there is no user ${userId}`);
  return user;
}

type Proved = Pick<rows.Row, "kind" | "publicKey" | "secret" | "counter" | "credentialId" | "transports">;

/** Adds what `prove` has proved. From the first on, a proof of other sessions by the password alone counts no more. */
async function add<Refusal extends string>(
  { db, seal, tell, changed }: Parts,
  { userId, name, session }: Adding,
  at: Date,
  by: From | undefined,
  prove: (tx: Tx) => Promise<Proved | Refusal>,
): Promise<Added | Refusal | "too many"> {
  const added = await attempt(db, async (tx): Promise<Added | Refusal | "too many"> => {
    await lockUser(tx, userId);
    const count = await rows.countFactors(tx, userId);
    if (count >= factorsMax) return "too many";
    const proved = await prove(tx);
    if (typeof proved === "string") return proved;
    const factor = { id: newId(), userId, name, ...proved };
    if (!(await rows.insertFactor(tx, factor, at))) return "too many";
    if (session !== undefined) {
      await setProved(tx, userId, session, at);
      if (count === 0) await doubtOthers(tx, userId, session);
    }
    const recoveryCodes = count === 0 ? await renewCodes(tx, seal, userId, at) : undefined;
    await tellOwner(tx, seal, { userId, kind: "factor-added", from: by }, at);
    await tell(tx, userId);
    return {
      factor: shown({ ...factor, createdAt: at, usedAt: null }),
      ...(recoveryCodes && { recoveryCodes }),
    };
  });
  changed(userId);
  return added;
}

/** Returns them as they are shown. */
export async function renewCodes(tx: Tx, seal: Seal, userId: bigint, at: Date): Promise<string[]> {
  const codes = newRecoveryCodes();
  await rows.deleteRecovery(tx, userId, everything);
  await rows.insertRecovery(
    tx,
    userId,
    codes.map((code) => ({ id: newId(), hash: seal.seal(recoveryHash(userId, code)) })),
    at,
  );
  return codes.map(shownCode);
}

/** Without a key, but sealed: the code has 78 bits. */
export const recoveryHash = (userId: bigint, code: string): string =>
  hash("sha256", `${userId} ${code}`, "base64url");
