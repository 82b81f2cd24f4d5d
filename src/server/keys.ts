// What is sealed or hashed with SECRET_KEY, and how it passes from one key to the next (docs/decisions/100).
import {
  addressIdentifierDays,
  challengeSeconds,
  codeLifeSeconds,
  disownSeconds,
  linkLifeSeconds,
} from "../contract/limits.ts";
import { now, secondsAfter, unixSeconds } from "./platform/clock.ts";
import type { Db } from "./platform/db/db.ts";
import type { Log } from "./platform/log.ts";
import { openOrNone, type Seal } from "./platform/seal.ts";
import { anotherKey, isOwnKey, isWritten, noteBefore, selectKey } from "./platform/secret-key.ts";
import { canonicalEmail } from "./users/users.ts";
import * as rows from "./keys.sql.ts";
import type { SealedColumn } from "./keys.sql.ts";

/** Every column of sealed texts. A test finds those that are missing here. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: "users", column: "token_sealed", hash: { column: "token_hash", purpose: "token" } },
  { table: "mailbox", column: "secret" },
  { table: "webhook", column: "secret" },
  { table: "webhook", column: "secret_before" },
  { table: "webhook_delivery", column: "body" },
  { table: "webhook_delivery", column: "exchange" },
  { table: "task", column: "payload", field: "sealed" },
  { table: "notice", column: "sealed" },
  { table: "owner_notice", column: "sealed" },
  { table: "user_session", column: "place" },
  { table: "user_factor", column: "secret" },
  { table: "user_recovery_code", column: "hash" },
  { table: "user_challenge", column: "sealed" },
];

const day = 24 * 60 * 60;

/**
 * Every other column of keyed hashes, and how one by the key before becomes one by the key: "used": when its text comes; "known": the
 * texts are found elsewhere; "never": it is only a mark of the key. Else it ends after so many seconds, and until then is asked for by
 * both keys, but for counts: these begin anew with the key, once.
 */
export const hashedColumns: Readonly<Record<string, "used" | "known" | "never" | number>> = {
  "user_token.token_hash": "used",
  "user_session.token_hash": "used",
  "user_mark.hash": "known",
  "user_code.code_hash": codeLifeSeconds,
  "user_code.link_hash": codeLifeSeconds,
  "user_code.network": codeLifeSeconds,
  "user_code_earlier.code_hash": codeLifeSeconds,
  "user_code_earlier.link_hash": codeLifeSeconds,
  "user_code_earlier.network": codeLifeSeconds,
  "user_code_try.network": 60 * 60,
  "user_link.token_hash": linkLifeSeconds,
  "user_challenge.hash": challengeSeconds,
  "owner_notice.link_hash": disownSeconds,
  "captcha_used.hash": 10 * 60,
  "limit_bucket.key": day,
  "shop_key.mark": "never",
  "shop_key.before": "never",
};

/** For so long after a change the shop compares what was hashed by the key before: the longest are the places where accounts are at home. */
export const comparedSeconds = Math.max(
  addressIdentifierDays * day,
  ...Object.values(hashedColumns).filter((life) => typeof life === "number"),
);

/** How far a change of the key is. */
export interface KeyStanding {
  /** Sealed texts, and how many of them are looked at and sealed with the key. */
  readonly total: number;
  readonly seen: number;
  /** Neither key opens them. */
  readonly lost: number;
  /** Nothing is sealed with the key before any more. */
  readonly isSealed: boolean;
  /** Living limited tokens that did not come since: without the key before they end. */
  readonly tokens: number;
  /** Until then links in mails, and places where accounts are at home, are known by the key before. */
  readonly until: Date;
}

/** Undefined while the settings name no key before. */
export async function keyStanding(db: Db, seal: Seal): Promise<KeyStanding | undefined> {
  if (!seal.before) return undefined;
  const kept = await selectKey(db);
  const passes = await rows.selectPasses(db);
  const sum = (of: (pass: rows.Pass) => number) => passes.reduce((all, pass) => all + of(pass), 0);
  return {
    total: sum(({ total }) => total),
    seen: Math.min(
      sum(({ seen }) => seen),
      sum(({ total }) => total),
    ),
    lost: sum(({ lost }) => lost),
    isSealed: passes.length > 0 && kept?.before === null,
    tokens: await rows.countTokens(db, seal.keyId),
    until: secondsAfter(kept?.changedAt ?? new Date(0), comparedSeconds),
  };
}

/** Whether SECRET_KEY_OLD can go without any loss. */
export const isOver = ({ isSealed, tokens, until }: KeyStanding, at: Date): boolean =>
  isSealed && tokens === 0 && until <= at;

/** The same in a sentence. */
export function sayStanding(standing: KeyStanding, at: Date): string {
  const { total, seen, isSealed, tokens, until } = standing;
  if (!isSealed)
    return `SECRET_KEY_OLD is needed: ${seen} of ${total} secrets were looked at, and sealed with SECRET_KEY where they were not.`;
  if (isOver(standing, at))
    return "Nothing needs SECRET_KEY_OLD: remove it if the key has been changed, or exchange the two if that is still to come.";
  const lost = [
    tokens > 0 ? `${tokens} limited tokens end that have not come since the key changed` : "",
    until > at
      ? `links in mails of before, and until ${until.toISOString().slice(0, 10)} the places where accounts are at home, are not known`
      : "",
  ];
  return `Nothing is sealed with SECRET_KEY_OLD any more. When it is removed now, ${lost.filter(Boolean).join("; ")}.`;
}

/** The same for the page of the office. */
export async function keyOnPage(db: Db, seal: Seal) {
  const standing = await keyStanding(db, seal);
  if (!standing) return undefined;
  const { total, seen, tokens, until, isSealed } = standing;
  const state = !isSealed ? "sealing" : isOver(standing, now()) ? "over" : "sealed";
  return { state, total, seen, tokens, until: unixSeconds(until) } as const;
}

/** Logs how far a change of the key is. */
export async function tellOfKey({ db, seal }: { db: Db; seal: Seal }, log: Log): Promise<void> {
  const at = now();
  const standing = await keyStanding(db, seal);
  if (standing) log[isOver(standing, at) ? "warn" : "info"](sayStanding(standing, at));
}

/** Throws when the shop has passed to a key that this process does not know: it must be started with both. */
export async function keyKnown(db: Db, seal: Seal): Promise<void> {
  if (!(await isOwnKey(db, seal))) throw new Error(anotherKey);
}

const batchSize = 200;
const knownSize = 5_000;
const againSeconds = 60 * 60;

/**
 * Seals anew, with the key, what is sealed with the key before: passes over all columns, again until one finds nothing, and from then on
 * each hour, for what a process still wrote with the key before. Answers how much it sealed.
 */
export async function sealAnew(
  db: Db,
  seal: Seal,
  log: Log,
  at: Date,
  signal?: AbortSignal,
): Promise<number> {
  const { before } = seal;
  if (!before || !(await isWritten(db, seal))) return 0;
  const begun = await rows.selectPasses(db);
  const ends = begun.flatMap((pass) => pass.endedAt ?? []);
  if (ends.length === begun.length) {
    const isClean = begun.every(({ renewed }) => renewed === 0);
    const isFresh = ends.some((end) => end > secondsAfter(at, -againSeconds));
    const isNoted = (await selectKey(db))?.before === null;
    if (begun.length === sealedColumns.length && isClean && isFresh && isNoted) return 0;
    await rows.beginPasses(db, sealedColumns);
  }
  let renewed = 0;
  for (const column of sealedColumns) {
    renewed += await passOver(db, { column, seal, before }, at, signal);
    if (signal?.aborted) return renewed;
  }
  for (const kind of ["email", "telegram", "wallet"] as const)
    await renewMarks(db, { kind, seal, before }, signal);
  if (signal?.aborted) return renewed;
  const passes = await rows.selectPasses(db);
  const isClean = passes.every((pass) => pass.endedAt !== null && pass.renewed === 0);
  const wasClean = (await selectKey(db))?.before === null;
  await noteBefore(db, seal, !isClean);
  if (renewed > 0) log.info({ renewed }, "secrets were sealed anew with SECRET_KEY");
  if (isClean && !wasClean) log.info("nothing is sealed with SECRET_KEY_OLD any more");
  return renewed;
}

interface Renewing {
  readonly seal: Seal;
  readonly before: Seal;
}

async function passOver(
  db: Db,
  { column, seal, before }: Renewing & { column: SealedColumn },
  at: Date,
  signal: AbortSignal | undefined,
): Promise<number> {
  let all = 0;
  let pass = await rows.selectPass(db, column);
  while (pass && pass.endedAt === null && !signal?.aborted) {
    const found = await rows.selectSealed(db, column, pass.lastId, batchSize);
    const foreign = found.filter(({ sealed }) => openOrNone({ open: seal.openOwn }, sealed) === undefined);
    const renewed = foreign.flatMap(({ id, sealed }) => {
      const text = openOrNone(before, sealed);
      if (text === undefined) return [];
      const hash = column.hash && seal.hash(column.hash.purpose, text);
      return [{ id, sealed, anew: seal.seal(text), hash }];
    });
    if (renewed.length > 0) await rows.replaceSealed(db, column, renewed);
    all += renewed.length;
    await rows.notePass(db, column, {
      lastId: found.at(-1)?.id ?? pass.lastId,
      seen: found.length,
      renewed: renewed.length,
      lost: foreign.length - renewed.length,
      endedAt: found.length < batchSize ? at : null,
    });
    pass = await rows.selectPass(db, column);
  }
  return all;
}

/** Marks of accounts are compared: those whose texts the shop has are hashed anew. Network addresses are not among them, and end. */
async function renewMarks(
  db: Db,
  { kind, seal, before }: Renewing & { kind: "email" | "telegram" | "wallet" },
  signal: AbortSignal | undefined,
): Promise<void> {
  let last = "";
  while (!signal?.aborted) {
    const texts = await rows.selectKnown(db, kind, last, knownSize);
    const marked = kind === "email" ? texts.map(canonicalEmail) : texts;
    await rows.replaceMarks(
      db,
      kind,
      marked.map((text) => ({
        from: before.hash(`mark ${kind}`, text),
        to: seal.hash(`mark ${kind}`, text),
      })),
    );
    last = texts.at(-1) ?? last;
    if (texts.length < knownSize) return;
  }
}
