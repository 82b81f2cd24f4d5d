import { z } from "zod/mini";
import { all, maybe, one, type Sql, type Tx } from "../../platform/db/db.ts";
import { isOneOf, type Seal } from "../../platform/seal.ts";

export type Kind = "passkey" | "app";
export type Purpose = "add" | "enter" | "sign in" | "prove";

const Bytes = z.instanceof(Uint8Array);
type Hashes = ReturnType<Seal["hashes"]>;

const Factor = z.object({
  id: z.bigint(),
  userId: z.bigint(),
  kind: z.enum(["passkey", "app"]),
  name: z.string(),
  publicKey: z.nullable(Bytes),
  secret: z.nullable(Bytes),
  counter: z.bigint(),
  credentialId: z.nullable(z.string()),
  transports: z.array(z.string()),
  createdAt: z.date(),
  usedAt: z.nullable(z.date()),
});
export type Row = z.infer<typeof Factor>;

const columns = (sql: Sql) => sql`
  f.id, f.user_id as "userId", f.kind, f.name, f.public_key as "publicKey", f.secret, f.counter, f.credential_id as "credentialId", f.transports,
  f.created_at as "createdAt", f.used_at as "usedAt"`;

/** The oldest first. */
export const selectFactors = (sql: Sql, userId: bigint) =>
  all(
    Factor,
    sql`select ${columns(sql)} from user_factor f where f.user_id = ${userId} order by f.created_at, f.id`,
  );

/** Locked until the transaction ends: of two answers at once the second sees the counter of the first. */
export const lockApp = (tx: Tx, userId: bigint) =>
  maybe(
    Factor,
    tx`select ${columns(tx)} from user_factor f where f.user_id = ${userId} and f.kind = 'app' for update`,
  );

/** The same of a passkey. Leaves out those of blocked accounts. */
export const lockPasskey = (tx: Tx, credentialId: string) =>
  maybe(
    Factor,
    tx`select ${columns(tx)} from user_factor f join users u on u.id = f.user_id
       where f.credential_id = ${credentialId} and u.blocked_at is null for update of f`,
  );

/** Whether there was none of the same: a passkey belongs to one account, and an account has one app. */
export const insertFactor = async (
  tx: Tx,
  factor: Omit<Row, "createdAt" | "usedAt">,
  at: Date,
): Promise<boolean> =>
  (
    await tx`insert into user_factor (id, user_id, kind, name, public_key, secret, counter, credential_id, transports, created_at)
             values (${factor.id}, ${factor.userId}, ${factor.kind}, ${factor.name}, ${factor.publicKey}, ${factor.secret}, ${factor.counter},
               ${factor.credentialId}, ${factor.transports}::text[], ${at})
             on conflict do nothing`
  ).count > 0;

export const setUsed = (tx: Tx, id: bigint, counter: bigint, at: Date) =>
  tx`update user_factor set counter = ${counter}, used_at = ${at} where id = ${id}`;

export const deleteFactor = async (tx: Tx, userId: bigint, id: bigint): Promise<boolean> =>
  (await tx`delete from user_factor where id = ${id} and user_id = ${userId}`).count > 0;

/** Those that were added after a time; answers how many there were. */
export const deleteFactors = async (tx: Tx, userId: bigint, after: Date): Promise<number> =>
  (await tx`delete from user_factor where user_id = ${userId} and created_at > ${after}`).count;

const Count = z.object({ count: z.int() });

export const countFactors = async (sql: Sql, userId: bigint): Promise<number> =>
  (await one(Count, sql`select count(*)::integer as count from user_factor where user_id = ${userId}`)).count;

export const countRecovery = async (sql: Sql, userId: bigint): Promise<number> =>
  (await one(Count, sql`select count(*)::integer as count from user_recovery_code where user_id = ${userId}`))
    .count;

export const insertRecovery = (
  tx: Tx,
  userId: bigint,
  codes: readonly { id: bigint; hash: Buffer }[],
  at: Date,
) =>
  tx`insert into user_recovery_code (id, user_id, hash, created_at)
     select id, ${userId}, decode(hash, 'hex'), ${at}
     from unnest(${codes.map(({ id }) => id)}::bigint[], ${codes.map(({ hash }) => hash.toString("hex"))}::text[]) as c (id, hash)`;

/** Locked until the transaction ends. */
export const lockRecovery = (tx: Tx, userId: bigint) =>
  all(
    z.object({ id: z.bigint(), hash: Bytes }),
    tx`select id, hash from user_recovery_code where user_id = ${userId} order by id for update`,
  );

/** All that were made after a time. */
export const deleteRecovery = (tx: Tx, userId: bigint, after: Date) =>
  tx`delete from user_recovery_code where user_id = ${userId} and created_at > ${after}`;

export const deleteOneRecovery = (tx: Tx, id: bigint) => tx`delete from user_recovery_code where id = ${id}`;

export const insertChallenge = (
  sql: Sql,
  challenge: {
    id: bigint;
    hash: Buffer;
    userId: bigint | null;
    purpose: Purpose;
    sealed: Buffer | null;
    expiresAt: Date;
  },
) =>
  sql`insert into user_challenge (id, hash, user_id, purpose, sealed, expires_at)
      values (${challenge.id}, ${challenge.hash}, ${challenge.userId}, ${challenge.purpose}, ${challenge.sealed}, ${challenge.expiresAt})`;

const Challenge = z.object({
  id: z.bigint(),
  userId: z.nullable(z.bigint()),
  purpose: z.enum(["add", "enter", "sign in", "prove"]),
  sealed: z.nullable(Bytes),
});

/** Locked until the transaction ends. Leaves out those of blocked accounts. */
export const lockChallenge = (tx: Tx, hashes: Hashes, at: Date) =>
  maybe(
    Challenge,
    tx`select c.id, c.user_id as "userId", c.purpose, c.sealed from user_challenge c
       left join users u on u.id = c.user_id
       where c.hash ${isOneOf(tx, hashes)} and c.expires_at > ${at} and u.blocked_at is null for update of c`,
  );

export const deleteChallenge = (tx: Tx, id: bigint) => tx`delete from user_challenge where id = ${id}`;

export const deleteExpired = async (sql: Sql, at: Date): Promise<number> =>
  (await sql`delete from user_challenge where expires_at <= ${at}`).count;
